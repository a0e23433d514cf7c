/** Writes artifacts until it is done or killed: `node … OPTIONS-JSON COUNT BYTES`; one line of JSON for each that is there. */
import { createS3Store } from "spillway/artifacts/s3";

const [options, count, bytes] = [JSON.parse(process.argv[2]), Number(process.argv[3]), Number(process.argv[4])];
const store = createS3Store(options);
const chunk = Buffer.alloc(65_536, "a line of text that is repeated until the artifact is large enough\n");
for (let made = 0; made < count; made++) {
  const writer = await store.create({ tool: "Bash", callId: `${process.pid}-${made}` });
  for (let at = 0; at < bytes; at += chunk.length)
    await writer.write(chunk.subarray(0, Math.min(chunk.length, bytes - at)));
  const { id, sha256, spooled } = await writer.finish({ complete: true });
  process.stdout.write(`${JSON.stringify({ id, sha256, spooled })}\n`);
}
