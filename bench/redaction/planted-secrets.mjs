import { randomNumbers } from "../log-text.mjs";

// Secrets of every kind that redaction promises, made at random in the forms that their issuers document. None is real.

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
const SETS = {
  A: LOWER + UPPER + DIGITS,
  a: LOWER + DIGITS,
  L: LOWER + UPPER,
  U: UPPER + DIGITS,
  d: DIGITS,
  h: `${DIGITS}abcdef`,
  w: `${LOWER + UPPER + DIGITS}_-`,
  b: `${LOWER + UPPER + DIGITS}+/`,
  p: `${LOWER + UPPER + DIGITS}!@#%^*_-+=?`,
};

/** `{A36}` stands for 36 characters of the set A. A kind's forms are known wherever they stand. */
const TOKENS = {
  "aws access key": ["AKIA{U16}", "ASIA{U16}"],
  "gcp api key": ["AIza{w35}"],
  "gcp oauth secret": ["GOCSPX-{w28}"],
  "gcp oauth token": ["ya29.a0{w60}"],
  "azure client secret": ["{A3}8Q~{w34}"],
  "azure devops": ["{A76}AZDO{A4}"],
  github: ["ghp_{A36}", "gho_{A36}", "ghu_{A36}", "ghs_{A36}", "ghr_{A36}", "github_pat_{A22}_{A59}"],
  gitlab: ["glpat-{w20}", "gldt-{w20}", "glrt-{w20}", "glcbt-64_{w20}", "glptt-{h40}"],
  slack: ["xoxb-{d12}-{d12}-{A24}", "xoxp-{d12}-{d12}-{d12}-{h32}", "xapp-1-A{U10}-{d13}-{h64}"],
  "slack webhook": ["https://hooks.slack.com/services/T{U8}/B{U8}/{A24}"],
  "discord webhook": ["https://discord.com/api/webhooks/{d18}/{w68}"],
  stripe: ["sk_live_{A24}", "sk_test_{A24}", "rk_live_{A24}", "sk_live_{A99}", "whsec_{A32}"],
  npm: ["npm_{A36}"],
  openai: ["sk-{A20}T3BlbkFJ{A20}", "sk-proj-{w74}T3BlbkFJ{w74}", "sk-svcacct-{w58}T3BlbkFJ{w58}"],
  anthropic: ["sk-ant-api03-{w93}AA", "sk-ant-admin01-{w93}AA"],
  "hugging face": ["hf_{L34}"],
  groq: ["gsk_{A52}"],
  xai: ["xai-{A80}"],
  perplexity: ["pplx-{A48}"],
  openrouter: ["sk-or-v1-{h64}"],
  replicate: ["r8_{A37}"],
  nvidia: ["nvapi-{w64}"],
  twilio: ["SK{h32}"],
  sendgrid: ["SG.{w22}.{w43}"],
  mailgun: ["key-{h32}"],
  mailchimp: ["{h32}-us14"],
  brevo: ["xkeysib-{h64}-{A16}"],
  square: ["sq0atp-{w22}", "sq0csp-{w43}"],
  shopify: ["shpat_{h32}", "shpss_{h32}"],
  digitalocean: ["dop_v1_{h64}"],
  heroku: ["HRKU-AA{w58}"],
  fly: ["fo1_{w43}", "fm2_{b120}"],
  netlify: ["nfp_{A36}"],
  supabase: ["sbp_{h40}"],
  planetscale: ["pscale_tkn_{w43}", "pscale_pw_{w43}"],
  alibaba: ["LTAI{A20}"],
  tencent: ["AKID{A32}"],
  atlassian: ["ATATT3{w186}", "ATBB{A32}"],
  linear: ["lin_api_{A40}"],
  notion: ["ntn_{d11}{A35}", "secret_{A43}"],
  figma: ["figd_{w40}"],
  postman: ["PMAK-{h24}-{h34}"],
  "new relic": ["NRAK-{U27}"],
  grafana: ["glc_{b80}", "glsa_{A32}_{h8}"],
  sentry: ["sntryu_{h64}"],
  doppler: ["dp.pt.{A43}"],
  vault: ["hvs.{w95}", "hvb.{w140}"],
  terraform: ["{A14}.atlasv1.{w64}"],
  pulumi: ["pul-{h40}"],
  databricks: ["dapi{h32}"],
  docker: ["dckr_pat_{w27}"],
  pypi: ["pypi-AgEIcHlwaS5vcmc{w70}"],
  rubygems: ["rubygems_{h48}"],
  artifactory: ["AKCp{A69}"],
  sonar: ["squ_{h40}", "sqp_{h40}"],
  circleci: ["CCIPAT_{A22}_{h40}"],
  contentful: ["CFPAT-{w43}"],
  hubspot: ["pat-na1-{h8}-{h4}-{h4}-{h4}-{h12}"],
  dynatrace: ["dt0c01.{U24}.{U64}"],
  tailscale: ["tskey-auth-{A17}-{A32}"],
  telegram: ["{d10}:AA{w33}"],
  age: ["AGE-SECRET-KEY-1{U58}"],
};

