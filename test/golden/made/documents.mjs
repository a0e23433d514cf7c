import { AREAS, PARTS, Random, rows } from "./random.mjs";

const sentence = (random, words = 9) => {
  const text = rows(words, () => random.pick([...AREAS, ...PARTS, "the", "is", "with", "and", "of"])).join(" ");
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
};
/** At least `count` of the names. */
const many = (names, count = 20) => ({ pattern: names.join("|"), count });
/** Sentences that go on from line to line. */
const paragraph = (random) =>
  `${rows(4, () => sentence(random, 11))
    .join(" ")
    .replace(/(.{60,70}) /g, "$1\n")}\n`;

/** Files of settings: what parts there are, and the value of one key. */
export function settings(seed) {
  const random = new Random(seed);
  const names = rows(60, (index) => `${AREAS[index % 10]}-${PARTS[index % 11]}`);
  const ports = names.map(() => random.between(2000, 9999));
  const wanted = 31 + seed;
  const kinds = [
    () => ({
      text: `version: "3"\nservices:\n${names
        .map(
          (name, index) =>
            `  ${name}:\n    image: shop/${name}:1.${random.between(0, 9)}\n    ports:\n      - "${ports[index]}:80"\n    environment:\n      LEVEL: info\n      STORE: /srv/${name}\n    restart: always\n`,
        )
        .join("")}volumes:\n  data: {}\n`,
      must: ["services:", "volumes:"],
      least: many(names.map((name) => `  ${name}:`)),
      asked: [`"${ports[wanted]}:80"`],
      question: `which port has ${names[wanted]}?`,
    }),
    () => ({
      text: names
        .map(
          (name, index) =>
            `[${name}]\n; settings of ${name}\nport = ${ports[index]}\nhost = 10.0.0.${index}\ntimeout = 30\nretries = 3\n`,
        )
        .join("\n"),
      must: [`[${names[0]}]`],
      least: many(names.map((name) => `\\[${name}\\]`)),
      asked: [`port = ${ports[wanted]}`],
      question: `which port has ${names[wanted]}?`,
    }),
    () => ({
      text: `[project]\nname = "shop"\nversion = "1.4.0"\ndependencies = [\n${names.map((name) => `    "${name}>=1.${random.between(0, 9)}",\n`).join("")}]\n\n${names.map((name) => `[tool.${name}]\nline-length = ${random.between(80, 120)}\nexclude = ["build", "dist"]\n`).join("\n")}\n[build-system]\nrequires = ["hatchling"]\n`,
      must: ["[project]", 'name = "shop"', 'version = "1.4.0"', "dependencies = [", "[build-system]"],
      asked: [`[tool.${names[wanted]}]`, "line-length = "],
      question: `how long may lines be for ${names[wanted]}?`,
    }),
    () => ({
      text: names
        .map(
          (name, index) =>
            `resource "aws_instance" "${name}" {\n  ami           = "ami-${random.hex(8)}"\n  instance_type = "t3.small"\n  port          = ${ports[index]}\n\n  tags = {\n    Name = "${name}"\n  }\n}\n`,
        )
        .join("\n"),
      must: [`resource "aws_instance" "${names[0]}" {`],
      least: many(names.map((name) => `"${name}" \\{`)),
      asked: [`= ${ports[wanted]}`],
      question: `which port has ${names[wanted]}?`,
    }),
    () => ({
      text: rows(
        40,
        (index) =>
          `apiVersion: apps/v1\nkind: ${index % 2 === 0 ? "Deployment" : "Service"}\nmetadata:\n  name: ${names[index]}\n  labels:\n    app: ${names[index]}\nspec:\n  replicas: 3\n  port: ${ports[index]}\n`,
      ).join("---\n"),
      must: [`name: ${names[0]}`],
      least: many(
        names.map((name) => `name: ${name}`),
        8,
      ),
      asked: [`  port: ${ports[wanted]}`],
      question: `which port has ${names[wanted]}?`,
    }),
    () => ({
      text: names
        .flatMap((name, index) => [
          `# ${name} is needed by the shop`,
          `shop.${name}.host=10.0.0.${index}`,
          `shop.${name}.port=${ports[index]}`,
          `shop.${name}.retries=3`,
          "",
        ])
        .join("\n"),
      must: [`shop.${names[0]}.host=10.0.0.0`, `shop.${names[1]}.port=${ports[1]}`],
      asked: [`shop.${names[wanted]}.port=${ports[wanted]}`],
      question: `which port has ${names[wanted]}?`,
    }),
  ];
  return kinds[seed % kinds.length]();
}

