import { byteLength } from "../../../bytes/utf8.ts";
import type { Piece, Position } from "../analyzer.ts";
import { type Chosen, shownChildren } from "./choose-nodes.ts";
import type { JsonNode } from "./json-node.ts";
import { showHead } from "./shown-head.ts";

/** The regions of the output that a drawing of what is chosen shows. */
export function piecesOf(root: JsonNode, chosen: Chosen): Piece[] {
  const pieces: Piece[] = [];
  for (const child of root.count === 1 ? root.children : shownChildren(root, chosen)) addPieces(child, chosen, pieces);
  return pieces;
}

function addPieces(node: JsonNode, chosen: Chosen, pieces: Piece[]): void {
  const { text, start, cutBytes } = node.head;
  if (node.type !== "scalar") {
    if (cutBytes === 0) add(node, start, text, pieces);
    for (const child of shownChildren(node, chosen)) addPieces(child, chosen, pieces);
    return;
  }
  const { beginning, ending } = showHead(node, chosen.get(node) ?? 0);
  add(node, start, beginning, pieces);
  if (ending !== "") addEnding(node, ending, pieces);
}

function addEnding(node: JsonNode, ending: string, pieces: Piece[]): void {
  const { text, start, tail } = node.head;
  if (tail === undefined) {
    const before = text.slice(0, text.length - ending.length);
    if (!before.includes("\ufffd")) add(node, positionAfter(start, before, byteLength(before)), ending, pieces);
    return;
  }
  const { line, byte, char } = tail.end;
  add(node, { line, byte: byte - byteLength(ending), char: char - ending.length, inLine: true }, ending, pieces);
}

function add(node: JsonNode, start: Position, shown: string, pieces: Piece[]): void {
  // Bytes that are no text decode to a replacement of another length: then no region of it is exact.
  const { ascii } = node.head;
  if (!ascii && shown.includes("\ufffd")) return;
  const score = node.value;
  const reason = score > 0.4 ? "value that matters" : "structure";
  pieces.push({ start, end: positionAfter(start, shown, ascii ? shown.length : byteLength(shown)), reason, score });
}

/** Where the output stands after this text of so many bytes. */
function positionAfter(start: Position, text: string, bytes: number): Position {
  let line = start.line;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) line++;
  const inLine = text === "" ? start.inLine : !text.endsWith("\n");
  return { line, byte: start.byte + bytes, char: start.char + text.length, inLine };
}
