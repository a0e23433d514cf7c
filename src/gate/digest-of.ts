import { cryptoModule } from "../builtin-modules.ts";

/** The sha256 of a text, in hex. */
export function digestOf(text: string): string {
  return createSha256().update(text).digest("hex");
}

/** Takes the sha256 of what comes in parts. */
export function createDigest(): { add(bytes: Uint8Array): void; end(): string } {
  const hash = createSha256();
  return { add: (bytes) => void hash.update(bytes), end: () => hash.digest("hex") };
}

function createSha256() {
  return cryptoModule().createHash("sha256");
}
