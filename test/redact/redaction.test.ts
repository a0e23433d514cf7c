import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { logText } from "../../bench/log-text.mjs";
import { ordinaryLog } from "../../bench/redaction/ordinary-log.mjs";
import { plantedSecrets } from "../../bench/redaction/planted-secrets.mjs";
import { Redaction } from "../../src/redact/redaction.ts";
import { highestNumber, SecretNumbers } from "../../src/redact/secret-numbers.ts";
import { PROJECT } from "../support/build.ts";

const redaction = new Redaction();
const redact = (text: string) => redaction.text(text).text;
/** Made here, so that no file of the project holds what looks like one. */
const github = (fill: string) => `ghp_${`${fill}0aB1cD2eF3`.repeat(4).slice(0, 36)}`;

describe("planted secrets", () => {
  const all = [1, 2, 3].flatMap((seed) => [...plantedSecrets(seed)]);

  it("are found, at least 99 of 100, of every kind nearly all", () => {
    const missed = all.filter(({ secret, text }) => redact(`before\n${text}\nafter\n`).includes(secret));
    expect(missed.length / all.length).toBeLessThan(0.01);
    for (const kind of new Set(all.map((one) => one.kind))) {
      const [of, lost] = [all, missed].map((list) => list.filter((one) => one.kind === kind).length);
      expect(lost, kind).toBeLessThanOrEqual((of ?? 0) * 0.05);
    }
  });

  it("take nothing of what stands around with them", () => {
    for (const { text } of all.slice(0, 500)) {
      const out = redact(`before\n${text}\nafter\n`);
      expect(out.startsWith("before\n") && out.endsWith("\nafter\n"), text).toBe(true);
    }
  });
});

describe("values of names that announce a secret", () => {
  const ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  const draw = (random: () => number, length: number) =>
    Array.from({ length }, () => ALPHABET[Math.floor(random() * ALPHABET.length)]).join("");

  it.each(["password", "api_token", "client_secret", "api_key"])("of %s are found when they are drawn", (name) => {
    const random = mulberry(7);
    const drawn = Array.from({ length: 1000 }, (_, at) => draw(random, 16 + (at % 25)));
    const missed = drawn.filter((value) => redact(`${name}=${value}\n`).includes(value));
    expect(missed.length).toBeLessThan(10);
  });

  it("are left when they are words or names", () => {
    for (const line of [
      "password: changeMeLater",
      "secret = XMLHttpRequestWrapper",
      "token=HTTPSConnectionPoolManager",
      "api_key: SomeServiceConfigurationName",
      "token: getUserByIdVersion",
      "client_secret: kubernetes-secret-reference",
      "password=passwordFromKeychain",
      "token: symbolOfThePunctuator",
    ])
      expect(redact(line)).toBe(line);
  });
});

