import { ALNUM, BASE64, DIGIT, DOT, HEX, isOf, longRunEnd, UPPER, WORD } from "../byte-class.ts";
import { GRAM_BYTES, type GramPattern, rarestGram } from "../gram-set.ts";
import type { Anchor, Rule } from "../types.ts";
import { DIGITS, LETTERS } from "./anchor.ts";
import { isMixed, isVaried } from "./entropy.ts";
import { beginsWord } from "./word-start.ts";

/** What a token's body is made of. */
const BODIES: Readonly<Record<string, number>> = {
  alnum: ALNUM,
  word: WORD,
  dotted: WORD | DOT,
  hex: HEX,
  upper: UPPER | DIGIT,
  base64: BASE64,
  url64: WORD | DOT | BASE64,
};

/**
 * Tokens that their issuers made to be known: a kind, what it may begin with, and the characters that follow with how
 * many of them at least, or exactly (`=16`). The lengths are a little below the documented ones, since issuers lengthen
 * and shorten them and nothing else begins like this.
 */
const FORMATS = `
aws-access-key AKIA|ASIA|ABIA|ACCA upper =16
aws-bedrock-key ABSK base64 100
gcp-api-key AIza word =35
gcp-oauth-secret GOCSPX- word 24
gcp-oauth-token ya29. dotted 20
gcp-refresh-token 1//0 word 30
github-token ghp_|gho_|ghu_|ghs_|ghr_ alnum 30
github-token github_pat_ word 40
gitlab-token glpat-|gldt-|glft-|glrt-|glcbt-|glptt-|glimt-|glsoat-|gloas-|glagent-|glffct-|glwt- dotted 20
gitlab-token GR1348941 word =20
slack-token xoxb-|xoxp-|xoxa-|xoxr-|xoxs-|xoxo-|xoxe-|xoxc-|xoxe.xoxb-|xoxe.xoxp-|xapp- word 20
slack-token xoxd- url64 20
stripe-key sk_live_|sk_test_|rk_live_|rk_test_|sk_prod_|rk_prod_ alnum 16
stripe-webhook-secret whsec_ base64 24
npm-token npm_ alnum 36
openai-key sk-proj-|sk-svcacct-|sk-admin-|sk-None- word 32
anthropic-key sk-ant- word 24
openrouter-key sk-or-v1- hex 40
langfuse-key sk-lf- word 30
openai-key sk- alnum 32
elevenlabs-key sk_ hex =48
huggingface-token hf_|api_org_ alnum 30
groq-key gsk_ alnum 40
xai-key xai- alnum 60
perplexity-key pplx- alnum 40
replicate-token r8_ alnum 36
pinecone-key pcsk_ word 40
tavily-key tvly- word 24
nvidia-key nvapi- word 50
cerebras-key csk- alnum 40
fireworks-key fw_ alnum =24
langsmith-key lsv2_pt_|lsv2_sk_ word 40
firecrawl-key fc- hex =32
e2b-key e2b_ hex =40
databricks-token dapi hex 32
twilio-key SK hex =32
sendgrid-key SG. dotted 60
mailgun-key key- hex =32
brevo-key xkeysib-|xsmtpsib- word 64
resend-key re_ word =33
postmark-token POSTMARK_ word 20
square-token sq0atp-|sq0csp- word 22
square-token EAAA word =60
shopify-token shpat_|shpca_|shppa_|shpss_ hex 32
razorpay-key rzp_live_|rzp_test_ alnum =14
flutterwave-key FLWSECK-|FLWSECK_TEST- alnum 12
easypost-key EZAK|EZTK alnum =54
shippo-token shippo_live_|shippo_test_ hex 40
plaid-token access-sandbox-|access-development-|access-production- word 36
facebook-token EAAC|EAAM|EAAG|EAAB alnum 90
digitalocean-token dop_v1_|doo_v1_|dor_v1_ hex 64
heroku-key HRKU-AA word 50
flyio-token fo1_ word 40
flyio-token fm1a_|fm1r_|fm2_ base64 40
netlify-token nfp_ alnum 36
render-key rnd_ alnum 28
supabase-key sbp_ hex 40
supabase-key sb_secret_ word 24
planetscale-token pscale_tkn_|pscale_pw_|pscale_oauth_ dotted 32
neon-key napi_ alnum 50
deno-token ddp_ alnum =36
alibaba-key LTAI alnum 16
tencent-key AKID alnum =32
yandex-key AQVN word 35
atlassian-token ATATT3|ATCTT3 url64 100
bitbucket-password ATBB alnum 28
linear-key lin_api_|lin_oauth_ alnum 40
notion-token ntn_ alnum 40
notion-token secret_ alnum =43
figma-token figd_|figu_ word 36
postman-key PMAK- word 55
dropbox-token sl.u.|sl.B word 100
newrelic-key NRAK-|NRII-|NRJS- word 19
grafana-token glc_ base64 32
grafana-token glsa_ word 40
sentry-token sntrys_ url64 40
sentry-token sntryu_ hex 64
doppler-token dp.pt.|dp.st.|dp.ct.|dp.sa.|dp.scim.|dp.audit. dotted 40
vault-token hvs.|hvb.|hvr. word 24
pulumi-token pul- hex 40
1password-token ops_eyJ base64 100
age-secret-key AGE-SECRET-KEY-1 upper 50
docker-config eyJhdXRocyI6|ewoJImF1dGhzIjog base64 40
docker-token dckr_pat_|dckr_oat_ word 24
pypi-token pypi-AgE word 50
rubygems-key rubygems_ hex 48
nuget-key oy2 alnum =43
clojars-token CLOJARS_ alnum 50
artifactory-key AKCp alnum 60
artifactory-token cmVmdGtuO alnum 50
sonar-token squ_|sqp_|sqa_ hex 40
circleci-token CCIPAT_|CCIPRJ_ word 40
buildkite-token bkua_|bkct_ alnum 40
prefect-key pnu_|pnb_ alnum 36
octopus-key API- upper =26
contentful-token CFPAT- word 40
typeform-token tfp_ dotted 40
hubspot-token pat-na1-|pat-eu1- word 36
dynatrace-token dt0c01.|dt0s01. dotted 60
sourcegraph-token sgp_ word 40
tailscale-key tskey-auth-|tskey-api-|tskey-client- word 20
posthog-key phx_|phs_ alnum 40
readme-key rdme_ alnum 60
frameio-token fio-u- word 60
duffel-token duffel_live_|duffel_test_ word 40
defined-token dnkey- word 70
infracost-key ico- alnum =32
linode-token lin_pat_ alnum 40
`;

