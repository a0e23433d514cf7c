import type { Language } from "./language.ts";
import type { DeclarationKind } from "./read-declaration.ts";

/** How a language declares by a word at the beginning of a line; the group is the name. */
type DeclaredForm = readonly [kind: DeclarationKind, form: RegExp];

const SQL_MODIFIERS =
  "(?:or\\s+replace\\s+|global\\s+|local\\s+|temp(?:orary)?\\s+|unlogged\\s+|unique\\s+|materialized\\s+|recursive\\s+|external\\s+|foreign\\s+)*";
const SQL_NAME =
  '(?:if\\s+not\\s+exists\\s+)?((?:[\\w$]+|"[^"]+"|`[^`]+`|\\[[^\\]]+\\])(?:\\.(?:[\\w$]+|"[^"]+"|`[^`]+`))*)';

/** Languages of which a line by itself tells what it declares. */
export const DECLARED_FORMS: Readonly<Partial<Record<Language, readonly DeclaredForm[]>>> = {
  sql: [
    ["function", new RegExp(`^\\s*create\\s+${SQL_MODIFIERS}(?:function|procedure|trigger)\\s+${SQL_NAME}`, "i")],
    [
      "class",
      new RegExp(
        `^\\s*create\\s+${SQL_MODIFIERS}(?:table|view|index|type|domain|schema|sequence|extension|role|database)\\s+(?:concurrently\\s+)?${SQL_NAME}`,
        "i",
      ),
    ],
  ],
  perl: [
    ["function", /^\s*sub\s+([\w:]+)/],
    ["class", /^\s*package\s+([\w:]+)/],
  ],
  lua: [
    ["function", /^\s*(?:local\s+)?function\s+([\w.:]+)/],
    ["function", /^\s*(?:local\s+)?([\w.]+)\s*=\s*function\b/],
  ],
  scala: [
    ["function", /^\s*(?:(?:override|private|protected|implicit|final|inline)(?:\[\w+\])?\s+)*def\s+([\w$]+|`[^`]+`)/],
    [
      "class",
      /^\s*(?:(?:sealed|abstract|final|case|private|protected|implicit)(?:\[\w+\])?\s+)*(?:class|trait|object|enum)\s+([\w$]+)/,
    ],
  ],
  elixir: [
    ["function", /^\s*def(?:p|macrop?|guardp?)?\s+([\w?!]+)/],
    ["class", /^\s*def(?:module|protocol|impl)\s+([\w.]+)/],
    ["test", /^\s*(?:test|describe)\s+"([^"]{1,80})".*\bdo\s*$/],
  ],
  r: [["function", /^\s*([\w.]+|`[^`]+`)\s*(?:<-|=)\s*function\b/]],
  make: [
    ["function", /^((?![\s#.])[\w./%$(){}@+-]+(?:\s+[\w./%$(){}@+-]+){0,12})\s*::?(?!=)(?:\s|$)/],
    ["function", /^define\s+([\w.-]+)/],
  ],
  cmake: [
    ["function", /^\s*(?:function|macro)\s*\(\s*([\w.-]+)/i],
    ["value", /^\s*(?:project|add_(?:executable|library|custom_target))\s*\(\s*([\w:.${}-]+)/i],
  ],
};
