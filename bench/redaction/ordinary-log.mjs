import { randomNumbers } from "../log-text.mjs";

const HEX = "0123456789abcdef";
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** A build's log of about `bytes` bytes that is full of what looks random and is no secret; the same for the same seed. */
export function ordinaryLog(bytes, seed = 1) {
  const random = randomNumbers(seed);
  const some = (set, count) => Array.from({ length: count }, () => set[random(set.length)]).join("");
  const hex = (count) => some(HEX, count);
  const uuid = () => [8, 4, 4, 4, 12].map(hex).join("-");
  const forms = [
    () => `commit ${hex(40)}`,
    () => `   ${hex(7)}..${hex(7)}  main -> main`,
    () => `index ${hex(10)}..${hex(10)} 100644`,
    () => `      "integrity": "sha512-${some(BASE64, 86)}==",`,
    () => `${hex(64)}  dist/app.${hex(8)}.js`,
    () => `sha256:${hex(64)}: Pulling fs layer`,
    () => ` => [builder 4/9] RUN npm ci  ${random(90)}.${random(9)}s  sha256:${hex(64)}`,
    () => `request ${uuid()} took ${random(900)} ms`,
    () => `[${uuid()}] INFO trace_id=${hex(32)} span_id=${hex(16)}`,
    () => `url(data:image/png;base64,iVBORw0KGgo${some(BASE64, 300 + random(900))}==)`,
    () => `//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpb${some(BASE64, 400)}`,
    () => `  asset static/chunks/${random(900)}-${hex(16)}.js ${random(900)} KiB [emitted] [immutable]`,
    () => `Downloaded https://registry.example.org/pkg/-/pkg-${random(9)}.${random(9)}.0.tgz etag="${hex(32)}"`,
    () => `cache key: node-modules-linux-x64-${hex(64)} restored`,
    () => `==> Build id ${hex(20)}, checksum ${hex(8)}, token count ${random(9000)}, password policy: default`,
    () => `test tokens::parser::case_${random(900)} ... ok`,
    () => `warning: unused variable: \`token\`, key = ${random(900)}, secret: none`,
    () => `Step ${random(40)}/40 : ENV API_KEY=\${API_KEY} TOKEN=$TOKEN PASSWORD=********`,
    () => `[${random(9000)}/9000] Compiling packages/auth/src/token_${random(90)}.ts (${random(900)} ms)`,
    () => `at Object.<anonymous> (/app/node_modules/jsonwebtoken/sign.js:${random(900)}:${random(90)})`,
  ];
  const lines = [];
  for (let length = 0; length < bytes; ) {
    const line = forms[random(forms.length)]();
    lines.push(line);
    length += line.length + 1;
  }
  return `${lines.join("\n")}\n`;
}
