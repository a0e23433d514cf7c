/** How one language writes what every sample has: an opening, a class with methods, functions, a body. */
export interface SampleLanguage {
  readonly name: string;
  readonly opening: readonly string[];
  readonly open: (className: string) => string;
  readonly method: (name: string, body: readonly string[]) => readonly string[];
  readonly close: readonly string[];
  readonly plain: (name: string, body: readonly string[]) => readonly string[];
  /** A statement that calls something. */
  readonly call: (callee: string, argument: string) => string;
  readonly comment: (text: string) => string;
}

const indented = (body: readonly string[], by: string): string[] => body.map((line) => by + line);
const braces =
  (head: (name: string) => string, by: string) =>
  (name: string, body: readonly string[]): string[] => [by + head(name), ...indented(body, `${by}    `), `${by}}`, ""];
const slashes = (text: string): string => `// ${text}`;
const hash = (text: string): string => `# ${text}`;

/** The thirteen languages. */
export const LANGUAGES: readonly SampleLanguage[] = [
  {
    name: "JavaScript",
    opening: ['const fs = require("node:fs");', 'const { open } = require("./store");', ""],
    open: (name) => `class ${name} {`,
    method: braces((name) => `async ${name}(order) {`, "  "),
    close: ["}", ""],
    plain: braces((name) => `function ${name}(order) {`, ""),
    call: (callee, argument) => `const made = ${callee}(${argument});`,
    comment: slashes,
  },
  {
    name: "TypeScript",
    opening: ['import { open } from "./store.ts";', 'import type { Order } from "./order.ts";', ""],
    open: (name) => `export class ${name} implements Shop {`,
    method: braces((name) => `private ${name}(order: Order): number {`, "  "),
    close: ["}", ""],
    plain: (name, body) => [`export const ${name} = (order: Order): number => {`, ...indented(body, "  "), "};", ""],
    call: (callee, argument) => `const made: number = ${callee}(${argument});`,
    comment: slashes,
  },
  {
    name: "Python",
    opening: ["import os", "from store import open_store", ""],
    open: (name) => `class ${name}(Shop):`,
    method: (name, body) => [`    def ${name}(self, order):`, ...indented(body, "        "), ""],
    close: [""],
    plain: (name, body) => [`def ${name}(order, *, strict=False):`, ...indented(body, "    "), "", ""],
    call: (callee, argument) => `made = ${callee}(${argument})`,
    comment: hash,
  },
  {
    name: "Go",
    opening: ["package shop", "", "import (", '\t"fmt"', '\t"os"', ")", ""],
    open: (name) => `type ${name} struct {`,
    method: (name, body) => [`func (s *Shop) ${name}(order Order) error {`, ...indented(body, "\t"), "}", ""],
    close: ["\torders []Order", "}", ""],
    plain: (name, body) => [`func ${name}(order Order) error {`, ...indented(body, "\t"), "}", ""],
    call: (callee, argument) => `made := ${callee}(${argument})`,
    comment: slashes,
  },
  {
    name: "Rust",
    opening: ["use std::fs;", "use crate::store::Store;", ""],
    open: (name) => `impl ${name} {`,
    method: braces((name) => `pub fn ${name}(&mut self, order: &Order) -> Result<u64> {`, "    "),
    close: ["}", ""],
    plain: braces((name) => `fn ${name}(order: &Order) -> Option<u64> {`, ""),
    call: (callee, argument) => `let made = ${callee}(${argument})?;`,
    comment: slashes,
  },
  {
    name: "Java",
    opening: ["package org.example.shop;", "", "import java.util.List;", "import java.util.Map;", ""],
    open: (name) => `public final class ${name} implements Shop {`,
    method: braces((name) => `public static int ${name}(final Order order) throws ShopException {`, "    "),
    close: ["}", ""],
    plain: braces((name) => `static int ${name}(Order order) {`, ""),
    call: (callee, argument) => `int made = ${callee}(${argument});`,
    comment: slashes,
  },
  {
    name: "Kotlin",
    opening: ["package org.example.shop", "", "import java.io.File", "import org.example.Store", ""],
    open: (name) => `class ${name}(private val store: Store) : Shop {`,
    method: braces((name) => `override suspend fun ${name}(order: Order): Int {`, "    "),
    close: ["}", ""],
    plain: braces((name) => `fun ${name}(order: Order): Int {`, ""),
    call: (callee, argument) => `val made = ${callee}(${argument})`,
    comment: slashes,
  },
  {
    name: "C",
    opening: ["#include <stdio.h>", '#include "store.h"', ""],
    open: (name) => `struct ${name} {`,
    method: (name, body) => [
      "static int",
      `${name}(struct order *order, size_t count)`,
      "{",
      ...indented(body, "\t"),
      "}",
      "",
    ],
    close: ["\tint count;", "};", ""],
    plain: braces((name) => `static int ${name}(struct order *order) {`, ""),
    call: (callee, argument) => `int made = ${callee}(${argument});`,
    comment: (text) => `/* ${text} */`,
  },
  {
    name: "C++",
    opening: ["#include <vector>", "#include <string>", "", "namespace shop {", ""],
    open: (name) => `class ${name} : public Shop {`,
    method: (name, body) => [`int Shop::${name}(const Order &order) const`, "{", ...indented(body, "    "), "}", ""],
    close: ["public:", "    int count() const;", "};", ""],
    plain: braces((name) => `static std::vector<int> ${name}(const Order &order) {`, ""),
    call: (callee, argument) => `auto made = ${callee}(${argument});`,
    comment: slashes,
  },
  {
    name: "C#",
    opening: ["using System;", "using System.Linq;", "", "namespace Example.Shop;", ""],
    open: (name) => `public sealed class ${name} : IShop\n{`,
    method: (name, body) => [
      `    public async Task<int> ${name}(Order order)`,
      "    {",
      ...indented(body, "        "),
      "    }",
      "",
    ],
    close: ["}", ""],
    plain: (name, body) => [
      `    private static int ${name}(Order order)`,
      "    {",
      ...indented(body, "        "),
      "    }",
      "",
    ],
    call: (callee, argument) => `var made = ${callee}(${argument});`,
    comment: slashes,
  },
  {
    name: "Ruby",
    opening: ['require "json"', 'require_relative "store"', ""],
    open: (name) => `class ${name} < Shop`,
    method: (name, body) => [`  def ${name}(order)`, ...indented(body, "    "), "  end", ""],
    close: ["end", ""],
    plain: (name, body) => [`def ${name}(order, strict: false)`, ...indented(body, "  "), "end", ""],
    call: (callee, argument) => `made = ${callee}(${argument})`,
    comment: hash,
  },
  {
    name: "PHP",
    opening: ["<?php", "", "namespace Example\\Shop;", "", "use Example\\Store;", ""],
    open: (name) => `final class ${name} extends Shop\n{`,
    method: (name, body) => [
      `    public function ${name}(Order $order): int`,
      "    {",
      ...indented(body, "        "),
      "    }",
      "",
    ],
    close: ["}", ""],
    plain: (name, body) => [`function ${name}($order)`, "{", ...indented(body, "    "), "}", ""],
    call: (callee, argument) => `$made = ${callee}($${argument});`,
    comment: slashes,
  },
  {
    name: "Swift",
    opening: ["import Foundation", "import Store", ""],
    open: (name) => `public final class ${name}: Shop {`,
    method: braces((name) => `private func ${name}(_ order: Order) throws -> Int {`, "    "),
    close: ["}", ""],
    plain: braces((name) => `func ${name}(order: Order) -> Int {`, ""),
    call: (callee, argument) => `let made = try ${callee}(${argument})`,
    comment: slashes,
  },
  {
    name: "shell",
    opening: ["#!/usr/bin/env bash", "set -euo pipefail", ""],
    open: (name) => `${name}() {`,
    method: (name, body) => [`${name}() {`, ...indented(body, "  "), "}", ""],
    close: ["  true", "}", ""],
    plain: (name, body) => [`function ${name} {`, ...indented(body, "  "), "}", ""],
    call: (callee, argument) => `made="$(${callee} "$${argument}")"`,
    comment: hash,
  },
];

