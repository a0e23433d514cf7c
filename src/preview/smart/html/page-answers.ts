import type { Answer } from "../answers/choose-answers.ts";
import type { PageBlock } from "./page-blocks.ts";
import { isHeading, linkDensity } from "./prose-worth.ts";

/** From here on a block is a link to what is told elsewhere. */
const MERE_LINK = 0.5;

/** The blocks in which answers stand, the best first; for a link in a table of contents the heading that it leads to. */
export function answeringBlocks(blocks: readonly PageBlock[], answers: readonly Answer[]): readonly PageBlock[] {
  return answers.flatMap(({ row }) =>
    blocks
      .filter(({ runs }) => runs.some(({ start, end }) => start.byte < row.byte + row.bytes && end.byte > row.byte))
      .flatMap((block) => {
        if (linkDensity(block) < MERE_LINK) return [block];
        return blocks.filter((other) => isHeading(other) && other.text === block.text);
      }),
  );
}
