/** What a fleet asks of S3 and PostgreSQL, computed: `node bench/scale/model.mjs` prints the table of docs/scale.md. */

/** The mix of the load run: share of calls and bytes of output. Only what is over the limits is saved. */
const MIX = [
  { share: 0.7, bytes: 2_000, saved: false },
  { share: 0.28, bytes: 100_000, saved: true },
  { share: 0.02, bytes: 1_000_000, saved: true },
];
/** Above this an artifact has a line index, which is one object more. */
const INDEX_FROM_BYTES = 262_144;
/** Of the artifacts so many are read again, each time by manifest, index and one range, or without an index by two. */
const READS_PER_ARTIFACT = 0.5;
const EVENTS_PER_CALL = 2;
const BYTES_PER_EVENT = 12_000;
const RETENTION_DAYS = 7;
/** Parameters, not facts: put your own in. Dollars per 1000 requests, and per GB and month. */
const PRICES = { write: 0.005, read: 0.0004, gigabyteMonth: 0.023 };
const HOURS_PER_MONTH = 730;

const saved = MIX.filter((one) => one.saved);
/** Requests that an artifact of so many bytes takes: itself, its manifest, and an index where it is long. */
const requestsOf = (bytes) => (bytes > INDEX_FROM_BYTES ? 3 : 2);

/** Requests to write an artifact, over the mix. */
export function perArtifact() {
  const share = saved.reduce((sum, one) => sum + one.share, 0);
  return saved.reduce((sum, one) => sum + one.share * requestsOf(one.bytes), 0) / share;
}

/** Appends to a session that a call takes. */
export function perCall() {
  return EVENTS_PER_CALL;
}

const rows = [1e3, 1e5, 1e7].map((calls) => {
  const artifacts = calls * saved.reduce((sum, { share }) => sum + share, 0);
  const writes = artifacts * perArtifact();
  const reads = READS_PER_ARTIFACT * artifacts * perArtifact();
  const bytes = calls * saved.reduce((sum, one) => sum + one.share * one.bytes, 0);
  const stored = (bytes * 24 * RETENTION_DAYS) / 1e9;
  const appends = calls * EVENTS_PER_CALL;
  const month =
    HOURS_PER_MONTH * ((writes / 1000) * PRICES.write + (reads / 1000) * PRICES.read) + stored * PRICES.gigabyteMonth;
  return [
    calls.toLocaleString("en-US"),
    round(artifacts / 3600),
    round((writes + reads) / 3600),
    round(bytes / 3600 / 1e6),
    round(stored),
    round(appends / 3600),
    round((appends * BYTES_PER_EVENT * 24 * RETENTION_DAYS) / 1e9),
    `$${round(month)}`,
  ];
});

const head = [
  "calls/hour",
  "artifacts/s",
  "S3 requests/s",
  "MB/s to S3",
  "GB in S3 (7 days)",
  "appends/s",
  "GB of events (7 days)",
  "S3 a month",
];
if (process.argv[1] === import.meta.filename) {
  console.log(`| ${head.join(" | ")} |\n|${head.map(() => "---:").join("|")}|`);
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
}

function round(value) {
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : Number(value.toPrecision(2)).toString();
}
