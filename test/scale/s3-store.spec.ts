import { beforeAll, describe, expect, it } from "vitest";
import { describeArtifactStore } from "../../src/artifacts/contract.ts";
import { newStore, servers } from "./servers.ts";

describe.skipIf(servers.s3 === undefined)("a bucket of Ceph", () => {
  beforeAll(async () => {
    await newStore().init();
  });

  describeArtifactStore("the S3 store", ({ now }) => newStore({ now }), { describe, it, expect });
  describeArtifactStore("the S3 store without spool", ({ now }) => newStore({ now, spool: false }), {
    describe,
    it,
    expect,
  });
});
