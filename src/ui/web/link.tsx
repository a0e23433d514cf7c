import type { ComponentChildren } from "preact";
import { go } from "./router.ts";

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
