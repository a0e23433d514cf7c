import { AREAS, PARTS, Random, rows } from "./random.mjs";

/** Listings: without a question how many files stand in which folder, with it the file that is named. */
export function listing(seed) {
  const random = new Random(seed);
  const files = AREAS.flatMap((area) =>
    rows(
      40 + (seed % 3) * 10,
      (index) => `src/shop/${area}/${PARTS[index % 11]}/${random.pick(["list", "edit", "sum", "check"])}_${index}.py`,
    ),
  );
  const wanted = "src/shop/mail/relay/bounce_handler.py";
  const all = [...files, wanted, "setup.py", "README.md"].sort();
  const folders = [...new Set(all.map((file) => file.slice(0, file.lastIndexOf("/") + 1)))].sort();
  const long = (name) => `-rw-r--r-- 1 ada ada ${String(random.between(90, 9000)).padStart(6)} Mar  4 10:11 ${name}`;
  const sections = (render) =>
    folders
      .map(
        (folder) =>
          `${folder === "" ? "." : `./${folder.slice(0, -1)}`}:\n${all
            .filter((file) => file.startsWith(folder) && !file.slice(folder.length).includes("/"))
            .map((file) => render(file.slice(folder.length)))
            .join("\n")}\n`,
      )
      .join("\n");
  const kinds = [
    () => all.map((file) => `./${file}`).join("\n"),
    () => sections((name) => name),
    () => sections(long),
    () => all.join("\n"),
    () => all.map((file) => `/srv/work/${file}`).join("\n"),
    () => all.map((file) => `${random.between(1, 90)}\t${file}`).join("\n"),
  ];
  const name = "bounce_handler.py";
  return {
    text: `${kinds[seed % kinds.length]()}\n`,
    question: "why does the bounce handler of the mail relay lose messages?",
    must: AREAS.map((area) => `src/shop/${area}/`.slice(0, -1)),
    asked: [name],
  };
}

/** `git log --oneline` with names of branches that look like dates, and `git log --stat` of several authors. */
export function history(seed) {
  const random = new Random(seed);
  const authors = ["Ada Byron", "Grace Hopper", "Alan Turing"];
  const subject = (index) =>
    `${random.pick(["Fix", "Speed up", "Test", "Move"])} the ${AREAS[index % 10]} ${random.pick(PARTS)}`;
  if (seed % 2 === 0) {
    const lines = rows(300, (index) =>
      index % 40 === 7
        ? `${random.hex(9)} Merge branch 'release-2019-04-0${1 + (seed % 9)}' into main`
        : `${random.hex(9)} ${subject(index)}`,
    );
    return {
      text: `${lines.join("\n")}\n`,
      question: "when did the mail cache become faster?",
      must: ["300 commits"],
      asked: [],
      mustNot: ["2019-04-0 to", "commits, 2019", ", 2019-04-0"],
    };
  }
  const lines = rows(60, (index) => [
    `commit ${random.hex(40)}`,
    `Author: ${authors[index % 5 === 0 ? 0 : index % 7 === 0 ? 1 : 2]} <mail@example.org>`,
    `Date:   Mon Mar ${1 + (index % 27)} 10:00:00 2026 +0000`,
    "",
    `    ${subject(index)}`,
    "",
    ...rows(
      random.between(2, 9),
      (file) => ` src/${AREAS[index % 10]}/${PARTS[file]}.py | ${random.between(1, 40)} ++--`,
    ),
    ` ${random.between(2, 9)} files changed, ${random.between(3, 90)} insertions(+), ${random.between(1, 40)} deletions(-)`,
    "",
  ]);
  return {
    text: lines.flat().join("\n"),
    question: "who moved the mail store?",
    must: ["60 commits", ...authors, "src/mail/"],
    asked: [],
  };
}
