import { useEffect, useState } from "preact/hooks";

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

/** A response that is loading, loaded, or failed. */
export interface Answer<T> {
  readonly value?: T;
  readonly error?: string;
  readonly waiting: boolean;
}

/** Asks whenever the key changes; a late answer to an earlier question is passed over. */
export function useAnswer<T>(key: string, ask: () => Promise<T>): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ waiting: true });
  useEffect(() => {
    let late = false;
    setAnswer((before) => ({ ...before, waiting: true }));
    ask().then(
      (value) => !late && setAnswer({ value, waiting: false }),
      (error: unknown) => !late && setAnswer({ error: (error as Error).message, waiting: false }),
    );
    return () => {
      late = true;
    };
  }, [key]);
  return answer;
}
