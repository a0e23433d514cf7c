import { AREAS, PARTS, Random, rows } from "./random.mjs";

/** `terraform plan`: many updates in place, and what matters between them. */
export function terraform(seed) {
  const random = new Random(seed);
  const count = 60 + 20 * (seed % 4);
  const name = (index) => `aws_instance.${AREAS[index % AREAS.length]}_${index}`;
  const replaced = random.between(count >> 2, count - 5);
  const destroyed = replaced + 2;
  const created = replaced - 3;
  const refreshed = rows(count, (index) => `${name(index)}: Refreshing state... [id=i-${random.hex(17)}]`);
  const blocks = rows(count, (index) => {
    const [, type, label] = /^(\w+)\.(\w+)$/.exec(name(index));
    const inner = (sign, tag) => [
      `        id                           = "i-${random.hex(17)}"`,
      `      ${sign} tags                         = {`,
      `            "Area" = "${AREAS[index % AREAS.length]}"`,
      `          ~ "Version" = "${tag}" -> "${tag + 1}"`,
      "        }",
      "        # (29 unchanged attributes hidden)",
    ];
    const block = (verb, sign, lines) => [
      `  # ${name(index)} ${verb}`,
      `${sign} resource "${type}" "${label}" {`,
      ...lines,
      "    }",
      "",
    ];
    if (index === replaced) {
      const forced = `      ~ subnet_id                    = "subnet-${random.hex(8)}" -> "subnet-${random.hex(8)}" # forces replacement`;
      return block("must be replaced", "-/+", [...inner("~", 4), forced]);
    }
    if (index === destroyed) return block("will be destroyed", "  -", ['      - ami = "ami-1" -> null']);
    if (index === created) return block("will be created", "  +", ['      + ami = "ami-2"']);
    return block("will be updated in-place", "  ~", inner("~", random.between(1, 9)));
  });
  const plan = `Plan: 2 to add, ${count - 3} to change, 2 to destroy.`;
  const end =
    seed % 3 === 0
      ? [
          "",
          "│ Error: Invalid provider configuration",
          "│ ",
          `│   on network.tf line ${random.between(10, 99)}, in provider "aws":`,
        ]
      : ["", "Note: You didn't use the -out option to save this plan."];
  const text = [
    ...refreshed,
    "",
    "Terraform will perform the following actions:",
    "",
    ...blocks.flat(),
    plan,
    ...end,
    "",
  ];
  return {
    text: text.join("\n"),
    question: `why does ${name(4)} change its version`,
    must: [
      `# ${name(replaced)} must be replaced`,
      "# forces replacement",
      `# ${name(destroyed)} will be destroyed`,
      plan,
      ...(seed % 3 === 0 ? ["Invalid provider configuration"] : []),
    ],
    asked: [`# ${name(4)} will be updated in-place`],
  };
}

const HANDLED = [
  "SIGHUP",
  "SIGINT",
  "SIGQUIT",
  "SIGILL",
  "SIGTRAP",
  "SIGABRT",
  "SIGBUS",
  "SIGFPE",
  "SIGSEGV",
  "SIGTERM",
];

/** `strace`: handlers are installed, then a file or a peer is missing, and the process dies of it. */
export function strace(seed) {
  const random = new Random(seed);
  const pid = seed % 2 === 0 ? `[pid ${random.between(1000, 9000)}] ` : "";
  const address = () => `0x7f${random.hex(10)}`;
  const usual = [
    () => `mmap(NULL, ${random.between(1, 99) * 4096}, PROT_READ, MAP_PRIVATE, 3, 0) = ${address()}`,
    () =>
      `openat(AT_FDCWD, "/usr/lib/python3/dist-packages/${random.pick(PARTS)}.so", O_RDONLY|O_CLOEXEC) = -1 ENOENT (No such file or directory)`,
    () => `read(3, "\\177ELF\\2\\1\\1\\0\\0\\0"..., 832) = 832`,
    () => `close(${random.between(3, 9)})                                = 0`,
    () =>
      `newfstatat(AT_FDCWD, "/srv/shop/${random.pick(AREAS)}/${random.pick(PARTS)}.py", {st_mode=S_IFREG|0644, st_size=${random.between(90, 9000)}, ...}, 0) = 0`,
    () => `futex(${address()}, FUTEX_WAKE_PRIVATE, 1) = 1`,
  ];
  const handlers = HANDLED.map(
    (signal) =>
      `${pid}rt_sigaction(${signal}, {sa_handler=${address()}, sa_mask=[], sa_flags=SA_RESTORER}, NULL, 8) = 0`,
  );
  const causes = [
    [
      `openat(AT_FDCWD, "/etc/shop/${random.pick(AREAS)}.conf", O_RDONLY) = -1 EACCES (Permission denied)`,
      "exit_group(1)                           = ?",
      "+++ exited with 1 +++",
    ],
    [
      `connect(5, {sa_family=AF_INET, sin_port=htons(5432), sin_addr=inet_addr("10.0.0.7")}, 16) = -1 ECONNREFUSED (Connection refused)`,
      "exit_group(2)                           = ?",
      "+++ exited with 2 +++",
    ],
    [
      "--- SIGSEGV {si_signo=SIGSEGV, si_code=SEGV_MAPERR, si_addr=0x18} ---",
      "+++ killed by SIGSEGV (core dumped) +++",
    ],
  ];
  const cause = causes[seed % causes.length];
  const body = rows(400 + 60 * (seed % 3), () => pid + random.pick(usual)());
  body.splice(30, 0, ...handlers);
  return {
    text: [
      'execve("/usr/bin/python3", ["python3", "serve.py"], 0x7ffd0 /* 21 vars */) = 0',
      ...body,
      ...cause.map((line) => pid + line),
      "",
    ].join("\n"),
    question: "why did serve.py end",
    must: cause.filter((line) => !line.startsWith("exit_group")),
    asked: cause.filter((line) => !line.startsWith("exit_group")),
    mustNot: seed % 3 === 2 ? [] : ["rt_sigaction(SIGSEGV"],
  };
}

