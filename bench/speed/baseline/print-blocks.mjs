// Prints so many megabytes of ordinary rows, made beforehand a megabyte at a time: node print-blocks.mjs MEGABYTES
const rows = Array.from(
  { length: 12_000 },
  (_, row) => `row ${row}: copied 4096 blocks of part ${row % 97} to the other side, nothing to tell\n`,
);
const block = Buffer.from(rows.join("")).subarray(0, 1_000_000);
let left = Number(process.argv[2]);
const print = () => {
  while (left-- > 0) if (!process.stdout.write(block)) return process.stdout.once("drain", print);
};
print();
