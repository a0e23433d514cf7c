const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
/** As git writes it: `Mon Nov 16 17:00:00 2026 +0000`. */
const GIT =
  /^[A-Z][a-z]{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{1,2}) \d\d:\d\d:\d\d (\d{4}) [+-]\d{4}$/;
const ISO = /\b(\d{4})-(\d\d)-(\d\d)\b/;
const WRITTEN = /\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* {1,2}(\d{1,2}),? (?:[\d:]{5,8} )?(\d{4})\b/;
const DAY_FIRST = /\b(\d{1,2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* (\d{4})\b/;

/** What every day has: most texts name none, which this tells sooner. */
const DAY = / \d{4}|\d-\d\d-\d/;

/** The day that a text names, as `2026-05-04`. */
export function commitDate(text: string): string | undefined {
  const git = GIT.exec(text);
  if (git !== null) return join(git[3], git[1], git[2]);
  if (!DAY.test(text)) return undefined;
  const iso = ISO.exec(text);
  if (iso !== null) return iso[0];
  const written = WRITTEN.exec(text);
  if (written !== null) return join(written[3], written[1], written[2]);
  const dayFirst = DAY_FIRST.exec(text);
  return dayFirst === null ? undefined : join(dayFirst[3], dayFirst[2], dayFirst[1]);
}

function join(year = "", month = "", day = ""): string {
  const number = MONTHS.indexOf(month) / 3 + 1;
  return `${year}-${number < 10 ? "0" : ""}${number}-${day.length < 2 ? "0" : ""}${day}`;
}
