import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";

describe("lines of a diff between chosen ones", () => {
  it("are shown where the marker in their place would take as much room", () => {
    const body = Array.from({ length: 60 }, (_, n) => [
      `+def handler_${n}(request, registry, options, session_of_the_current_user):`,
      `+    value_${n} = registry.lookup_by_name_and_kind(request, options)`,
      "+    x = 1",
      `+    return render_template_of_page(value_${n}, options, session_of_the_current_user)`,
    ]).flat();
    const asked = [
      "+def vlan_range_to_list(vlans):",
      "+    for part in vlans.split(','):",
      "+        if part:",
      "+            start, stop = vlans_of(part)",
      "+            n += 1",
      "+            result.extend(vlans_between(start, stop))",
    ];
    const lines = [...body.slice(0, 120), ...asked, ...body.slice(120)];
    const diff = [
      "diff --git a/lib/net.py b/lib/net.py",
      "index 1111111..2222222 100644",
      "--- a/lib/net.py",
      "+++ b/lib/net.py",
      `@@ -0,0 +1,${lines.length} @@`,
      ...lines,
      "",
    ].join("\n");
    const shown = preview(diff, { strategy: "smart", maxBytes: 3000, query: "Fix a final comma in the vlans string" });
    expect(shown.shape).toBe("diff");
    expect(shown.text).toContain(asked.join("\n"));
    expect(shown.text).not.toMatch(/… \d+ …\n\+ {12}/);
  });
});
