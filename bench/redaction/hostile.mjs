// What redaction takes at worst: 100 KB of each keyword of the table, alone, with short values, in lines and in base64.
// npm run build && node bench/redaction/hostile.mjs. Exits with 1 where a megabyte takes more than 0.3 s of the processor.
import { importBuilt } from "../measure.mjs";

const MOST_MS = 300;
const BYTES = 100_000;
const { createSpillway } = await importBuilt("index");
const redaction = await createSpillway({ config: false, env: {}, redact: true }).redaction();
const keywords = [
  ..."secret= password: token%3D xoxb- eyJ AZDO ACDb ghp_ glpat- gldt- SG. sk.eyJ sk- AKIA key a://b:c api_key=0x bearer".split(
    " ",
  ),
  ...[" -pass", "secret=((", "<name>secret</name>", "Authorization: ", "set-cookie: a", "password:\n  ", "secret=a&"],
  ...[
    "-----BEGIN RSA PRIVATE KEY-----",
    "token=aaaaaaaaaaaaaaaaaaaaaaaaa",
    " -p ",
    " -u a:",
    "zip -P ",
    "ENV X_TOKEN ",
  ],
  ...[
    "\\u0067",
    "\u001b[31m",
    "%3D",
    "%3A%2F%2F",
    "&quot;",
    "\u200b",
    "IDENTIFIED BY '",
    "\tTRUE\t/",
    "machine a login b ",
    "secret=x&=",
    `(ghp_${"aB3dE5fG7hJ9".repeat(3)})`,
    "Bearer authentication=",
  ],
];
const forms = {
  alone: (keyword) => keyword,
  "with a short value": (keyword) => `${keyword}aB3dE5fG7hJ9`,
  "in lines": (keyword) => `${keyword.repeat(4)}\n`,
  "in base64": (keyword) => Buffer.from(keyword).toString("base64"),
};

const rows = Object.entries(forms).flatMap(([form, write]) =>
  keywords.map((keyword) => ({ ms: worth(write(keyword)), form, keyword })),
);
rows.sort((a, b) => b.ms - a.ms);
for (const { ms, form, keyword } of rows.slice(0, 10))
  process.stdout.write(`${ms.toFixed(0).padStart(5)} ms for a megabyte: ${JSON.stringify(keyword)} ${form}\n`);
process.exitCode = rows[0].ms <= MOST_MS ? 0 : 1;

function worth(unit) {
  const text = unit.repeat(Math.ceil(BYTES / unit.length));
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    redaction.text(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return (Math.min(...times) * 1e6) / text.length;
}
