import { describe, expect, it } from "vitest";
import { preview } from "../../../src/preview/preview.ts";

const many = (line: (at: number) => string, count = 120): string =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");

/** Sources with words of trouble in them, and names that can be asked for. */
const SOURCES: readonly { readonly name: string; readonly text: string; readonly names: readonly string[] }[] = [
  {
    name: "SQL, a dump of a database",
    text: `BEGIN TRANSACTION;\nCREATE TABLE errors (id integer PRIMARY KEY, message text);\n${many((at) => `INSERT INTO errors VALUES (${at}, 'fatal error ${at}: connection refused');`, 900)}\nCREATE TABLE orders (\n    id integer NOT NULL,\n    state text\n);\n${many((at) => `INSERT INTO orders VALUES (${at}, 'failed');`, 900)}\nCREATE UNIQUE INDEX orders_state ON orders (state);\nCREATE OR REPLACE FUNCTION close_order() RETURNS void AS $$\nBEGIN\n    UPDATE orders SET state = 'closed';\nEND;\n$$ LANGUAGE plpgsql;\nCOMMIT;\n`,
    names: ["CREATE TABLE errors", "CREATE TABLE orders", "INDEX orders_state", "FUNCTION close_order"],
  },
  {
    name: "Perl",
    text: `package Shop::Orders;\nuse strict;\nuse warnings;\nuse Carp;\n\n${many((at) => `# Dies with an error when order ${at} failed.\nsub order_${at} {\n    my ($self, %args) = @_;\n    die "error: order failed\\n" unless $args{id};\n    return $self->{orders}->[${at}];\n}\n`)}\n1;\n`,
    names: ["package Shop::Orders;", "sub order_0 {", "order_60"],
  },
  {
    name: "Lua",
    text: `local json = require("json")\nlocal Shop = {}\n\n${many((at) => `-- raises an error when it failed\nfunction Shop:order_${at}(id)\n  if id == nil then\n    error("order failed: " .. tostring(id))\n  end\n${"  local more = self:count()\n".repeat(at % 7)}  local found = self.orders[${at}]\n  return found\nend\n`)}\nreturn Shop\n`,
    names: ['local json = require("json")', "function Shop:order_0(id)", "order_60"],
  },
  {
    name: "Scala",
    text: `package shop\n\nimport scala.util.Try\nimport shop.store.{Order, Store}\n\ntrait Failing\n\ncase class Shop(store: Store) extends Failing {\n${many((at) => `  /** Fails with an error. */\n  def order${at}(id: Int): Try[Order] = {\n${"    val more = store.count()\n".repeat(at % 7)}    val found = store.find(id)\n    found match {\n      case Some(order) => order\n      case None => throw new IllegalStateException("error: failed")\n    }\n  }\n`)}\n}\n`,
    names: ["package shop", "case class Shop", "def order0(id: Int)", "order60"],
  },
  {
    name: "Elixir",
    text: `defmodule Shop.Orders do\n  @moduledoc "Orders that failed, and errors."\n  alias Shop.Store\n\n${many((at) => `  @doc "Fails with an error."\n  def order_${at}(id) do\n    case Store.find(id) do\n      {:ok, order} -> order\n      {:error, reason} -> raise "error: #{reason}"\n    end\n  end\n`)}\nend\n`,
    names: ["defmodule Shop.Orders do", "def order_0(id) do", "order_60"],
  },
  {
    name: "R",
    text: `library(dplyr)\nlibrary(stats)\n\n${many((at) => `#' Stops with an error when it failed.\norder_${at} <- function(data, id = NULL) {\n  if (is.null(id)) stop("error: order failed")\n${"  more <- nrow(data)\n".repeat(at % 7)}  found <- data %>%\n    filter(key == id)\n  found$total\n}\n`)}\n`,
    names: ["library(dplyr)", "order_0 <- function(data, id = NULL) {", "order_60"],
  },
  {
    name: "a Makefile",
    text: `CC := gcc\nCFLAGS ?= -O2 -Wall -Werror\nSOURCES = $(wildcard src/*.c)\n.PHONY: all clean\n\nall: $(OUT)\n\n${many((at) => `build/part-${at}: $(SOURCES)\n\t@echo "error: part ${at} failed" && false || true\n${"\t@mkdir -p $(@D)\n".repeat(at % 7)}\t$(CC) $(CFLAGS) -o $@ $<\n`)}\n`,
    names: ["CC := gcc", "build/part-0: $(SOURCES)"],
  },
  {
    name: "CMake",
    text: `cmake_minimum_required(VERSION 3.20)\nproject(shop LANGUAGES C)\n\n${many((at) => `function(add_part_${at} name)\n  if(NOT TARGET \${name})\n    message(FATAL_ERROR "error: \${name} failed")\n  endif()\n  target_link_libraries(\${name} PRIVATE part${at})\n  set(PART_${at} ON)\nendfunction()\n`)}\nadd_executable(shop main.c)\n`,
    names: ["cmake_minimum_required(VERSION 3.20)", "function(add_part_0 name)", "add_part_60"],
  },
];

describe("a source that is asked for a name", () => {
  it.each(SOURCES)("$name", ({ text, names }) => {
    for (const line of names) {
      const shown = preview(text, { strategy: "smart", maxBytes: 4000, query: `where is ${line}?` });
      expect(shown.shape).toBe("code");
      expect(shown.text).toContain(line);
    }
  });
});

describe("what speaks of such sources stays a log", () => {
  const LOGS: readonly { readonly name: string; readonly text: string; readonly error: string }[] = [
    {
      name: "make",
      text: `${many((at) => `make[1]: Entering directory '/src/part-${at}'\ngcc -O2 -Wall -c -o part-${at}.o part-${at}.c\nmake[1]: Leaving directory '/src/part-${at}'`, 300)}\nmake: *** [Makefile:12: all] Error 2\n`,
      error: "make: *** [Makefile:12: all] Error 2",
    },
    {
      name: "cmake",
      text: `${many((at) => `-- Looking for function_${at}\n-- Looking for function_${at} - found`, 300)}\nCMake Error at CMakeLists.txt:31 (find_package):\n  Could not find a package configuration file provided by "Qt9".\n${many((at) => `-- Performing Test HAS_FLAG_${at} - Success`, 300)}\n-- Configuring incomplete, errors occurred!\n`,
      error: "CMake Error at CMakeLists.txt:31 (find_package):",
    },
    {
      name: "psql",
      text: `${many(() => "INSERT 0 1", 900)}\npsql:dump.sql:901: ERROR:  relation "orders" does not exist\n${many(() => "CREATE TABLE\nALTER TABLE", 450)}\n`,
      error: 'ERROR:  relation "orders" does not exist',
    },
    {
      name: "a database that logs its statements",
      text: `${many((at) => `2026-11-18 10:00:${String(at % 60).padStart(2, "0")}.123 UTC [${at}] LOG:  statement: SELECT * FROM orders WHERE id = ${at};`, 600)}\n2026-11-18 10:11:00.123 UTC [77] FATAL:  terminating connection due to administrator command\n${many((at) => `2026-11-18 10:12:00.123 UTC [${at}] LOG:  statement: INSERT INTO orders VALUES (${at});`, 600)}\n`,
      error: "FATAL:  terminating connection",
    },
  ];
  it.each(LOGS)("$name", ({ text, error }) => {
    const shown = preview(text, { strategy: "smart", maxBytes: 3000 });
    expect(shown.shape).not.toBe("code");
    expect(shown.text).toContain(error);
  });
});
