// Prints what a long build prints: some 40,000 lines and 3 MB, with one compiler error in the middle. Exits with 1.
const MODULES = ["auth", "billing", "cart", "catalog", "checkout", "email", "export", "import", "ledger", "search"];
const STEPS = ["Compiling", "Checking", "Bundling", "Writing"];
const FILES = 40_000;
const BROKEN = 21_377;

let seed = 7;
const random = (below) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor(seed / 65_536) % below;
};

const lines = ["> shop@4.2.0 build", "> tsc --build --verbose packages/*", ""];
for (let file = 1; file <= FILES; file++) {
  const module = MODULES[random(MODULES.length)];
  const name = `packages/${module}/src/part-${String(random(9000)).padStart(4, "0")}.ts`;
  lines.push(`[${String(file).padStart(5)}/${FILES}] ${STEPS[random(STEPS.length)]} ${name} (${random(400)} ms)`);
  if (file % 977 === 0) lines.push(`warning: ${name} is larger than 50 KB, consider splitting it`);
  if (file === BROKEN) {
    lines.push(
      "packages/billing/src/invoice.ts:214:17 - error TS2345: Argument of type 'string | undefined' is not assignable to parameter of type 'string'.",
      "",
      "214   const total = formatAmount(invoice.currency);",
      "                                 ~~~~~~~~~~~~~~~~",
      "",
    );
  }
}
lines.push(
  "",
  "Found 1 error in 40000 files.",
  "npm error code 1",
  "npm error command failed: tsc --build --verbose packages/*",
);
process.stdout.write(`${lines.join("\n")}\n`, () => process.exit(1));
