import { CleanText } from "./clean-text.ts";

const SECRET_NAME =
  /(?:^|[_-])(?:tokens?|secrets?|passwords?|passwd|passphrase|pass|pwd|credentials?|creds|apikey|auth|authorization|cookie|jwt|pat|dsn)(?:$|[_-])|(?:^|[_-])(?:api|access|private|secret|signing|encryption|master|account|service|admin|deploy|license)[_-]?key|(?:token|secret|password|passwd|apikey)s?$|[_-]key$/i;
/** Names that hold places and settings of such things, not the things. */
const HARMLESS_NAME =
  /^(?:OLDPWD|PWD|SSH_AUTH_SOCK|XAUTHORITY|GPG_.*|.*_(?:FILE|PATH|DIR|SOCK|SOCKET|URL|URI|HOST|PORT|NAME|ID|TYPE|MODE|METHOD|TTL|EXPIRY|ENDPOINT|HEADER|USER|USERNAME))$/i;
const LEAST_LENGTH = 8;
/** A line of a value of several lines counts from this length on. */
const LEAST_LINE = 16;

/** True for a variable whose value is a secret, by its name. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !HARMLESS_NAME.test(name);
}

/** The values in an environment that look secret, in every spelling, with their kinds; one of several lines line by line. */
export function environmentSecrets(
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string> {
  const secrets = new Map<string, string>();
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || !isSecretName(name)) continue;
    const kind = `env-${name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")}`;
    const lines = value.split(/\r?\n/).map((line) => line.trim());
    for (const line of lines) {
      if (line.length < (lines.length > 1 ? LEAST_LINE : LEAST_LENGTH) || isPlain(line)) continue;
      for (const spelling of spellingsOf(line)) {
        secrets.set(spelling, kind);
        secrets.set(new CleanText(spelling).text, kind);
      }
    }
  }
  return secrets;
}

/** A word, a number, a path or a version: nothing that would be worth hiding, and likely to occur by itself. */
function isPlain(value: string): boolean {
  return (
    /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|\d+|[a-z]+(?:[-_.][a-z]+)*)$/.test(value) ||
    /^(?:[.~]?\/|[A-Za-z]:\\)/.test(value) ||
    /^-----(?:BEGIN|END) /.test(value) ||
    /^\d+(?:\.\d+)+$/.test(value)
  );
}

const encoder = new TextEncoder();

/** A text as outputs may spell it: as it is, in JSON, in JSON within JSON, in a URL, in XML, in base64. */
function spellingsOf(text: string): ReadonlySet<string> {
  const inJson = withinQuotes(text);
  return new Set([text, inJson, withinQuotes(inJson), inUrl(text), inXml(text), inBase64(text)]);
}

function withinQuotes(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** A lone surrogate has no place in a URL. */
function inUrl(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function inXml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!);
}

function inBase64(text: string): string {
  return btoa(String.fromCharCode(...encoder.encode(text)));
}
