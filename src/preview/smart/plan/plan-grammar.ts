import { formatPlural } from "../../omission.ts";
import { type Grammar, type LineRole, PLAIN_LINE } from "../items/item.ts";

/** `  # module.cart.aws_instance.web[0] must be replaced` */
const ACTION = /^\s{0,4}# (\S.{0,300}?) (will be|must be|has been|has changed|is tainted)\b(.*)$/;
const PLANNED =
  /^(?:Terraform|OpenTofu) (?:used the selected providers|will perform the following actions)|^An execution plan has been generated/;
const TOTALS = /^(?:Plan: \d|No changes\.|Apply complete!|Destroy complete!|Changes to Outputs:)/;
const TROUBLE = /^\W{0,4}(?:Error|Warning): /;
/** `      ~ image = "a" -> "b"`, which tells what an update changes. */
const CHANGED = /^\s*(?:~|-\/\+|\+\/-) .*(?:->|= \{|= \[)/;
const CHANGED_VALUE = / -> /;
/** Lines after a total or a message that belong to it. */
const FOLLOWING = 6;
const HELD_BACK = /\.{3}(?: \[id=.*\])?$|: (?:Refreshing|Reading|Read complete)/;

/** Reads what a tool is going to do to each resource: one item for each, those that end something first. */
export class PlanGrammar implements Grammar {
  readonly noun = "resource";
  readonly firstCounts = false;
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
    const action = ACTION.exec(text);
    if (action !== null) return this.#open(`${action[2]}${action[3]}`);
    if (TOTALS.test(text) || TROUBLE.test(text)) {
      this.#following = FOLLOWING;
      this.#updates = false;
      return { opens: true, rank: 1 };
    }
    if (text.includes("# forces replacement")) return { opens: false, rank: 0.99 };
    if (this.#following > 0) {
      this.#following--;
      return { opens: false, rank: HELD_BACK.test(text) ? 0 : 0.6 };
    }
    if (!this.#updates || !CHANGED.test(text)) return PLAIN_LINE;
    return { opens: false, rank: CHANGED_VALUE.test(text) ? 0.9 : 0.5 };
  }

  end(): void {}

  label(): undefined {
    return undefined;
  }

  title(lines: number): string {
    const counts = [...this.#actions].map(([action, count]) => `${count} ${action}`).join(", ");
    return `plan: ${counts === "" ? "no resources" : counts}; ${formatPlural(lines, "line")}`;
  }

  #open(action: string): LineRole {
    const name = nameOf(action);
    this.#actions.set(name, (this.#actions.get(name) ?? 0) + 1);
    this.#updates = name === "updated" || name === "replaced" || name === "changed outside";
    this.#following = 0;
    return { opens: true, rank: RANKS[name] ?? 0.7 };
  }
}

const RANKS: Readonly<Record<string, number>> = {
  replaced: 0.97,
  destroyed: 0.97,
  updated: 0.94,
  created: 0.8,
  "changed outside": 0.75,
  read: 0.6,
};

function nameOf(action: string): string {
  if (/replaced|tainted/.test(action)) return "replaced";
  if (/destroyed/.test(action)) return "destroyed";
  if (/updated/.test(action)) return "updated";
  if (/created/.test(action)) return "created";
  if (/\bread\b/.test(action)) return "read";
  return /has (?:been|changed)/.test(action) ? "changed outside" : "other";
}

/** True for what tells the changes to resources one by one. */
export function looksLikePlan(lines: readonly string[]): boolean {
  return lines.some((line) => PLANNED.test(line)) && lines.some((line) => ACTION.test(line));
}
