"""Computes the true answers of the questions in questions.json from the raw outputs, without Spillway.

python3 test/artifacts/query/answers.py [--write]   checks the answers in the file, or writes them
"""
import collections, csv, gzip, io, json, os, re, sys

HERE = os.path.dirname(os.path.abspath(__file__))
OUTPUTS = os.path.join(HERE, "..", "..", "fixtures", "outputs")
count = collections.Counter


def text(name):
    with gzip.open(os.path.join(OUTPUTS, name + ".gz"), "rt", encoding="utf-8") as file:
        return file.read()


def rows(name, delimiter=","):
    return list(csv.DictReader(io.StringIO(text(name)), delimiter=delimiter))


def drawn(name, sign):
    found = [[c.strip() for c in line.strip().strip(sign).split(sign)] for line in text(name).splitlines() if sign in line]
    return [dict(zip(found[0], cells)) for cells in found[1:] if len(cells) == len(found[0])]


def hits(name, pattern):
    return [m.groups() for m in (re.match(pattern, line) for line in text(name).splitlines()) if m]


def top(values, most=3):
    return [[key, n] for key, n in sorted(count(values).items(), key=lambda kv: (-kv[1], kv[0]))[:most]]


events = [json.loads(line) for line in text("events.jsonl").splitlines() if line.startswith("{")]
report = json.loads(text("report.json"))["results"]
pretty = json.loads(text("report-pretty.json"))["results"]
lock = json.loads(text("package-lock.json"))
settings = json.loads(text("settings.json"))
orders, measures, readings = rows("orders.csv"), rows("measures.csv", ";"), rows("readings.tsv", "\t")
psql, box, plain = drawn("psql-table.txt", "|"), drawn("sqlite-box.txt", "│"), rows("sqlite-list.txt", "|")
todo = hits("grep-todo.txt", r"([^:]+):(\d+):(.*)")
context = hits("grep-context.txt", r"([^:]+):(\d+):(.*)")
gcc = hits("gcc-warnings.txt", r"(\S+?):(\d+):(\d+): (\w+): (.*?)(?: \[(.*)\])?$")
unit = hits("unittest-many.txt", r"(\w+ \([\w.]+\)) \.\.\. (\w+)")
tap = hits("node-test-tap.txt", r"\s*(not ok|ok) \d+ - (.*)")
syslog = text("syslog.txt").splitlines()


def section():
    file, found = None, []
    for line in text("rg-heading.txt").splitlines():
        match = re.match(r"(\d+):(.*)", line)
        if match:
            found.append((file, int(match[1]), match[2]))
        elif line and not re.match(r"\d+-", line) and line != "--":
            file = line
    return found


heading = section()
packages = {key: value for key, value in lock["packages"].items()}

