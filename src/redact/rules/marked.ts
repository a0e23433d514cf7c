import { ALNUM, BASE64, DIGIT, DOT, HEX, runEnd, runStart, stands, standsInAnyCase, WORD } from "../byte-class.ts";
import type { Rule } from "../types.ts";
import { DIGITS, exactly, LETTERS } from "./anchor.ts";
import { isMixed } from "./entropy.ts";
import { beginsWord } from "./word-start.ts";

/** A token that is known by something in its middle: characters before it, the mark, and characters after it. */
interface MarkedFormat {
  readonly kind: string;
  readonly mark: string;
  readonly anchors: Rule["anchors"];
  readonly before: readonly [kinds: number, least: number, most: number];
  readonly after: readonly [kinds: number, least: number, most: number];
}

const FULL_STOP = 0x2e;
/** Where the mark itself has a digit in front. */
const DIGIT_FIRST = 1;

const FORMATS: readonly MarkedFormat[] = [
  {
    kind: "azure-devops-token",
    mark: "AZDO",
    anchors: [exactly("AZDO")],
    before: [ALNUM, 76, 76],
    after: [ALNUM, 4, 4],
  },
  {
    kind: "azure-cosmos-key",
    mark: "ACDb",
    anchors: [exactly("ACDb")],
    before: [BASE64, 76, 76],
    after: [BASE64, 8, 8],
  },
  {
    kind: "azure-client-secret",
    mark: "Q~",
    anchors: [{ gram: [DIGITS, "Q", "~", `${LETTERS}${DIGITS}._~-`], offset: -DIGIT_FIRST }],
    before: [WORD | DOT, 4, 4],
    after: [WORD | DOT, 31, 34],
  },
  {
    kind: "terraform-token",
    mark: ".atlasv1.",
    anchors: [exactly("sv1.", 5)],
    before: [ALNUM, 14, 14],
    after: [WORD, 60, 70],
  },
  {
    kind: "telegram-token",
    mark: ":AA",
    anchors: [{ gram: [DIGITS, ":", "A", "A"], offset: -DIGIT_FIRST }],
    before: [DIGIT, 8, 10],
    after: [WORD, 33, 33],
  },
  {
    kind: "mailchimp-key",
    mark: "-us",
    anchors: [{ gram: ["-", "u", "s", DIGITS], offset: 0 }],
    before: [HEX, 32, 32],
    after: [DIGIT, 1, 2],
  },
];

/** The rules for tokens with a mark in their middle, and for addresses that are secret themselves. */
export function markedRules(): readonly Rule[] {
  const encoded = WEBHOOKS.map((hook) => ({ ...hook, address: hook.address.replaceAll("/", "%2F") }));
  return [...FORMATS.map(createMarkedRule), ...[...WEBHOOKS, ...encoded].map(createWebhookRule)];
}

function createMarkedRule({ kind, mark, anchors, before, after }: MarkedFormat): Rule {
  return {
    anchors,
    match(view, at) {
      const { bytes, floor } = view;
      if (!stands(bytes, at, mark)) return undefined;
      // What stands before that may be a colour code, so that only the boundary counts.
      const start = runStart(bytes, at, Math.max(floor, at - before[2]), before[0]);
      const from = at + mark.length;
      const run = runEnd(bytes, from, Math.min(view.end, from + after[2] + 2), after[0]);
      const end = bytes[run - 1] === FULL_STOP ? run - 1 : run;
      if (at - start < before[1] || end - from < after[1] || end - from > after[2]) return undefined;
      const isBot = start - 3 >= floor && stands(bytes, start - 3, "bot");
      return (isBot || beginsWord(view, start)) && isMixed(bytes, start, end) ? { kind, start, end } : undefined;
    },
  };
}

/** Whoever knows such an address may post to it. */
const WEBHOOKS: readonly Webhook[] = [
  { kind: "slack-webhook", address: "hooks.slack.com/services/", anchor: "s.sl", least: 30 },
  { kind: "slack-webhook", address: "hooks.slack.com/workflows/", anchor: "s.sl", least: 30 },
  { kind: "slack-webhook", address: "hooks.slack.com/triggers/", anchor: "s.sl", least: 30 },
  { kind: "discord-webhook", address: "discord.com/api/webhooks/", anchor: "webh", least: 60 },
  { kind: "discord-webhook", address: "discordapp.com/api/webhooks/", anchor: "webh", least: 60 },
  { kind: "teams-webhook", address: "office.com/webhookb2/", anchor: "webh", least: 80 },
];

/** Slashes may be spelled `%2F`. */
function addressEnd(bytes: Uint8Array, start: number, lineEnd: number): number {
  let end = start;
  for (let from = start; ; from = end + 3) {
    end = runEnd(bytes, from, lineEnd, WORD | DOT | BASE64);
    if (!standsInAnyCase(bytes, end, "%2f")) return end;
  }
}

interface Webhook {
  readonly kind: string;
  readonly address: string;
  readonly anchor: string;
  readonly least: number;
}

function createWebhookRule({ kind, address, anchor, least }: Webhook): Rule {
  return {
    anchors: [exactly(anchor, address.indexOf(anchor))],
    match({ bytes, end: lineEnd }, at) {
      const start = at + address.length;
      if (!stands(bytes, at, address)) return undefined;
      const end = addressEnd(bytes, start, lineEnd);
      return end - start >= least ? { kind, start, end } : undefined;
    },
  };
}