const METHODS = ["loadOrders", "countItems", "applyDiscount", "sendInvoice", "closeAccount", "mergeCarts"];
const FUNCTIONS = ["parseAmount", "formatAddress", "renderReceipt", "archiveYear", "checkStock", "splitShipment"];

/** The body of a function: calls that say nothing, and in one of them what is asked for. */
function bodyOf(language: SampleLanguage, name: string): string[] {
  const calls = Array.from({ length: 9 }, (_, index) => language.call(`step${index}Of${name.length}`, "order"));
  if (name !== "applyDiscount") return calls;
  return [
    ...calls.slice(0, 4),
    language.comment("the rebate is rounded to cents"),
    language.call("roundRebate", "order"),
    ...calls.slice(4),
  ];
}

/** A source with a class, six methods and six functions. */
export function sampleSource(language: SampleLanguage): string {
  const inside =
    language.close[0]?.startsWith("\t") ||
    language.close.length > 2 ||
    language.name === "shell" ||
    language.name === "C++";
  const methods = METHODS.flatMap((name) => language.method(name, bodyOf(language, name)));
  const opened = inside
    ? [language.open("OrderBook"), ...language.close, ...methods]
    : [language.open("OrderBook"), ...methods, ...language.close];
  const functions = FUNCTIONS.flatMap((name) => language.plain(name, bodyOf(language, name)));
  return `${[...language.opening, ...opened, ...functions].join("\n")}\n`;
}

/** The lines of one method as they stand in the sample. */
export function methodLines(language: SampleLanguage, name: string): string[] {
  return language.method(name, bodyOf(language, name)).filter((line) => line.trim() !== "");
}
