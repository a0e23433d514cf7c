import { time } from "./format.ts";
import { Link } from "./link.tsx";
import { searchOutputs } from "./source.ts";
import { useAnswer } from "./use-answer.ts";
import { word } from "./words.ts";

/** Passages of any saved output that answer to some words. */
export function SearchPage({ words }: { readonly words: string }) {
  const answer = useAnswer(words, () => searchOutputs(words));
  return (
    <>
      <h1>
        {word("search")}: {words}
      </h1>
      {answer.error && <p class="error">{answer.error}</p>}
      {answer.waiting && (
        <p class="quiet" role="status">
          {word("reading")}
        </p>
      )}
      {answer.value?.hits.map((hit) => (
        <article class="passage" key={`${hit.id} ${hit.startLine}`}>
          <Link to={`/outputs/${hit.id}?line=${hit.startLine}`}>
            {hit.tool} · {time(hit.at)} · {word("lines")} {hit.startLine}
          </Link>
          <pre>{hit.text}</pre>
        </article>
      ))}
      {answer.value?.hits.length === 0 && <p>0 {word("matches")}</p>}
    </>
  );
}