/** Numbers that are the same in every run. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe("secrets in other spellings", () => {
  const password = ["Q7rt", "Lm2x", "Zk9"].join("");
  const hook = `T0${"AB1cD2eF3".repeat(4)}`;

  it.each([
    ["in a string of JSON after an escape", `{"link":"a=1\\u0026${github("x")}\\u003c"}`, github("x")],
    ["in a query within a URL", `next=%2Flogin%3Fpassword%3D${password}%26page%3D2`, password],
    ["in JSON within a URL", `body=%7B%22password%22%3A%22${password}%22%7D`, password],
    ["a connection string within a URL", `dsn=postgres%3A%2F%2Fbob%3A${password}%40db.example%2Fshop`, password],
    ["a webhook within a URL", `u=https%3A%2F%2Fhooks.slack.com%2Fservices%2F${hook.replace("AB", "AB%2F")}`, "cD2eF3"],
    ["after a name in colour", `\u001b[36mpassword\u001b[0m=\u001b[33m${password}\u001b[0m`, password],
    ["as the value of a name", `{"name":"DB_PASSWORD","value":"${password}"}`, password],
    ["as the value of a name, escaped", `"{\\"name\\": \\"DB_PASSWORD\\", \\"value\\": \\"${password}\\"}"`, password],
    ["of letters alone", `key AKIA${"QWERTYUIOPASDFGH"} x`, "QWERTYUIOPASDFGH"],
  ])("are found %s", (_, text, secret) => {
    expect(redact(text)).toContain("[redacted:");
    expect(redact(text)).not.toContain(secret);
  });

  it("are left where the value is none", () => {
    for (const text of [
      "next=%2Flogin%3Fpassword%3Dchanged%26page%3D2",
      '{"name":"token","value":"The token of the session"}',
      "see https%3A%2F%2Fexample.com%3A8080%2Fa%40b",
      '{"label":"password","title":"Q7rtLm2xZk9"}',
    ])
      expect(redact(text)).toBe(text);
  });

  const password2 = ["hunt", "er2", "x9"].join("");
  const inBase64 = (text: string) => Buffer.from(text).toString("base64");

  it.each([
    ["in a block below its name", `password: |-\n  ${password2}\nuser: app`, password2],
    ["on the line below its name", `db:\n  password:\n    ${password2}\n`, password2],
    ["below its name in a string of JSON", `{"body":"password: |\\n  ${password2}\\n"}`, password2],
    [
      "in base64 over lines",
      `token: |\n  q7Zp0Lw2RtXk9Vb4Nm1Hs6Jd3Gf8Ya5Tc0Ue7Wi2Or4Pl9Qz\n  ${"Xy7+".repeat(4)}\n`,
      "Xy7+Xy7+",
    ],
    ["as the value of a name in YAML", `- name: DB_PASSWORD\n  value: ${password2}\n`, password2],
    ["as the value of a name in a diff", `+ - name: DB_PASSWORD\n+   value: ${password2}\n`, password2],
    ["as the value of a name after numbers", `  12\t- name: DB_PASSWORD\n  13\t  value: ${password2}\n`, password2],
    ["as the value of a name in a search", `a.yml:12:- name: DB_PASSWORD\na.yml-13-  value: ${password2}\n`, password2],
    ["as the value of a name over lines", `{\n  "name": "DB_PASSWORD",\n  "value": "${password2}"\n}`, password2],
    ["as the value of a name in XML", `<name>db.password</name>\n<value>${password2}</value>`, password2],
    ["in a .netrc", "machine git.example login ci password topsy", "topsy"],
    ["in a .netrc over lines", "machine git.example\n  login ci\n  password topsy\n", "topsy"],
    ["of curl", "curl -sS -u ci:topsy https://git.example", "topsy"],
    ["of curl, in letters together", "curl -fsSu 'ci:topsy' https://git.example", "topsy"],
    ["of curl, for a proxy", "curl --proxy-user ci:topsy https://git.example", "topsy"],
    ["of curl, over lines", `curl https://git.example \\\n  --user ci:${password2}`, password2],
    ["of wget", "wget --user=ci --password=topsy https://git.example", "topsy"],
    ["of mysql", "mysql -uroot -ptopsy shop", "topsy"],
    ["of psql", "PGPASSWORD=topsy psql shop", "topsy"],
    ["of sshpass", "sshpass -p topsy ssh host", "topsy"],
    ["of a login to a registry", "docker login -u ci -p topsy registry.example", "topsy"],
    ["of basic authentication", `Authorization: Basic ${inBase64("ci:topsy")}`, inBase64("ci:topsy")],
    ["of basic authentication without its header", `sent Basic ${inBase64("ci:topsy")}`, inBase64("ci:topsy")],
    ["of a Secret", `data:\n  password: ${inBase64("letmein")}\n`, inBase64("letmein")],
    ["in base64 of a text", `env: ${inBase64(`a=1\nb=${github("x")}\n`)}`, inBase64(github("x")).slice(4, 40)],
    [
      "of registries in base64",
      `.dockerconfigjson: ${inBase64('{"auths":{"r":{"auth":"Y2k6dG9wc3k="}}}')}`,
      "IiOiJZMms2",
    ],
  ])("are found %s, too", (_, text, secret) => {
    expect(redact(text)).toContain("[redacted:");
    expect(redact(text)).not.toContain(secret);
  });

  it("are found in base64 of a key, in one line and in many", () => {
    const body = Array.from({ length: 25 }, (_, line) => inBase64(`${line}`.repeat(48)).slice(0, 64)).join("\n");
    const encoded = inBase64(`-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----`);
    expect(redact(`  tls.key: ${encoded}\n  x: y`)).toBe("  tls.key: [redacted:private-key#1]\n  x: y");
    expect(redact(`${encoded.replaceAll(/.{76}/g, "$&\n")}\nend`)).toMatch(/^\[redacted:private-key#1\]\n*end$/);
  });

  it("do not hide another that stands before them", () => {
    expect(redact(`machine git.example login ${github("x")} password x-oauth-basic`)).toBe(
      "machine git.example login [redacted:github-token#1] password [redacted:password#2]",
    );
  });

  it("are left where no value is announced", () => {
    for (const text of [
      "password:\nusername: hunter2x9",
      "secret:\n  name: foo-1234\n",
      "Enter the password:\n  at main.rs 12:4\n",
      "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db-1234\n",
      "docker run -u 1000:1000 -p 8080:80 image",
      "mkdir -p topsy && sort -u a:b",
      "mysql -p shop",
      "curl -u $CI_USER:$CI_PASSWORD https://git.example",
      "machine learning password protects",
      "Basic authentication, Basic Features",
    ])
      expect(redact(text)).toBe(text);
  });

  it("of the environment are found in JSON, in a URL, in XML and in base64", () => {
    const value = `x"7\\k<Q&2/9+=wZ`;
    const own = new Redaction({}, { MY_TOKEN: value });
    const json = JSON.stringify({ value });
    for (const text of [
      value,
      json,
      JSON.stringify({ json }),
      encodeURIComponent(value),
      Buffer.from(value).toString("base64"),
      value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
    ])
      expect(own.text(`before ${text} after`).text, text).toMatch(/before .*\[redacted:env-my-token#1\].* after/);
  });
});

describe("what is no secret", () => {
  it("stays as it is in logs, in a lock file and in the project's own sources", () => {
    const texts = [
      logText(2_000_000),
      ordinaryLog(2_000_000),
      readFileSync(join(PROJECT, "package-lock.json"), "utf8"),
      readFileSync(join(PROJECT, "CHANGELOG.md"), "utf8"),
    ];
    for (const text of texts) expect([...redaction.text(text).counts]).toEqual([]);
  });

  it("stays as it is in 16 MB of other projects' sources", () => {
    let bytes = 0;
    for (const folder of [
      "typescript/lib",
      "@types/node",
      "zod",
      "vite",
      "fast-check",
      "ajv",
      "hono",
      "express",
      "yaml",
    ]) {
      const root = join(PROJECT, "node_modules", folder);
      for (const name of readdirSync(root, { recursive: true, encoding: "utf8" }).sort()) {
        const file = join(root, name);
        if (!/\.(?:m?[jt]s|cjs|md|json|txt)$/.test(name) || !statSync(file).isFile() || bytes > 16_000_000) continue;
        const text = readFileSync(file, "utf8");
        bytes += text.length;
        expect([name, ...redaction.text(text).counts]).toEqual([name]);
      }
    }
    expect(bytes).toBeGreaterThan(16_000_000);
  });

  it.each([
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "id 123e4567-e89b-12d3-a456-426614174000",
    '"integrity": "sha512-mTtKkWCAeHnTiBmRzjKnot8D8zX+JVDuRffuvSCr+z93vuBXygeifGZ7lXOB8Hjxto+DikSoF0XXfxntd1BZSQ=="',
    "Cache restored from key: node-cache-Linux-x64-npm-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "SyntaxError: Unexpected token '<', \"<!DOCTYPE \"... is not valid JSON",
    "max_tokens: 128000",
    "token: process.env.API_TOKEN",
    "password: z.string().min(8)",
    "password: required",
    "DB_PASSWORD=$DB_PASSWORD",
    `DB_PASSWORD=\${{ secrets.DB_PASSWORD }}`,
    "PASSWORD=***",
    "token: <your-token-here>",
    "secret: my-app-tls-v2",
    "--- PASS: TestIPv6Address (0.01s)",
    "PublicKeyToken=b03f5f7f11d50a3a",
    "https://packages.example.org/@babel/core/-/core-7.24.0.tgz",
    "http://localhost:8080/@vite/client",
    "git@github.com:acme/app.git",
    "Authorization: Bearer <token>",
    `data:image/png;base64,${Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 7919) % 251)).toString("base64")}`,
  ])("%s", (line) => {
    expect(redact(`${line}\n`)).toBe(`${line}\n`);
  });
});

describe("placeholders", () => {
  it("have the same number for the same secret, another for another", () => {
    const [a, b] = [github("x"), github("y")];
    expect(redact(`${a} ${b}\nAuthorization: Bearer ${a}\n`)).toBe(
      "[redacted:github-token#1] [redacted:github-token#2]\nAuthorization: Bearer [redacted:github-token#1]\n",
    );
  });

  it("keep what is no secret of a header, a URL and an assignment", () => {
    const value = "q7Zp0Lw2Rt";
    expect(redact(`postgres://app:${value}@db:5432/main\n`)).toBe(
      "postgres://app:[redacted:url-password#1]@db:5432/main\n",
    );
    expect(redact(`Set-Cookie: sid=${value}; Path=/\n`)).toBe("Set-Cookie: sid=[redacted:cookie#1]; Path=/\n");
    expect(redact(`"password": "${value}", "user": "app"\n`)).toBe(
      '"password": "[redacted:password#1]", "user": "app"\n',
    );
  });

  it("are numbered through a session, and restored from its memory", () => {
    const numbers = new SecretNumbers();
    const secret = github("z");
    redaction.text(`${github("x")}\n`, numbers);
    expect(redaction.text(`${secret}\n`, numbers).text).toBe("[redacted:github-token#2]\n");
    expect(numbers.restore("use [redacted:github-token#2] and [redacted:jwt#9]")).toEqual({
      text: `use ${secret} and [redacted:jwt#9]`,
      unknown: ["[redacted:jwt#9]"],
    });
  });

  it("go on after those of an earlier part of the session", () => {
    const numbers = new SecretNumbers(highestNumber("a [redacted:jwt#3] b [redacted:token#12] c"));
    expect(redaction.text(`${github("x")}\n`, numbers).text).toBe("[redacted:github-token#13]\n");
  });

  it("are not redacted again", () => {
    const once = redact(`password=${"q7Zp0Lw2Rt"}\n`);
    expect(redact(once)).toBe(once);
  });
});

describe("settings", () => {
  it("take the user's patterns, the group named secret or the first group of them", () => {
    const own = new Redaction({
      patterns: [
        { kind: "ticket", pattern: /ticket (\d+)/i },
        { kind: "badge", pattern: /é (?<mark>x) (?<secret>\w+)/ },
      ],
    });
    expect(own.text("Ticket 4711 ok, é x abc.\n").text).toBe(
      "Ticket [redacted:ticket#1] ok, é x [redacted:badge#2].\n",
    );
  });

  it("let what is allowed pass", () => {
    const allowed = github("x");
    const own = new Redaction({ allow: [allowed, /^EXAMPLE/] });
    expect(own.text(`${allowed} password=EXAMPLE123\n`).text).toBe(`${allowed} password=EXAMPLE123\n`);
  });

  it("take values of variables that look secret, and leave paths, words and numbers", () => {
    const environment = {
      DEPLOY_TOKEN: "correct-horse-9",
      DB_PASSWORD: "production",
      API_KEY_FILE: "/run/secrets/key-1",
      SECRET_NUMBER: "1234567890",
      PATH_OF_THINGS: "some-value-77",
    };
    const own = new Redaction({}, environment);
    expect(own.text("x correct-horse-9 production /run/secrets/key-1 1234567890 some-value-77\n").text).toBe(
      "x [redacted:env-deploy-token#1] production /run/secrets/key-1 1234567890 some-value-77\n",
    );
  });
});
