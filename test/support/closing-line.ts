import type { Reporter, TestModule } from "vitest/node";

/** Ends the run with one plain line, `N passed, M failed`, that any CI can read. */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== "pending") count[state]++;
      }
      if (module.state() === "failed" && module.errors().length > 0) count.failed++;
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
    process.on("exit", () => process.stdout.write(`${count.passed} passed, ${count.failed} failed${skipped}\n`));
  }
}