/** What needs a name, a header or an address around it to be known. `#` is the secret. */
const NAMED = {
  "aws secret key": [["aws_secret_access_key = #", '"SecretAccessKey": "#"', "AWS_SECRET_ACCESS_KEY=#"], ["{b40}"]],
  "azure storage key": [
    ["DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=#;EndpointSuffix=core.windows.net"],
    ["{b86}=="],
  ],
  "azure sas": [["https://acme.blob.core.windows.net/c/f?sv=2024-11-04&se=2026-01-01&sr=b&sp=r&sig=#"], ["{A41}%3D"]],
  "connection string": [
    [
      "postgres://app:#@db.internal:5432/main",
      "mongodb+srv://svc:#@cluster0.mongodb.net/db",
      "redis://default:#@cache:6379",
      "mysql://root:#@127.0.0.1/app",
      "amqps://u:#@mq/vhost",
      "https://ci:#@git.acme.dev/x.git",
    ],
    ["{A12}", "{A24}", "{a8}"],
  ],
  authorization: [
    [
      "Authorization: Bearer #",
      "> authorization: Bearer #",
      '"Authorization": "Bearer #"',
      "-H 'Authorization: token #'",
      "Proxy-Authorization: Basic #",
    ],
    ["{A40}", "{b48}==", "{w64}"],
  ],
  cookie: [
    ["Cookie: session=#; theme=dark", "< Set-Cookie: sid=#; Path=/; HttpOnly", '"cookie": "connect.sid=#"'],
    ["{A32}", "{h40}"],
  ],
  password: [
    [
      "password=#",
      "password: #",
      'DB_PASSWORD="#"',
      '"password": "#"',
      "--password #",
      "PGPASSWORD=# psql",
      "Password=#;",
      "<password>#</password>",
      "mysql_pwd='#'",
    ],
    ["{A12}", "{p14}", "{A20}"],
  ],
  "password below its name": [
    [
      "database:\n  password: |\n    #\n  user: app",
      "password: >-\n  #",
      "db_password:\n  '#'",
      "+  admin-password: |-\n+    #",
      "   12\tpassword: |\n   13\t  #",
      '"body": "password: |\\n  #\\nuser: app"',
    ],
    ["{A12}", "{A20}"],
  ],
  "value of a named pair": [
    [
      "        - name: DB_PASSWORD\n          value: #",
      '  - name: DB_PASSWORD\r\n    value: "#"',
      '{"name":"API_KEY","value":"#"}',
      '  {\n    "name": "API_KEY",\n    "value": "#"\n  }',
      '"ParameterKey": "DbPassword",\n"ParameterValue": "#"',
      "+      - name: AUTH_TOKEN\n+        value: '#'",
      "deploy.yaml:12:- name: AUTH_TOKEN\ndeploy.yaml-13-  value: #",
      "<name>fs.s3a.secret.key</name>\n<value>#</value>",
      'name = "CLIENT_SECRET"\nvalue = "#"',
    ],
    ["{A20}", "{A32}", "{h40}"],
  ],
  netrc: [
    [
      "machine git.acme.dev login ci password #",
      "machine git.acme.dev\n  login ci\n  password #",
      "default login ci password #",
    ],
    ["{a8}", "{p14}", "{A24}"],
  ],
  "password of a command": [
    [
      "curl -u ci:# https://git.acme.dev/api",
      '+ curl -fsSu "ci:#" https://git.acme.dev',
      "$ curl -s --user ci:# https://git.acme.dev",
      "curl --proxy-user=ci:# https://git.acme.dev",
      "curl https://git.acme.dev \\\n  -u ci:# \\\n  -o out",
      "wget --user=ci --password=# https://git.acme.dev",
      "wget --http-password=# https://git.acme.dev",
      "mysql -uroot -p# app < dump.sql",
      "docker exec db mysqldump -u root -p# app",
      "sshpass -p # ssh ci@host",
      "sshpass -p'#' scp a ci@host:",
      "docker login -u ci -p # registry.acme.dev",
      "docker login registry.acme.dev --username ci --password #",
    ],
    ["{a8}", "{A20}", "{A12}"],
  ],
  token: [
    [
      "token: #",
      "GITEA_TOKEN=#",
      '"access_token":"#"',
      "?access_token=#&x=1",
      "//registry.acme.dev/:_authToken=#",
      "--token=#",
      "refresh_token = '#'",
    ],
    ["{A32}", "{h40}", "{w43}", "{h8}-{h4}-{h4}-{h4}-{h12}"],
  ],
  secret: [
    ["client_secret=#", '"clientSecret": "#"', "SECRET_KEY: #", "webhook-secret: '#'"],
    ["{A32}", "{h64}"],
  ],
  "api key": [
    ["api_key=#", '"apiKey": "#"', "X-API-Key: #", "DATADOG_API_KEY=#", "api-key: '#'"],
    ["{A32}", "{h32}", "{a40}"],
  ],
};

