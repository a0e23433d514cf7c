import { formatPlural } from "../../omission.ts";
import { type Grammar, type LineRole, PLAIN_LINE } from "../items/item.ts";

const NAME = /^Name:\s+\S/;
const FIELD = /^(?:Namespace|Labels|Annotations|Status|Roles|CreationTimestamp|Selector|Conditions|Events):/;
const TOP = /^[A-Z][\w ./-]{1,40}:/;
const STATE =
  /^\s*(?:Status|State|Last State|Reason|Exit Code|Message|Ready|Restart Count|Replicas|Type|Taints|Unschedulable|Node):/;
/** A word for a state that is not as it should be; in a table of conditions also what is true of pressure. */
const TROUBLE =
  /^\s*Warning\s|\b(?:\w*BackOff|OOM\w*|Evicted|Error|Failed\w*|Unhealthy|NotReady|Pending|Unknown|Unavailable|DeadlineExceeded|ErrImage\w*|ContainerCreating)\b|^\s*\w+Pressure\s+(?:True|Unknown)\b|^\s*Ready\s+(?:False|Unknown)\b|^\s*Ready:\s+False|^\s*Exit Code:\s+[1-9]|^\s*Restart Count:\s+[1-9]/;

/** Reads descriptions of objects, one after the other: names, states, and what is not as it should be. */
export class DescribeGrammar implements Grammar {
  readonly noun = "object";
  readonly firstCounts = false;
  #objects = 0;
  #lines = 0;

  get wrong(): boolean {
    return this.#lines > 400 && this.#objects === 0;
  }

  read(text: string): LineRole {
    this.#lines++;
    if (text === "") return PLAIN_LINE;
    if (NAME.test(text)) {
      this.#objects++;
      return { opens: true, rank: 1 };
    }
    if (TROUBLE.test(text)) return { opens: false, rank: 0.95 };
    if (STATE.test(text)) return { opens: false, rank: 0.7 };
    return { opens: false, rank: TOP.test(text) ? 0.4 : 0.15 };
  }

  end(): void {}

  label(): undefined {
    return undefined;
  }

  title(lines: number): string {
    return `description of ${formatPlural(this.#objects, "object")}, ${formatPlural(lines, "line")}`;
  }
}

/** True for descriptions as `kubectl describe` prints them. */
export function looksLikeDescription(filled: readonly string[]): boolean {
  const first = filled.findIndex((line) => NAME.test(line));
  return first >= 0 && first <= 2 && filled.slice(first, first + 60).filter((line) => FIELD.test(line)).length >= 2;
}
