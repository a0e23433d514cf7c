import type { Rule, View } from "../types.ts";
import { DIGITS, exactly, LETTERS } from "./anchor.ts";
import { looksLikePassword } from "./secret-value.ts";
import { isStandIn } from "./stand-in.ts";
import { readValue, skipBlanks } from "./value.ts";

const NEWLINE = 10;
const COLON = 0x3a;
const MOST_OPTIONS = 6;
/** Longest option that is looked at, with what stands before its value. */
const LONGEST_OPTION = 32;

const decoder = new TextDecoder("latin1");

/** The password in `curl -u USER:PASSWORD`, `--user USER:PASSWORD`, `--proxy-user …`. */
const userOption: Rule = {
  anchors: [
    { gram: [" ", "-", "uU", ` "'${LETTERS}`], offset: 0 },
    { gram: ["-s", "sSkLf", "u", " "], offset: 0 },
    exactly("-use"),
  ],
  match(view, at) {
    const option = optionAt(view, at, /^(?: -[uU]|[-s][sSkLf]u(?= )|-user(?=[ =]))=?/);
    if (option === undefined) return undefined;
    const { bytes } = view;
    const value = readValue(view, skipBlanks(view, option));
    const colon = bytes.subarray(value.start, value.end).indexOf(COLON);
    const start = value.start + colon + 1;
    if (colon < 1 || start === value.end || bytes[start] === 0x2f) return undefined;
    const before = lineBefore(view, at);
    const isSecret = HTTP_CLIENTS.test(before)
      ? !isStandIn(bytes, start, value.end)
      : OPTIONS_ONLY.test(before) && looksLikePassword(bytes, { ...value, start });
    return isSecret ? { kind: "password", start, end: value.end } : undefined;
  },
};

/** The password in `sshpass -p PASSWORD`, `docker login -p PASSWORD`, `mysql -pPASSWORD`, `wget --password=PASSWORD`. */
const passwordOption: Rule = {
  anchors: [{ gram: [" ", "-", "p", ` "'=!@#%^&*_+${LETTERS}${DIGITS}`], offset: 0 }, exactly("-pas")],
  match(view, at) {
    const forms = FORMS.filter(({ option }) => optionAt(view, at, option) !== undefined);
    if (forms.length === 0) return undefined;
    const before = lineBefore(view, at);
    if (before.split(" -p").length > MOST_OPTIONS) return undefined;
    const form = forms.find(({ programs }) => programs.test(before));
    const from = form && optionAt(view, at, form.option);
    if (from === undefined) return undefined;
    const { start, end } = readValue(view, skipBlanks(view, from));
    if (start === end || view.bytes[start] === 0x2d || isStandIn(view.bytes, start, end)) return undefined;
    return { kind: "password", start, end };
  },
};

export const commandLineRules: readonly Rule[] = [userOption, passwordOption];

const command = (names: string) => new RegExp(`(?:^|[\\s;&|("'\`/])(?:${names})(?:\\.exe)?(?:\\s[^|;]*)?$`);
const HTTP_CLIENTS = command("curl|wget|httpie|https?|xh");
const LOGINS = "sshpass|mongo\\w*|(?:docker|podman|nerdctl|buildah|skopeo|oras|crane|helm|az|oc)(?:\\s[^|;]*)?\\slogin";
const DATABASES = "mysql\\w*|mariadb[\\w-]*";
const FORMS = [
  { option: /^ -p[ =]/, programs: command(LOGINS) },
  { option: /^ -p(?=[^ =])/, programs: command(`sshpass|7z[ar]?|${DATABASES}`) },
  { option: /^-pass(?:word|wd)?[ =]/, programs: command(`curl|wget|${LOGINS}|${DATABASES}`) },
];
/** A line that goes on with the options of a command. */
const OPTIONS_ONLY = /^[+\s]*(?:-.*)?$/;

/** Where the option's value begins. */
function optionAt({ bytes, end }: View, at: number, option: RegExp): number | undefined {
  const found = option.exec(decoder.decode(bytes.subarray(at, Math.min(end, at + LONGEST_OPTION))));
  return found === null ? undefined : at + found[0].length;
}

/** What stands before on the same line, as far as that may be looked at. */
function lineBefore({ bytes, floor }: View, at: number): string {
  const before = bytes.subarray(floor, at);
  return decoder.decode(before.subarray(before.lastIndexOf(NEWLINE) + 1));
}