/** Files of other formats: what stands at the margin or below the root, and one part. */
export function formats(seed) {
  const random = new Random(seed);
  const names = rows(60, (index) => `${AREAS[index % 10]}-${PARTS[index % 11]}`);
  const wanted = 31 + seed;
  const sizes = names.map(() => random.between(11, 999));
  const kinds = [
    () => ({
      text: names
        .map(
          (name, index) =>
            `/* the box of ${name} */\n.${name} {\n  width: ${sizes[index]}px;\n  color: #${random.hex(6)};\n  display: flex;\n}\n`,
        )
        .join("\n"),
      must: [`.${names[0]} {`],
      least: many(names.map((name) => `\\.${name} \\{`)),
      asked: [`width: ${sizes[wanted]}px;`],
    }),
    () => ({
      text: `syntax = "proto3";\n\npackage shop;\n\n${names.map((name, index) => `// One ${name}.\nmessage ${name.replace("-", "_")} {\n  string id = 1;\n  int32 width = ${sizes[index]};\n  repeated string tags = 3;\n}\n`).join("\n")}`,
      must: ["package shop;"],
      least: many(names.map((name) => `message ${name.replace("-", "_")} \\{`)),
      asked: [`int32 width = ${sizes[wanted]};`],
      question: `which width has ${names[wanted].replace("-", "_")}?`,
    }),
    () => ({
      text: names
        .map(
          (name, index) =>
            `# How wide ${name} may become before a warning is\n# logged; an error is fatal.\n${name.replace("-", "_")}_width ${sizes[index]}\n`,
        )
        .join("\n"),
      must: [`${names[0].replace("-", "_")}_width ${sizes[0]}`],
      least: many(names.map((name, index) => `${name.replace("-", "_")}_width ${sizes[index]}`)),
      asked: [`${names[wanted].replace("-", "_")}_width ${sizes[wanted]}`],
    }),
    () => ({
      text: `http {\n${names.map((name, index) => `    server {\n        server_name ${name}.example;\n        listen ${sizes[index]};\n        location / {\n            proxy_pass http://${name};\n        }\n    }\n`).join("\n")}}\n`,
      must: ["http {"],
      least: many(names.map((name) => `server_name ${name}.example`)),
      asked: [`listen ${sizes[wanted]};`],
      question: `where does ${names[wanted]}.example listen?`,
    }),
    () => ({
      text: names
        .map(
          (name, index) =>
            `#: src/${name}.py:${sizes[index]}\nmsgid "Failed to open ${name}"\nmsgstr "${sentence(random, 5)}"\n`,
        )
        .join("\n"),
      must: [`msgid "Failed to open ${names[0]}"`],
      least: many(
        names.map((name) => `"Failed to open ${name}"`),
        15,
      ),
      asked: [`src/${names[wanted]}.py:${sizes[wanted]}`, `msgid "Failed to open ${names[wanted]}"`],
    }),
    () => ({
      text: names
        .map(
          (name, index) =>
            `interface ${name}\n description link of ${name}\n ip address 10.0.${index}.1 255.255.255.0\n mtu ${sizes[index]}\n no shutdown\n!`,
        )
        .join("\n"),
      must: [`interface ${names[0]}`],
      least: many(names.map((name) => `interface ${name}`)),
      asked: [` mtu ${sizes[wanted]}`],
    }),
  ];
  return { question: `which width has ${names[wanted]}?`, ...kinds[seed % kinds.length]() };
}

/** Documents: their title, how they open and their headings, and the section that is asked for. */
export function prose(seed) {
  const random = new Random(seed);
  const topics = rows(24, (index) => `${AREAS[index % 10]} ${PARTS[(index * 3) % 11]}`);
  const titled = (name) => name.replace(/\b\w/g, (letter) => letter.toUpperCase());
  const wanted = 13 + seed;
  const fact = `Every quokka of ${topics[wanted]} sleeps at noon.`;
  const opening = "This is the handbook of the shop.";
  const body = (index) => `${paragraph(random)}\n${index === wanted ? `${fact}\n\n` : ""}${paragraph(random)}`;
  const kinds = [
    (name, index) => `## ${titled(name)}\n\n${body(index)}`,
    (name, index) => `${titled(name)}\n${"-".repeat(name.length)}\n\n${body(index)}`,
    (name, index) => `${name.toUpperCase()}\n\n${body(index).replace(/^(?=.)/gm, "       ")}`,
    (_, index) =>
      `## 1.${24 - index}.0 (2026-03-${10 + index})\n\n${rows(7, (n) => `- ${n === 3 && index === wanted ? fact : sentence(random)}`).join("\n")}\n`,
    (name, index) => `Chapter ${index + 1}. ${titled(name)}\n\n${body(index)}`,
    (name, index) => `== ${titled(name)}\n\n${body(index)}`,
  ];
  const heads = [
    "# Handbook\n",
    "Handbook\n========\n",
    "HANDBOOK(7)                 Shop manual                 HANDBOOK(7)\n\nNAME\n",
    "# Changes\n",
    "HANDBOOK\n",
    "= Handbook\n",
  ];
  const make = kinds[seed % kinds.length];
  const sections = topics.map((name, index) => make(name, index));
  return {
    text: `${heads[seed % heads.length]}\n${opening}\n\n${sections.join("\n")}`,
    must: [opening, ...sections.map((text) => text.split("\n", 1)[0])],
    question: `when does the quokka of ${topics[wanted]} sleep?`,
    asked: [fact],
  };
}

/** Records of fields: which there are, the one that is unlike the others, and one that is asked for. */
export function records(seed) {
  const random = new Random(seed);
  const names = rows(90, (index) => `${AREAS[index % 10]}-${PARTS[index % 11]}`);
  const odd = 50 + seed;
  const wanted = 31 + seed;
  const versions = names.map(() => `${random.between(0, 9)}.${random.between(10, 99)}.${random.between(10, 99)}`);
  const kinds = [
    (name, index) =>
      `Package: ${name}\nStatus: ${index === odd ? "deinstall ok config-files" : "install ok installed"}\nPriority: optional\nSection: libs\nInstalled-Size: ${random.between(9, 999)}\nArchitecture: amd64\nVersion: ${versions[index]}\nDescription: ${sentence(random)}\n ${sentence(random)}`,
    (name, index) =>
      `Name: ${name}\nVersion: ${versions[index]}\nSummary: ${sentence(random)}\nHome-page: https://shop.example/${name}\nAuthor: Ada\nLicense: ${index === odd ? "GPL-3.0" : "MIT"}\nLocation: /usr/lib/python3\nRequires: typing`,
    (name, index) =>
      `dn: uid=${name},ou=people,dc=shop\nuid: ${name}\nmail: ${name}@shop.example\nversion: ${versions[index]}\nloginShell: ${index === odd ? "/sbin/nologin" : "/bin/bash"}\nhomeDirectory: /home/${name}`,
    (name, index) =>
      `Name: ${name}\nState: ${index === odd ? "Degraded" : "Healthy"}\nVersion: ${versions[index]}\nRegion: north\nOwner: ${random.pick(AREAS)}\nUpdated: 2026-03-0${1 + (index % 9)}`,
    (name, index) =>
      `processor: ${index}\nmodel: ${name}\nversion: ${versions[index]}\nMHz: ${random.between(800, 3000)}.${random.between(100, 999)}\nmicrocode: ${index === odd ? "0x11" : "0x2f"}\nflags: fpu vme de pse`,
    (name, index) =>
      `Package: ${name}\nArchitecture: all\nMaintainer: Shop <shop@shop.example>\nVersion: ${versions[index]}\nSHA256: ${random.hex(64)}\nMulti-Arch: ${index === odd ? "foreign" : "same"}\nDescription: ${sentence(random)}`,
  ];
  const kind = kinds[seed % kinds.length];
  const texts = names.map((name, index) => kind(name, index));
  const value = [
    "deinstall ok config-files",
    "GPL-3.0",
    "/sbin/nologin",
    "State: Degraded",
    "microcode: 0x11",
    "Multi-Arch: foreign",
  ][seed % 6];
  return {
    text: `${texts.join("\n\n")}\n`,
    must: [value, names[0], names[odd]],
    question: `which version has ${names[wanted]}?`,
    asked: [versions[wanted]],
  };
}

/** `kubectl describe`: each object by its name, and what is not as it should be. */
export function describe(seed) {
  const random = new Random(seed);
  const names = rows(40, (index) => `${AREAS[index % 10]}-${PARTS[index % 11]}-${random.text(5)}`);
  const ill = 22 + seed;
  const wanted = 12 + seed;
  const kinds = [
    (name, bad) =>
      `Name:             ${name}\nNamespace:        shop\nNode:             node-${random.between(1, 9)}/10.0.0.4\nLabels:           app=${name}\nStatus:           Running\nContainers:\n  main:\n    Image:          shop/main:1.${random.between(0, 9)}\n    State:          ${bad ? "Waiting\n      Reason:       ImagePullBackOff" : "Running"}\n    Ready:          ${bad ? "False" : "True"}\n    Environment:\n      STORE:        /srv/${name}\nEvents:\n  ${bad ? "Warning  Failed   2m (x9 over 8m)   kubelet  Failed to pull image" : "Normal   Pulled   9m   kubelet  Image is present"}\n`,
    (name, bad) =>
      `Name:               ${name}\nRoles:              worker\nLabels:             kubernetes.io/os=linux\nCreationTimestamp:  Mon, 04 May 2026 10:00:00 +0000\nTaints:             ${bad ? "node.kubernetes.io/unreachable:NoSchedule" : "<none>"}\nConditions:\n  Type             Status\n  MemoryPressure   ${bad ? "True" : "False"}\n  Ready            ${bad ? "False" : "True"}\nAddresses:\n  InternalIP:  10.0.0.${random.between(1, 250)}\n  Store:       /srv/${name}\nEvents:            <none>\n`,
    (name, bad) =>
      `Name:                   ${name}\nNamespace:              shop\nLabels:                 app=${name}\nSelector:               app=${name}\nReplicas:               3 desired | 3 updated | 3 total | ${bad ? "0 available | 3 unavailable" : "3 available | 0 unavailable"}\nStrategyType:           RollingUpdate\nPod Template:\n  Containers:\n   main:\n    Image:      shop/main:1.${random.between(0, 9)}\n    Mounts:\n      /srv/${name} from data\nConditions:\n  Type           Status  Reason\n  ${bad ? "Available      False   MinimumReplicasUnavailable" : "Available      True    MinimumReplicasAvailable"}\nEvents:          <none>\n`,
  ];
  const must = [
    ["Reason:       ImagePullBackOff", "Warning  Failed   2m (x9 over 8m)"],
    ["MemoryPressure   True", "Ready            False"],
    ["0 available | 3 unavailable", "MinimumReplicasUnavailable"],
  ];
  const kind = kinds[seed % kinds.length];
  return {
    text: names.map((name, index) => kind(name, index === ill)).join("\n\n"),
    must: [...must[seed % 3], names[ill], names[0], names[39]],
    question: `where is the store of ${names[wanted]}?`,
    asked: [`/srv/${names[wanted]}`],
  };
}

/** Snapshots of pages by tools that drive a browser: what is to be noticed and done, and one of many equal parts. */
export function snapshot(seed) {
  const random = new Random(seed);
  const count = 120 + 20 * seed;
  const wanted = count - 30;
  let mark = 0;
  const element = (depth, role, name, rest = "") =>
    seed % 2 === 0
      ? `${"  ".repeat(depth)}- ${role}${name === "" ? "" : ` "${name}"`}${rest} [ref=e${++mark}]`
      : `${"  ".repeat(depth)}uid=1_${++mark} ${role}${name === "" ? "" : ` "${name}"`}${rest}`;
  const part = [
    (index) => [
      element(3, "listitem", ""),
      element(4, "heading", `Product ${index}`),
      element(4, "paragraph", sentence(random)),
      element(4, "button", `Buy product ${index}`),
      element(4, "link", "Details"),
    ],
    (index) => [
      element(3, "row", `order ${index} of ${random.pick(AREAS)}`),
      element(4, "cell", `${random.between(10, 99)} pieces`),
      element(4, "cell", "shipped"),
      element(4, "button", `Cancel order ${index}`),
    ],
    (index) => [element(3, "treeitem", `file_${index}.py`), element(4, "button", `Open file_${index}.py`)],
  ][seed % 3];
  const button = [`Buy product ${wanted}`, `Cancel order ${wanted}`, `Open file_${wanted}.py`][seed % 3];
  return {
    text: [
      element(0, "main", "Shop"),
      element(1, "banner", ""),
      element(2, "searchbox", "Search the shop"),
      element(2, "alert", "Your session has expired"),
      element(2, "heading", "All there is"),
      ...rows(count, part).flat(),
      element(1, "form", "Contact"),
      element(2, "textbox", "E-mail address", seed % 2 === 0 ? " [disabled]" : " disabled"),
      element(2, "button", "Send message"),
      element(1, "contentinfo", ""),
      element(2, "link", "Imprint"),
      ...rows(count >> 1, (index) => element(2, "link", `${random.pick(AREAS)} ${index}`)),
      "",
    ].join("\n"),
    must: ["Search the shop", "Your session has expired", "E-mail address", "Send message", "Imprint"],
    question: `use "${button}"`,
    asked: [`"${button}"`],
  };
}
