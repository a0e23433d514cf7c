import { ZERO } from "../zero.ts";
import { type ElementInfo, elementInfo } from "./elements.ts";

/** An element that may hold an article; its credit is what the texts in it are worth. */
export interface Container {
  credit: number;
}

/** An element that is open, or was: the next at its depth takes its place. */
class OpenElement {
  info = elementInfo("");
  weight = ZERO;
  /** Of what kind a block in it is. */
  kind = "";
  /** What a block in it stands in; made with the first. */
  around: readonly Container[] | undefined = undefined;
  readonly parent: OpenElement | undefined;
  #inner: OpenElement | undefined = undefined;

  constructor(parent: OpenElement | undefined) {
    this.parent = parent;
  }

  /** The one that is open within this. */
  get inner(): OpenElement {
    this.#inner ??= new OpenElement(this);
    return this.#inner;
  }
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
  top = outermost();
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
    const element = parent.inner;
    element.info = info;
    element.weight = Math.max(MIN_WEIGHT, Math.min(2, parent.weight * info.weight * told));
    element.kind = info.cell ? "tr" : info.block ? info.name : parent.kind;
    element.around = undefined;
    this.top = element;
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

function outermost(): OpenElement {
  const element = new OpenElement(undefined);
  element.weight = 1;
  element.around = [{ credit: ZERO }];
  return element;
}

function aroundOf(element: OpenElement): readonly Container[] {
  const { info, parent, around } = element;
  if (around !== undefined || parent === undefined) return around ?? [];
  const outer = aroundOf(parent);
  element.around = info.container ? [{ credit: ZERO }, ...outer.slice(0, MAX_AROUND - 1)] : outer;
  return element.around;
}
