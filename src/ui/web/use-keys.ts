import { useEffect } from "preact/hooks";

/** Tells of every key that is pressed anywhere on the page. */
export function useKeys(press: (event: KeyboardEvent) => void): void {
  useEffect(() => {
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  });
}

/** True where keys write into a field. */
export function isTyping(event: KeyboardEvent): boolean {
  return event.target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
}
