import { useEffect, useState } from "preact/hooks";

/** A value that parts of the page share. */
export interface Signal<T> {
  value: T;
  subscribe(listener: () => void): () => void;
}

/** A shared value; whoever uses it by `useSignal` is drawn again when it changes. */
export function signal<T>(first: T): Signal<T> {
  let current = first;
  const listeners = new Set<() => void>();
  return {
    get value() {
      return current;
    },
    set value(next) {
      if (next === current) return;
      current = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The value now, and a drawing whenever it changes. */
export function useSignal<T>(shared: Signal<T>): T {
  const [, draw] = useState(0);
  useEffect(() => shared.subscribe(() => draw((count) => count + 1)), [shared]);
  return shared.value;
}
