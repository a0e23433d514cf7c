import { useState } from "preact/hooks";
import type { GrepPage } from "../api.ts";
import { Link } from "./link.tsx";
import { grepOutput, searchOutputs } from "./source.ts";
import { useAnswer } from "./use-answer.ts";
import { count, time, word } from "./words.ts";

interface FindFormProps {
  readonly id: string;
  readonly found: GrepPage | undefined;
  readonly tell: (found: GrepPage | undefined) => void;
  readonly show: (line: number) => void;
}

/** Finds lines of an output, one match after the other. */
export function FindForm({ id, found, tell, show }: FindFormProps) {
  const [pattern, setPattern] = useState("");
  const [error, setError] = useState("");
  const [at, setAt] = useState(-1);
  const find = async (event: Event) => {
    event.preventDefault();
    if (pattern === "") return tell(undefined);
    const step = found !== undefined && at >= 0 && found.matches.length > 0 ? (at + 1) % found.matches.length : -1;
    if (step >= 0) {
      setAt(step);
      return show(found?.matches[step]?.line ?? 1);
    }
    try {
      const answer = await grepOutput(id, pattern, false).catch(() => grepOutput(id, pattern, true));
      setError("");
      tell(answer);
      setAt(0);
      if (answer.matches[0] !== undefined) show(answer.matches[0].line);
    } catch (failure) {
      setError((failure as Error).message);
    }
  };
  return (
    <form onSubmit={find}>
      <input
        type="search"
        value={pattern}
        placeholder={word("find")}
        aria-label={word("find")}
        onInput={(event) => {
          setPattern(event.currentTarget.value);
          setAt(-1);
        }}
      />
      {found && (
        <span class="quiet" role="status">
          {at >= 0 ? `${at + 1} / ` : ""}
          {count(found.total)} {word("matches")}
        </span>
      )}
      {error && <span class="bad">{error}</span>}
    </form>
  );
}

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
