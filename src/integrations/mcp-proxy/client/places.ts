/** Counts what may be there only so many times. */
export class Places {
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** False when there is none left. */
  take(): boolean {
    if (this.#free <= 0) return false;
    this.#free -= 1;
    return true;
  }

  give(): void {
    this.#free += 1;
  }
}
