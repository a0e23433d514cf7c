/** A counting limit. */
export class Places {
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** False if the limit is reached. */
  take(): boolean {
    if (this.#free <= 0) return false;
    this.#free -= 1;
    return true;
  }

  give(): void {
    this.#free += 1;
  }
}