/** How a token stands in a line. */
const PLACES = [
  "using #",
  "export KEY=#",
  'config: {"value":"#"}',
  '{"log":"got \\"#\\" from env\\n"}',
  "https://example.com/?k=#&page=2",
  "(#)",
  "remote rejected #.",
  "\u001b[32m#\u001b[0m",
  "+  value: '#'",
  "https://x-access-token:#@github.com/acme/app.git",
  "a,#,b",
  "#",
];

/** One secret of each form in each place: `{ kind, secret, text }`, the same for the same seed. */
export function* plantedSecrets(seed = 1) {
  const random = randomNumbers(seed);
  const fill = (form) =>
    form.replace(/\{(\w)(\d+)\}/g, (_, set, count) =>
      Array.from({ length: Number(count) }, () => SETS[set][random(SETS[set].length)]).join(""),
    );
  for (const [kind, forms] of Object.entries(TOKENS)) {
    for (const form of forms) {
      for (const place of PLACES) {
        const secret = fill(form);
        // Of an address only what follows the issuer's part is the secret.
        yield {
          kind,
          secret: secret.replace(/^https:.*?(services|webhooks)\//, ""),
          text: place.replace("#", () => secret),
        };
      }
    }
  }
  for (const [kind, [places, forms]] of Object.entries(NAMED)) {
    for (const place of places) {
      for (const form of forms) {
        const secret = fill(form);
        yield { kind, secret, text: place.replace("#", () => secret) };
      }
    }
  }
  for (const place of PLACES) {
    const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const secret = `${part({ alg: "HS256", typ: "JWT" })}.${part({ sub: fill("{d10}"), name: fill("{L8}") })}.${fill("{w43}")}`;
    yield { kind: "jwt", secret, text: place.replace("#", () => secret) };
  }
  const base64 = (text) => Buffer.from(text).toString("base64");
  for (const place of [
    "Authorization: Basic #",
    "auth scheme Basic #",
    '"auth": "#"',
    "  password: #",
    '"token": "#"',
  ]) {
    const secret = base64(`ci:${fill("{a8}")}`);
    yield { kind: "in base64", secret, text: place.replace("#", () => secret) };
  }
  for (const form of ENCODED) {
    for (const before of ["", "k=", "key: ", `{"name":"${fill("{L8}")}","value":"`]) {
      for (const place of ["  config: #", '{"data":{"env":"#"}}', "#"]) {
        const secret = fill(form);
        const whole = base64(`${before}${secret}\n${fill("{L20}")}\n`);
        const [start, end] = [before.length, before.length + secret.length].map((at) => Math.ceil((at * 4) / 3));
        yield { kind: "in base64", secret: whole.slice(start, end - 1), text: place.replace("#", () => whole) };
      }
    }
  }
  for (const [type, lines, join] of KEY_BLOCKS) {
    const body = Array.from({ length: lines }, () => fill("{b64}"));
    const [first, last] = [`-----BEGIN ${type}-----`, `-----END ${type}-----`];
    const text = [first, ...body, last].join(join);
    yield { kind: "private key", secret: body.join(join), text };
    const encoded = base64(text);
    yield { kind: "in base64", secret: encoded.slice(100, 400), text: `  tls.key: ${encoded}` };
    const inLines = encoded.replaceAll(/.{76}/g, "$&\n");
    yield { kind: "in base64", secret: inLines.slice(100, 300), text: inLines };
  }
}

/** Forms that are known in base64 too. */
const ENCODED = ["AKIA{U16}", "ghp_{A36}", "github_pat_{A22}_{A59}", "glpat-{w20}", "xoxb-{d12}-{d12}-{A24}"];

const KEY_BLOCKS = [
  ["RSA PRIVATE KEY", 25, "\n"],
  ["PRIVATE KEY", 26, "\n"],
  ["EC PRIVATE KEY", 3, "\n"],
  ["OPENSSH PRIVATE KEY", 38, "\n"],
  ["ENCRYPTED PRIVATE KEY", 29, "\r\n"],
  ["PRIVATE KEY", 26, "\\n"],
  ["PGP PRIVATE KEY BLOCK", 60, "\n"],
  ["RSA PRIVATE KEY", 25, "\n2026-01-01T10:00:00.000Z "],
];
