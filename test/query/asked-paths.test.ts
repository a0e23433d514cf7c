import { describe, expect, it } from "vitest";
import { askedPaths } from "../../src/query/asked-paths.ts";

const paths = ["src/net/dhcp-server.c", "src/net/dhcp-client.c", "src/pool/pool.c", "README.md"];

describe("askedPaths", () => {
  it("knows a file's name written whole, however its words are joined", () => {
    for (const query of ["dhcp-server: fix the lease", "why does the dhcp server stop?", "DhcpServer leaks"]) {
      expect(askedPaths(query, paths).get("src/net/dhcp-server.c"), query).toMatchObject({ covered: 1 });
      expect(askedPaths(query, paths).get("src/net/dhcp-client.c"), query).toMatchObject({ covered: 0.5 });
    }
  });

  it("counts a folder more the fewer paths lie below it", () => {
    const asked = askedPaths("net: and pool: leases are lost", paths);
    const pool = asked.get("src/pool/pool.c")?.named ?? 0;
    const net = asked.get("src/net/dhcp-server.c")?.named ?? 0;
    expect(pool).toBe(1);
    expect(net).toBeGreaterThan(0);
    expect(net).toBeLessThan(pool);
  });

  it("takes nothing from words that stand in any question", () => {
    const asked = askedPaths("which file is the test that failed?", ["test/file.c", "log/error.c"]);
    for (const path of asked.values()) expect(path).toEqual({ covered: 0, named: 0 });
  });
});
