import type { PreviewAnswer } from "../api.ts";
import { count } from "./format.ts";
import { TableHead } from "./table-head.tsx";
import { word } from "./words.ts";

/** Why each block of lines was kept. */
export function Reasons({ preview, show }: { readonly preview: PreviewAnswer; readonly show: (line: number) => void }) {
  return (
    <div class="scrolls" tabIndex={0}>
      <table class="list">
        <TableHead columns={[word("lines"), word("reason"), { number: word("score") }]} />
        <tbody>
          {preview.blocks.map(({ startLine, endLine, reason, score }) => (
            <tr key={startLine}>
              <td>
                <button type="button" class="plain" onClick={() => show(startLine)}>
                  {startLine === endLine ? count(startLine) : `${count(startLine)}–${count(endLine)}`}
                </button>
              </td>
              <td>{reason}</td>
              <td class="number">{score.toFixed(1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