/** The rules for tokens with a beginning of their own. */
export function tokenRules(): readonly Rule[] {
  return FORMATS.trim()
    .split("\n")
    .flatMap((line) => {
      const [kind, prefixes, body, length] = line.split(" ") as [string, string, string, string];
      const exact = length.startsWith("=");
      const least = Number(exact ? length.slice(1) : length);
      return prefixes
        .split("|")
        .map((prefix) => createTokenRule({ kind, prefix, body, least, most: exact ? least : Infinity }));
    });
}

interface TokenFormat {
  readonly kind: string;
  readonly prefix: string;
  readonly body: string;
  readonly least: number;
  readonly most: number;
}

/** A shorter beginning also ends longer words, so that nothing of a word may stand before it. */
const DISTINCT_PREFIX = 5;
/** A body with fewer different characters is a stand-in, such as `xxxx`. */
const LEAST_VARIETY = 6;
/** So many bytes of a body tell whether it is one. */
const JUDGED_BYTES = 128;

function createTokenRule({ kind, prefix, body, least, most }: TokenFormat): Rule {
  const kinds = BODIES[body]!;
  const distinct = prefix.length >= DISTINCT_PREFIX || /^[a-z]{3}_$/.test(prefix);
  // Of 16 characters that may be digits, one in thirty texts has none.
  const mayBeLetters = distinct || (body === "upper" && most === least);
  return {
    begins: prefix,
    anchors: [anchorOf(prefix, body === "hex" ? HEX_DIGITS : WORD_CHARACTERS)],
    match(view, at) {
      const { bytes } = view;
      const from = at + prefix.length;
      if (!beginsWord(view, at, distinct ? ALNUM : WORD)) return undefined;
      const run = longRunEnd(bytes, from, view.end, kinds, (to) => !isOf(bytes[to], kinds));
      const end = withoutFullStop(bytes, run);
      const judged = Math.min(end, from + JUDGED_BYTES);
      if (end - from < least || end - from > most || !isVaried(bytes, from, judged, LEAST_VARIETY)) return undefined;
      return mayBeLetters || isMixed(bytes, from, judged) ? { kind, start: at, end } : undefined;
    },
  };
}

function withoutFullStop(bytes: Uint8Array, end: number): number {
  return bytes[end - 1] === FULL_STOP ? end - 1 : end;
}

const FULL_STOP = 0x2e;
const HEX_DIGITS = `${DIGITS}abcdefABCDEF`;
const WORD_CHARACTERS = `${LETTERS}${DIGITS}_-`;

/** The rarest four characters that a separator ends, since few others have that form; a shorter beginning is filled up. */
function anchorOf(prefix: string, following: string): Anchor {
  const ends = [...prefix.matchAll(/[-_.]/g)].map(({ index }) => Math.max(0, index - (GRAM_BYTES - 1)));
  const offset = rarestGram(prefix, ends);
  const gram = [...prefix.slice(offset, offset + GRAM_BYTES)];
  while (gram.length < GRAM_BYTES) gram.push(following);
  return { gram: gram as unknown as GramPattern, offset };
}
