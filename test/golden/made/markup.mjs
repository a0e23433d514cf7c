import { AREAS, PARTS, Random, rows } from "./random.mjs";

/** XML that is data: reports, settings, feeds. */
export function xml(seed) {
  const random = new Random(seed);
  const kinds = [
    () => {
      const cases = rows(
        160,
        (index) =>
          `    <testcase classname="shop.${AREAS[index % 10]}" name="test_${PARTS[index % 11]}_${index}" time="0.0${random.between(10, 99)}"/>`,
      );
      cases[90] =
        '    <testcase classname="shop.cart" name="test_sum_of_empty" time="0.012">\n      <failure message="expected 0 but was null" type="AssertionError">at cart.py:41</failure>\n    </testcase>';
      return {
        lines: [
          '<testsuites tests="160" failures="1">',
          '  <testsuite name="shop" tests="160" failures="1">',
          ...cases,
          "  </testsuite>",
          "</testsuites>",
        ],
        must: ["test_sum_of_empty", "expected 0 but was null", 'failures="1"'],
        question: "how long did test_api_11 take?",
        asked: ["test_api_11"],
      };
    },
    () => {
      const dependencies = rows(
        90,
        (index) =>
          `    <dependency>\n      <groupId>org.example.${AREAS[index % 10]}</groupId>\n      <artifactId>${AREAS[index % 10]}-${PARTS[index % 11]}-${index}</artifactId>\n      <version>${random.between(1, 9)}.${random.between(0, 30)}</version>\n    </dependency>`,
      );
      return {
        lines: [
          '<project xmlns="http://maven.apache.org/POM/4.0.0">',
          "  <groupId>org.example</groupId>",
          "  <artifactId>shop</artifactId>",
          "  <version>1.4.0</version>",
          "  <dependencies>",
          ...dependencies,
          "  </dependencies>",
          "  <build>",
          "    <plugins>",
          "      <plugin>",
          "        <artifactId>maven-shade-plugin</artifactId>",
          "      </plugin>",
          "    </plugins>",
          "  </build>",
          "</project>",
        ],
        must: ["<artifactId>shop</artifactId>", "<version>1.4.0</version>", "<dependencies>", "<build>"],
        question: "which version of stock-import-85",
        asked: ["stock-import-8"],
      };
    },
    () => {
      const files = rows(
        70,
        (index) =>
          `  <file name="src/${AREAS[index % 10]}/${PARTS[index % 11]}${index}.java">\n    <error line="${random.between(1, 300)}" severity="warning" message="Line is longer than 100 characters." source="LineLength"/>\n  </file>`,
      );
      files[44] =
        '  <file name="src/mail/Relay.java">\n    <error line="77" severity="error" message="Resource leak: socket is never closed." source="ResourceLeak"/>\n  </file>';
      return {
        lines: ['<checkstyle version="10.1">', ...files, "</checkstyle>"],
        must: ["src/mail/Relay.java", "Resource leak: socket is never closed."],
        question: "what is wrong in mail/Relay.java?",
        asked: ["Resource leak"],
      };
    },
    () => {
      const items = rows(
        60,
        (index) =>
          `    <item>\n      <title>Release ${index}: ${AREAS[index % 10]} ${PARTS[index % 11]}</title>\n      <link>https://shop.example/news/${index}</link>\n      <pubDate>Mon, 0${1 + (index % 9)} Mar 2026 10:00:00 GMT</pubDate>\n      <description>${rows(12, () => random.pick(PARTS)).join(" ")}</description>\n    </item>`,
      );
      return {
        lines: [
          '<rss version="2.0">',
          "  <channel>",
          "    <title>Shop news</title>",
          ...items,
          "  </channel>",
          "</rss>",
        ],
        must: ["Shop news", "Release 0: billing api"],
        question: "when was release 37?",
        asked: ["Release 37"],
      };
    },
    () => {
      const keys = rows(
        220,
        (index) =>
          `  <string name="${AREAS[index % 10]}_${PARTS[index % 11]}_${index}">${rows(5, () => random.pick(AREAS)).join(" ")}</string>`,
      );
      return {
        lines: ["<resources>", ...keys, "</resources>"],
        must: ["<resources>", "</resources>"],
        question: "what does cart_cache_202 say?",
        asked: ["users_cache_"],
      };
    },
    () => {
      const devices = rows(
        80,
        (index) =>
          `  <device id="${index}">\n    <state>${index === 51 ? "failed" : "ok"}</state>\n    <temperature unit="C">${index === 51 ? 97 : random.between(30, 44)}</temperature>\n    <firmware>2.${random.between(0, 4)}</firmware>\n  </device>`,
      );
      return {
        lines: ['<inventory site="north">', ...devices, "</inventory>"],
        must: ['<inventory site="north">', '<device id="51">', "<state>failed</state>"],
        question: "which device failed?",
        asked: ['<device id="51">', "failed"],
      };
    },
  ];
  const { lines, must, question, asked } = kinds[seed % kinds.length]();
  return {
    text: `<?xml version="1.0" encoding="UTF-8"?>\n${lines.join("\n")}\n`,
    must,
    question,
    asked: seed % 6 === 1 || seed % 6 === 4 ? [] : asked,
  };
}

/** Text that nobody reads: one line must say what it is, and little of it may be shown. */
export function blob(seed) {
  const random = new Random(seed);
  const wrap = (text, width) => text.replace(new RegExp(`(.{${width}})`, "g"), "$1\n");
  const statement = () =>
    `function ${random.text(2, "abcdefgh")}(${random.text(1, "tenr")}){var ${random.text(1, "ijk")}=${random.between(1, 999)};return ${random.text(1, "ijk")}.${random.pick(PARTS)}(${random.between(1, 99)})}`;
  const rule = () =>
    `.${random.text(5, "abcdefgh")}{margin:${random.between(0, 9)}px;color:#${random.hex(6)};display:flex}`;
  const png = Buffer.concat([
    Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
    Buffer.from(random.hex(60_000), "hex"),
  ]).toString("base64");
  const kinds = [
    { text: `${png}\n`, must: ["base64", "PNG"] },
    { text: `${wrap(png, 76)}\n`, must: ["base64", "PNG"] },
    {
      text: `/*! shop 1.4.0 | MIT */\n!${rows(900, statement).join(",")};\n`,
      must: ["minified JavaScript", "shop 1.4.0"],
    },
    { text: `${rows(900, rule).join("")}\n`, must: ["minified CSS"] },
    {
      text: `-----BEGIN CERTIFICATE-----\n${wrap(random.base64(30_000), 64)}\n-----END CERTIFICATE-----\n`,
      must: ["base64", "BEGIN CERTIFICATE"],
    },
    { text: `${wrap(random.hex(60_000), 64)}\n`, must: ["hexadecimal"] },
  ];
  return { ...kinds[seed % kinds.length], question: "what is this?", asked: [], mostBytes: 1200 };
}
