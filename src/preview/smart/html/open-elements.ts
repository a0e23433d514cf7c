import { ZERO } from "../zero.ts";
import { type ElementInfo, elementInfo } from "./elements.ts";

/** An element that may hold an article; its credit is what the texts in it are worth. */
export interface Container {
  credit: number;
}

/** An element that is open. */
interface OpenElement {
  readonly info: ElementInfo;
  readonly weight: number;
  /** Of what kind a block in it is. */
  readonly kind: string;
  readonly parent: OpenElement | undefined;
  /** What a block in it stands in; made with the first. */
  around: readonly Container[] | undefined;
}

const MAX_DEPTH = 300;
/** An end tag closes an element no farther out than this. */
const MAX_CLOSED = 39;
const MAX_AROUND = 5;
/** Menus that are never closed hold all that follows: what they say must not be lost. */
const MIN_WEIGHT = 0.01;

/** The elements around a place of a page. */
export class OpenElements {
  /** The innermost. */
  top: OpenElement = { info: elementInfo(""), weight: 1, kind: "", parent: undefined, around: [{ credit: ZERO }] };
  #depth = 1;
  /** Elements that are open below the deepest that is known. */
  #deeper = 0;

  /** `told` is what the start tag says of the texts within. */
  open(info: ElementInfo, told: number): void {
    if (info.closesItself && this.top.info.name === info.name) this.#pop();
    if (this.#depth >= MAX_DEPTH) {
      this.#deeper++;
      return;
    }
    const parent = this.top;
    const weight = Math.max(MIN_WEIGHT, Math.min(2, parent.weight * info.weight * told));
    const kind = info.cell ? "tr" : info.block ? info.name : parent.kind;
    this.top = { info, weight, kind, parent, around: undefined };
    this.#depth++;
  }

  close({ name }: ElementInfo): void {
    if (this.#deeper > 0) {
      this.#deeper--;
      return;
    }
    let element = this.top;
    for (let up = 0; up < MAX_CLOSED && element.parent !== undefined; up++) {
      if (element.info.name === name) {
        while (this.top !== element) this.#pop();
        this.#pop();
        return;
      }
      element = element.parent;
    }
  }

  /** What may hold an article around here, the nearest first. */
  get around(): readonly Container[] {
    return aroundOf(this.top);
  }

  #pop(): void {
    if (this.top.parent === undefined) return;
    this.top = this.top.parent;
    this.#depth--;
  }
}

function aroundOf(element: OpenElement): readonly Container[] {
  const { info, parent, around } = element;
  if (around !== undefined || parent === undefined) return around ?? [];
  const outer = aroundOf(parent);
  element.around = info.container ? [{ credit: ZERO }, ...outer.slice(0, MAX_AROUND - 1)] : outer;
  return element.around;
}
