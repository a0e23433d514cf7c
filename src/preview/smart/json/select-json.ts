import { fitsRoom } from "../../fit.ts";
import { roomChars } from "../../lines/fill-room.ts";
import { makeSelection, NOTHING, type Room, type Selection } from "../analyzer.ts";
import { Choice } from "./choose-nodes.ts";
import type { JsonNode } from "./json-node.ts";
import { piecesOf } from "./json-pieces.ts";
import type { Plan } from "./plan-preview.ts";
import { JsonDrawing } from "./render-json.ts";

const MAX_ROUNDS = 7;
const GROWTH = 1.4;
/** Two budgets that are nearer show about the same. */
const NEAR_CHARS = 100;
const NEAR_SHARE = 1 / 32;
/** What is left of the room then is hardly worth another drawing. */
const FULL = 0.98;

/** Shows as much of a plan as the room holds: what it takes is known once it is drawn, so budgets are tried out. */
export function selectJson(root: JsonNode, plan: Plan, room: Room, totalBytes: number): Selection {
  const choice = new Choice(plan);
  const drawing = new JsonDrawing(root, choice.chosen, totalBytes);
  let best: { readonly text: string; readonly budget: number } | undefined;
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  let budget = roomChars(room);
  for (let round = 0; round < MAX_ROUNDS && high - low > Math.max(NEAR_CHARS, budget * NEAR_SHARE); round++) {
    const text = drawing.draw(choice.fill(budget));
    if (fitsRoom(text, room)) {
      low = budget;
      const same = text.length === best?.text.length;
      if (best === undefined || text.length > best.text.length) best = { text, budget };
      if (best.text.length > FULL * roomChars(room)) break;
      if (same && high === Number.POSITIVE_INFINITY) break;
    } else {
      high = budget;
    }
    budget = high === Number.POSITIVE_INFINITY ? budget * GROWTH : (low + high) / 2;
  }
  if (best === undefined) return NOTHING;
  choice.fill(best.budget);
  return makeSelection(best.text, piecesOf(root, choice.chosen));
}
