import { signal } from "./signal.ts";
import { exported } from "./source.ts";

const EXPORTED_PATH = exported?.session === undefined ? "/outputs/exported" : "/sessions/exported";

/** The address within the page, with what stands behind its question mark. */
export const place = signal(exported === undefined ? location.pathname + location.search : EXPORTED_PATH);

window.addEventListener("popstate", () => {
  if (exported === undefined) place.value = location.pathname + location.search;
});

/** Goes to another address of the page. */
export function go(path: string): void {
  if (exported !== undefined) return;
  history.pushState(null, "", path);
  place.value = path;
  window.scrollTo(0, 0);
}
