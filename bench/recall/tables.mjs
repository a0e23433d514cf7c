/** Means over the cases of one arm; shares in percent of all cases, also of those where the arm was late. */
export function summarize(scores) {
  const share = (test) => (100 * scores.filter(test).length) / scores.length;
  const intime = scores.filter(({ late }) => !late);
  const mean = (key) => intime.reduce((sum, score) => sum + score[key], 0) / Math.max(intime.length, 1);
  const ranged = scores.filter(({ range }) => range !== undefined);
  return {
    cases: scores.length,
    late: scores.length - intime.length,
    firstAny: share(({ first }) => first.any),
    firstCore: share(({ first }) => first.core),
    rangeCore: ranged.length === 0 ? undefined : share(({ first, range }) => first.core || range === true),
    afterAny: share(({ after }) => after.any),
    afterCore: share(({ after }) => after.core),
    bytes: mean("bytes"),
    totalBytes: mean("totalBytes"),
    calls: mean("calls"),
  };
}

/** The table of all arms. */
export function renderArms(rows) {
  const head = [
    "arm",
    "version",
    "outputs",
    "late",
    "first result: any / all",
    "after its named range: all",
    "after one search: any / all",
    "extra calls",
    "bytes at first",
    "bytes in all",
  ];
  return table(
    head,
    rows.map(({ name, version, summary: s }) => [
      name,
      version,
      String(s.cases),
      String(s.late),
      `${s.firstAny.toFixed(1)} / ${s.firstCore.toFixed(1)}`,
      s.rangeCore === undefined ? "–" : s.rangeCore.toFixed(1),
      s.calls === 0 ? "–" : `${s.afterAny.toFixed(1)} / ${s.afterCore.toFixed(1)}`,
      s.calls.toFixed(2),
      count(s.bytes),
      count(s.totalBytes),
    ]),
  );
}

/** All answer lines seen at first and after the search, by kind of output. */
export function renderKinds(rows, kinds) {
  return table(
    ["arm", ...kinds.map(({ kind, cases }) => `${kind} (${cases})`)],
    rows.map(({ name, byKind }) => [
      name,
      ...kinds.map(({ kind }) => {
        const { cases, firstCore, afterCore } = byKind.get(kind);
        return cases === 0 ? "–" : `${firstCore.toFixed(0)} / ${afterCore.toFixed(0)}`;
      }),
    ]),
  );
}

function table(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function count(value) {
  return Math.round(value).toLocaleString("en-US");
}
