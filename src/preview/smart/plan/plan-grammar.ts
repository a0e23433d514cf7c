import { formatPlural } from "../../omission.ts";
import { type Grammar, type LineRole, PLAIN_LINE } from "../items/item-analyzer.ts";

/** `  # module.cart.aws_instance.web[0] must be replaced` */
const ACTION = /^\s{0,4}# (?:\S.{0,300}?) ((?:will be|must be|has been|has changed|is tainted)\b.*)$/;
const PLANNED =
  /^(?:Terraform|OpenTofu) (?:used the selected providers|will perform the following actions)|^An execution plan has been generated/;
const TOTALS = /^(?:Plan: \d|No changes\.|Apply complete!|Destroy complete!|Changes to Outputs:)/;
const TROUBLE = /^\W{0,4}(?:Error|Warning): /;
/** `      ~ image = "a" -> "b"`, which tells what an update changes. */
const CHANGED = /^\s*(?:~|-\/\+|\+\/-) .*(?:->|= \{|= \[)/;
/** Lines after a total or a message that belong to it. */
const FOLLOWING = 6;
const PROGRESS = /\.{3}(?: \[id=.*\])?$|: (?:Refreshing|Reading|Read complete)/;

/** What is done to a resource, by the words that say so, and how much that tells. */
const ACTIONS: readonly (readonly [words: RegExp, name: string, rank: number])[] = [
  [/replaced|tainted/, "replaced", 0.97],
  [/destroyed/, "destroyed", 0.97],
  [/updated/, "updated", 0.94],
  [/created/, "created", 0.8],
  [/\bread\b/, "read", 0.6],
  [/has (?:been|changed)/, "changed outside", 0.75],
  [/./, "other", 0.7],
];
const UPDATES = new Set(["updated", "replaced", "changed outside"]);

/** Reads what a tool is going to do to each resource: one item for each, those that end something first. */
export class PlanGrammar implements Grammar {
  readonly noun = "resource";
  readonly #actions = new Map<string, number>();
  #lines = 0;
  #updates = false;
  #following = 0;

  get wrong(): boolean {
    return this.#lines > 2000 && this.#actions.size === 0;
  }

  read(text: string): LineRole {
    this.#lines++;
    if (text === "") return PLAIN_LINE;
    const action = ACTION.exec(text)?.[1];
    if (action !== undefined) return this.#open(action);
    if (TOTALS.test(text) || TROUBLE.test(text)) {
      this.#following = FOLLOWING;
      this.#updates = false;
      return { opens: true, rank: 1 };
    }
    if (text.includes("# forces replacement")) return { rank: 0.99 };
    if (this.#following > 0) {
      this.#following--;
      return { rank: PROGRESS.test(text) ? 0 : 0.6 };
    }
    if (!this.#updates || !CHANGED.test(text)) return PLAIN_LINE;
    return { rank: text.includes(" -> ") ? 0.9 : 0.5 };
  }

  title(lines: number): string {
    const counts = [...this.#actions].map(([action, count]) => `${count} ${action}`).join(", ");
    return `plan: ${counts === "" ? "no resources" : counts}; ${formatPlural(lines, "line")}`;
  }

  #open(action: string): LineRole {
    const [, name, rank] = ACTIONS.find(([words]) => words.test(action)) as (typeof ACTIONS)[number];
    this.#actions.set(name, (this.#actions.get(name) ?? 0) + 1);
    this.#updates = UPDATES.has(name);
    this.#following = 0;
    return { opens: true, rank };
  }
}

/** True for what tells the changes to resources one by one. */
export function looksLikePlan(lines: readonly string[]): boolean {
  return lines.some((line) => PLANNED.test(line)) && lines.some((line) => ACTION.test(line));
}