ANSWERS = [
    ("events.jsonl", "SELECT level, count(*) FROM rows GROUP BY level ORDER BY level", sorted(map(list, count(e["level"] for e in events).items()))),
    ("events.jsonl", "SELECT max(ms) FROM rows", [[max(e["ms"] for e in events)]]),
    ("events.jsonl", "SELECT msg FROM rows WHERE level = 'error' ORDER BY seq LIMIT 3", [[e["msg"]] for e in events if e["level"] == "error"][:3]),
    ("events.jsonl", "SELECT count(*) FROM rows WHERE ms > 500", [[sum(e["ms"] > 500 for e in events)]]),
    ("report.json", "SELECT status, count(*) FROM rows GROUP BY status ORDER BY status", sorted(map(list, count(r["status"] for r in report).items()))),
    ("report.json", "SELECT id FROM rows WHERE status <> 'ok' ORDER BY id", sorted([r["id"]] for r in report if r["status"] != "ok")),
    ("report.json", "SELECT sum(seconds) FROM rows", [[sum(r["seconds"] for r in report)]]),
    ("report.json", "SELECT totals_ok, totals_failed FROM document", [list(json.loads(text("report.json"))["totals"].values())]),
    ("report-pretty.json", "SELECT id, seconds FROM rows ORDER BY seconds DESC, id LIMIT 3", [[r["id"], r["seconds"]] for r in sorted(pretty, key=lambda r: (-r["seconds"], r["id"]))[:3]]),
    ("report-pretty.json", "SELECT count(*) FROM rows WHERE message LIKE '%done%'", [[sum("done" in r["message"] for r in pretty)]]),
    ("report-pretty.json", "SELECT count(*) FROM lines", [[len(text("report-pretty.json").splitlines())]]),
    ("package-lock.json", "SELECT count(*) FROM rows", [[len(packages)]]),
    ("package-lock.json", "SELECT lockfileVersion FROM document", [[lock["lockfileVersion"]]]),
    ("package-lock.json", "SELECT license, count(*) FROM rows WHERE license IS NOT NULL GROUP BY license ORDER BY 2 DESC, 1 LIMIT 3", top(p["license"] for p in packages.values() if "license" in p)),
    ("package-lock.json", "SELECT count(*) FROM rows WHERE key LIKE 'node_modules/%'", [[sum(k.startswith("node_modules/") for k in packages)]]),
    ("settings.json", "SELECT sum(value) FROM orders", [[sum(v["value"] for v in settings["orders"].values())]]),
    ("settings.json", "SELECT key FROM stock WHERE value = 17", [[k] for k, v in settings["stock"].items() if v["value"] == 17]),
    ("settings.json", "SELECT doc FROM mail WHERE key = 'mail_option_5'", [[settings["mail"]["mail_option_5"]["doc"]]]),
    ("orders.csv", "SELECT status, count(*) FROM rows GROUP BY status ORDER BY status", sorted(map(list, count(o["status"] for o in orders).items()))),
    ("orders.csv", "SELECT sum(amount) FROM rows WHERE status = 'paid'", [[sum(int(o["amount"]) for o in orders if o["status"] == "paid")]]),
    ("orders.csv", "SELECT customer, count(*) FROM rows GROUP BY customer ORDER BY 2 DESC, 1 LIMIT 3", top(o["customer"] for o in orders)),
    ("orders.csv", "SELECT id FROM rows WHERE status NOT IN ('paid') ORDER BY id LIMIT 5", [[int(o["id"])] for o in orders if o["status"] != "paid"][:5]),
    ("measures.csv", "SELECT max(depth), min(depth) FROM rows", [[max(int(m["depth"]) for m in measures), min(int(m["depth"]) for m in measures)]]),
    ("measures.csv", "SELECT note, count(*) FROM rows GROUP BY note ORDER BY 2 DESC, 1 LIMIT 3", top(m["note"] for m in measures)),
    ("measures.csv", "SELECT place FROM rows WHERE note <> 'clear' ORDER BY place LIMIT 4", sorted([m["place"]] for m in measures if m["note"] != "clear")[:4]),
    ("readings.tsv", "SELECT sensor, count(*) FROM rows GROUP BY sensor ORDER BY 2 DESC, 1 LIMIT 3", top(r["sensor"] for r in readings)),
    ("readings.tsv", "SELECT max(celsius) FROM rows", [[max(int(r["celsius"]) for r in readings)]]),
    ("readings.tsv", "SELECT count(*) FROM rows WHERE celsius > 30", [[sum(int(r["celsius"]) > 30 for r in readings)]]),
    ("readings.tsv", "SELECT time FROM rows ORDER BY celsius DESC, time LIMIT 1", [[int(sorted(readings, key=lambda r: (-int(r["celsius"]), int(r["time"])))[0]["time"])]]),
    ("psql-table.txt", "SELECT state, count(*) FROM rows GROUP BY state ORDER BY state", sorted(map(list, count(r["state"] for r in psql).items()))),
    ("psql-table.txt", "SELECT sum(total) FROM rows WHERE state = 'paid'", [[sum(int(r["total"]) for r in psql if r["state"] == "paid")]]),
    ("psql-table.txt", "SELECT id FROM rows WHERE state <> 'paid' ORDER BY id LIMIT 5", [[int(r["id"])] for r in psql if r["state"] != "paid"][:5]),
    ("sqlite-box.txt", "SELECT max(total) FROM rows", [[max(int(r["total"]) for r in box)]]),
    ("sqlite-box.txt", "SELECT count(DISTINCT customer) FROM rows", [[len({r["customer"] for r in box})]]),
    ("sqlite-box.txt", "SELECT state, sum(total) FROM rows GROUP BY state ORDER BY state", [[s, sum(int(r["total"]) for r in box if r["state"] == s)] for s in sorted({r["state"] for r in box})]),
    ("sqlite-list.txt", "SELECT count(*) FROM rows WHERE total > 400", [[sum(int(r["total"]) > 400 for r in plain)]]),
    ("sqlite-list.txt", "SELECT customer FROM rows WHERE id = 700", [[r["customer"]] for r in plain if r["id"] == "700"]),
    ("sqlite-list.txt", "SELECT avg(total) > 200 FROM rows", [[int(sum(int(r["total"]) for r in plain) / len(plain) > 200)]]),
    ("grep-todo.txt", "SELECT file, count(*) FROM rows GROUP BY file ORDER BY 2 DESC, 1 LIMIT 3", top(h[0] for h in todo)),
    ("grep-todo.txt", "SELECT count(*) FROM rows WHERE line > 100", [[sum(int(h[1]) > 100 for h in todo)]]),
    ("grep-todo.txt", "SELECT count(DISTINCT file) FROM rows", [[len({h[0] for h in todo})]]),
    ("grep-context.txt", "SELECT count(*) FROM rows", [[len(context)]]),
    ("grep-context.txt", "SELECT file, max(line) FROM rows GROUP BY file ORDER BY file LIMIT 3", [[f, max(int(h[1]) for h in context if h[0] == f)] for f in sorted({h[0] for h in context})][:3]),
    ("rg-heading.txt", "SELECT file, count(*) FROM rows GROUP BY file ORDER BY 2 DESC, 1 LIMIT 3", top(h[0] for h in heading)),
    ("rg-heading.txt", "SELECT sum(line) FROM rows", [[sum(h[1] for h in heading)]]),
    ("gcc-warnings.txt", "SELECT rule, count(*) FROM rows WHERE severity = 'warning' GROUP BY rule ORDER BY 2 DESC, 1", top((g[5] for g in gcc if g[3] == "warning"), 99)),
    ("gcc-warnings.txt", "SELECT file, line FROM rows WHERE severity = 'error' ORDER BY file, line", sorted([g[0], int(g[1])] for g in gcc if g[3] == "error")),
    ("gcc-warnings.txt", "SELECT count(DISTINCT file) FROM rows", [[len({g[0] for g in gcc})]]),
    ("unittest-many.txt", "SELECT count(*) FROM rows WHERE status = 'failed'", [[sum(u[1] == "FAIL" for u in unit)]]),
    ("unittest-many.txt", "SELECT count(*) FROM rows WHERE status = 'passed'", [[sum(u[1] == "ok" for u in unit)]]),
    ("unittest-many.txt", "SELECT name FROM rows WHERE status = 'failed' ORDER BY name LIMIT 3", sorted([u[0]] for u in unit if u[1] == "FAIL")[:3]),
    ("node-test-tap.txt", "SELECT count(*) FROM rows WHERE status = 'failed'", [[len({t[1] for t in tap if t[0] == "not ok"})]]),
    ("node-test-tap.txt", "SELECT count(*) FROM rows", [[len({t[1] for t in tap})]]),
    ("node-test-passed.txt", "SELECT count(*) FROM rows WHERE status <> 'passed'", [[0]]),
    ("node-test-passed.txt", "SELECT count(*) FROM rows", [[len(set(hits("node-test-passed.txt", r"\s*✔ (.*?) \([\d.]+ms\)")))]]),
    ("node-test-failed.txt", "SELECT name FROM rows WHERE status = 'failed' ORDER BY name", sorted({(n,) for (n,) in hits("node-test-failed.txt", r"\s*✖ (.*?) \([\d.]+ms\)")})),
    ("node-test-failed.txt", "SELECT count(*) FROM rows WHERE seconds > 1", [[sum(float(s) > 1000 for _, s in set(hits("node-test-failed.txt", r"\s*[✔✖] (.*?) \(([\d.]+)ms\)")))]]),
    ("syslog.txt", "SELECT count(*) FROM lines WHERE text LIKE '%error%'", [[sum("error" in line.lower() for line in syslog)]]),
    ("syslog.txt", "SELECT n FROM lines WHERE text LIKE '%fail%' ORDER BY n LIMIT 3", [[at + 1] for at, line in enumerate(syslog) if "fail" in line.lower()][:3]),
    ("python-unittest.txt", "SELECT name, status FROM rows WHERE status IN ('failed', 'error')", sorted([n, {"FAIL": "failed", "ERROR": "error"}[s]] for s, n in hits("python-unittest.txt", r"(FAIL|ERROR): (\w+ \([\w.]+\))"))),
]

path = os.path.join(HERE, "questions.json")
found = [{"output": name, "sql": sql, "answer": [list(row) for row in answer]} for name, sql, answer in ANSWERS]
if "--write" in sys.argv:
    with open(path, "w") as file:
        json.dump(found, file, ensure_ascii=False, indent=1)
        file.write("\n")
else:
    with open(path) as file:
        assert json.load(file) == json.loads(json.dumps(found)), "questions.json differs"
print(len(found), "questions on", len({each["output"] for each in found}), "outputs")