/** Tables of `kubectl get`, `kubectl top`, `kubectl get events` and `helm list`: one row among many is ill. */
export function kubectl(seed) {
  const random = new Random(seed);
  const count = 150;
  const pod = (index) =>
    `${AREAS[index % AREAS.length]}-${PARTS[index % PARTS.length]}-${random.hex(9)}-${random.text(5)}`;
  const pad = (cells, widths) =>
    cells
      .map((cell, index) => String(cell).padEnd(widths[index] ?? 0))
      .join("")
      .trimEnd();
  const make = (names, widths, row, odd) => {
    const lines = rows(count, (index) => pad(row(index), widths));
    const bad = odd.map((cells) => pad(cells, widths));
    lines.splice(40, 0, ...bad.slice(0, 1));
    lines.splice(77, 0, ...bad.slice(1));
    return { text: [pad(names, widths), ...lines, ""].join("\n"), must: [pad(names, widths), ...bad] };
  };
  const kinds = [
    () =>
      make(
        ["NAMESPACE", "NAME", "READY", "STATUS", "RESTARTS", "AGE"],
        [14, 44, 8, 20, 16, 6],
        (i) => [AREAS[i % 10], pod(i), "1/1", "Running", random.pick([0, 0, 0, 1]), `${random.between(2, 40)}d`],
        [
          ["billing", pod(3), "0/1", "CrashLoopBackOff", "41 (2m ago)", "6h"],
          ["search", pod(7), "0/1", "ImagePullBackOff", "0", "9m"],
        ],
      ),
    () =>
      make(
        ["LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"],
        [12, 10, 20, 50, 0],
        (i) => [
          `${random.between(1, 59)}m`,
          "Normal",
          random.pick(["Pulled", "Created", "Started", "Scheduled"]),
          `pod/${pod(i)}`,
          `Container image "shop/${PARTS[i % 11]}:1.4" already present on machine`,
        ],
        [
          ["4m", "Warning", "FailedScheduling", `pod/${pod(2)}`, "0/9 nodes are available: 9 Insufficient memory."],
          [
            "2m",
            "Warning",
            "Unhealthy",
            `pod/${pod(5)}`,
            "Readiness probe failed: HTTP probe failed with statuscode: 503",
          ],
        ],
      ),
    () =>
      make(
        ["NAME", "STATUS", "ROLES", "AGE", "VERSION"],
        [36, 28, 10, 8, 0],
        (i) => [
          `node-${i}.${random.pick(["a", "b", "c"])}.example`,
          "Ready",
          "worker",
          `${random.between(40, 300)}d`,
          "v1.29.4",
        ],
        [
          ["node-977.b.example", "NotReady", "worker", "211d", "v1.29.4"],
          ["node-978.c.example", "Ready,SchedulingDisabled", "worker", "211d", "v1.29.4"],
        ],
      ),
    () =>
      make(
        ["NAME", "CPU(cores)", "MEMORY(bytes)"],
        [48, 14, 0],
        (i) => [pod(i), `${random.between(2, 60)}m`, `${random.between(40, 190)}Mi`],
        [
          [pod(8), "3920m", "181Mi"],
          [pod(9), "14m", "7911Mi"],
        ],
      ),
    () =>
      make(
        ["NAME", "NAMESPACE", "REVISION", "UPDATED", "STATUS", "CHART", "APP VERSION"],
        [24, 12, 10, 26, 18, 24, 0],
        (i) => [
          `${AREAS[i % 10]}-${i}`,
          AREAS[i % 10],
          random.between(1, 40),
          "2026-03-04 10:11:12 +0000",
          "deployed",
          `shop-${random.between(1, 4)}.2.0`,
          "1.4.0",
        ],
        [
          ["mail-relay", "mail", "7", "2026-03-04 10:11:12 +0000", "failed", "shop-4.2.0", "1.4.0"],
          ["stock-sync", "stock", "9", "2026-03-04 10:11:12 +0000", "pending-upgrade", "shop-4.2.0", "1.4.0"],
        ],
      ),
    () =>
      make(
        ["NAME", "READY", "UP-TO-DATE", "AVAILABLE", "AGE"],
        [36, 8, 13, 12, 0],
        (i) => [`${AREAS[i % 10]}-${PARTS[i % 11]}-${i}`, "3/3", "3", "3", "80d"],
        [
          ["audit-export-900", "0/3", "3", "0", "80d"],
          ["users-import-901", "1/3", "1", "1", "2m"],
        ],
      ),
  ];
  const made = kinds[seed % kinds.length]();
  return { ...made, question: "how old is node-12, orders-client-1 or the orders api", asked: [] };
}
