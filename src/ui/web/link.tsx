import type { ComponentChildren } from "preact";
import { exported, signal } from "./source.ts";

interface LinkProps {
  readonly to: string;
  readonly children: ComponentChildren;
  readonly current?: boolean;
  readonly label?: string;
}

/** A link within the page. */
export function Link({ to, children, current, label }: LinkProps) {
  const click = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={to} onClick={click} aria-current={current ? "page" : undefined} aria-label={label}>
      {children}
    </a>
  );
}

const EXPORTED_PATH = exported?.session === undefined ? "/outputs/exported" : "/sessions/exported";

/** The location within the page, with its query. */
export const place = signal(exported === undefined ? location.pathname + location.search : EXPORTED_PATH);

window.addEventListener("popstate", () => {
  if (exported === undefined) place.value = location.pathname + location.search;
});

/** Navigates to another location of the page. */
export function go(path: string): void {
  if (exported !== undefined) return;
  history.pushState(null, "", path);
  place.value = path;
  window.scrollTo(0, 0);
}
