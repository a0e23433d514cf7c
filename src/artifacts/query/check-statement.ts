import { invalidArgument } from "../../errors.ts";

const READING = /^(?:select|with|values)\b/i;
/** Strings, quoted names and comments. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** What a statement refers to, as far as it decides which tables must be loaded. */
export interface StatementNeeds {
  readonly sql: string;
  readonly lines: boolean;
  readonly rows: boolean;
}

/** Accepts one statement that only reads; throws a sentence for anything else. */
export function checkStatement(statement: string): StatementNeeds {
  const sql = statement.trim().replace(/;\s*$/, "");
  if (sql === "") throw invalidArgument('The query is empty; try "SELECT * FROM rows LIMIT 5".');
  // Quoted names still tell which tables are meant; only what separates statements must not hide in them.
  const bare = sql.replace(QUOTED, (quoted) => (/^["`[]/.test(quoted) ? quoted.slice(1, -1).replaceAll(";", "") : " "));
  if (bare.includes(";"))
    throw invalidArgument("One statement at a time: remove everything after the first semicolon.");
  if (!READING.test(bare.trim()))
    throw invalidArgument("Only SELECT, WITH and VALUES are allowed: the saved output cannot be changed.");
  if (/\bpragma_\w+/i.test(bare)) throw invalidArgument("PRAGMA functions are not available.");
  const withoutLines = bare.replace(/\blines\b/gi, " ");
  return {
    sql,
    lines: withoutLines !== bare,
    // `lines` alone is the only table that needs no rows.
    rows: /\b(?:from|join)\s+[\w"`[(]/i.test(withoutLines) || withoutLines === bare,
  };
}
