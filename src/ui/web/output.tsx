import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { GrepPage, OutputDetail, PreviewAnswer } from "../api.ts";
import { PreviewPane } from "./preview-pane.tsx";
import { Scroller, type ScrollerHandle } from "./scroller.tsx";
import { FindForm } from "./search.tsx";
import { TableHead } from "./sessions.tsx";
import { addressOf, exported, readOutput, readPreview } from "./source.ts";
import { isTyping, useAnswer, useKeys } from "./use-answer.ts";
import { ShapeView, viewsFor } from "./views.tsx";
import { bytes, count, percent, time, word } from "./words.ts";

interface Settings {
  readonly strategy: string;
  readonly max_lines: string;
  readonly max_bytes: string;
  readonly max_chars: string;
  readonly max_tokens: string;
  readonly query: string;
}

const AS_SHOWN: Settings = { strategy: "", max_lines: "", max_bytes: "", max_chars: "", max_tokens: "", query: "" };
const STRATEGIES = ["smart", "head_tail", "head", "tail"];
const LIMITS = [
  ["max_lines", "maxLines"],
  ["max_bytes", "maxBytes"],
  ["max_chars", "maxChars"],
  ["max_tokens", "maxTokens"],
] as const;
const PATIENCE_MS = 250;

/** One output: the preview that the model saw, next to the full output. */
export function OutputPage({ id, at }: { readonly id: string; readonly at: URLSearchParams }) {
  const detail = useAnswer(id, () => readOutput(id));
  const [settings, setSettings] = useState(AS_SHOWN);
  const [asked, setAsked] = useState(AS_SHOWN);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(settings), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [settings]);
  const preview = useAnswer(id + JSON.stringify(asked), () => readPreview(id, { ...asked }));
  const [explained, setExplained] = useState(false);
  const [found, setFound] = useState<GrepPage>();
  const [view, setView] = useState("text");
  const scroller = useRef<ScrollerHandle>(null);
  const jump = useRef<HTMLInputElement>(null);
  const show = (line: number) => scroller.current?.show(line);
  const blocks = preview.value?.blocks ?? [];
  const current = useRef(-1);
  useKeys((event) => {
    if (isTyping(event)) return;
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === "e") setExplained((before) => !before);
    if (event.key === "g") {
      event.preventDefault();
      jump.current?.focus();
    }
    const step = event.key === "j" ? 1 : event.key === "k" ? -1 : 0;
    if (step === 0 || blocks.length === 0) return;
    current.current = Math.max(0, Math.min(blocks.length - 1, current.current + step));
    show(blocks[current.current]?.startLine ?? 1);
  });
  const first = Number(at.get("line") ?? firstToShow(preview.value));
  const hits = useMemo(() => found?.matches.map(({ line }) => line) ?? [], [found]);
  if (detail.error) return <p class="error">{detail.error}</p>;
  if (detail.value === undefined) return <p class="quiet">{word("reading")}</p>;
  const { row } = detail.value;
  const views = viewsFor(preview.value?.shape ?? row.shape, detail.value.image, row.bytes);
  return (
    <>
      <Facts detail={detail.value} preview={preview.value} />
      <div class="panes">
        <section class="pane" aria-label={word("modelSaw")}>
          <h2>{word("modelSaw")}</h2>
          <SettingsForm settings={settings} change={setSettings} preview={preview.value} shown={detail.value.shown} />
          {preview.error && <p class="error">{preview.error}</p>}
          {preview.value === undefined ? (
            <p class="quiet" role="status">
              {word("reading")}
            </p>
          ) : explained ? (
            <Reasons preview={preview.value} show={show} />
          ) : (
            <PreviewPane id={id} preview={preview.value} show={show} waiting={preview.waiting} />
          )}
          <p class="actions">
            <button type="button" aria-pressed={explained} onClick={() => setExplained(!explained)}>
              {word("reasons")} <kbd>e</kbd>
            </button>
            {preview.value?.notice && <CopyButton text={preview.value.notice} name={word("copyHint")} />}
          </p>
        </section>
        <section class="pane" aria-label={word("whole")}>
          <h2>{word("whole")}</h2>
          <div class="tools">
            <FindForm id={id} found={found} tell={setFound} show={show} />
            <form
              onSubmit={(event) => {
                event.preventDefault();
                show(Number(jump.current?.value.replaceAll(",", "")) || 1);
                jump.current?.blur();
              }}
            >
              <input
                ref={jump}
                class="short"
                inputMode="numeric"
                placeholder={`${word("jump")}  g`}
                aria-label={word("jump")}
              />
            </form>
            {views.length > 1 && (
              <select value={view} onChange={(event) => setView(event.currentTarget.value)} aria-label={word("view")}>
                {views.map((each) => (
                  <option key={each} value={each}>
                    {each === "text" ? word("text") : each}
                  </option>
                ))}
              </select>
            )}
          </div>
          {view === "text" ? (
            <Scroller ref={scroller} id={id} totalLines={row.lines} kept={blocks} hits={hits} first={first} />
          ) : (
            <ShapeView id={id} view={view} bytes={row.bytes} />
          )}
        </section>
      </div>
    </>
  );
}

/** The first line to look at: the most important one. */
function firstToShow(preview: PreviewAnswer | undefined): number {
  const causes = preview?.blocks.filter(({ reason }) => reason !== "summary") ?? [];
  const best = causes.sort((left, right) => right.score - left.score)[0];
  return best === undefined || best.score <= 0 ? 1 : best.startLine;
}

function Facts({ detail, preview }: { readonly detail: OutputDetail; readonly preview: PreviewAnswer | undefined }) {
  const { row } = detail;
  return (
    <div class="facts">
      <h1>{row.tool}</h1>
      <dl>
        {row.command && <Fact name={word("command")} value={row.command} />}
        <Fact name={word("time")} value={time(row.at)} />
        <Fact name={word("from")} value={row.surface} />
        <Fact name={word("size")} value={`${bytes(row.bytes)}, ${count(row.lines)} ${word("maxLines")}`} />
        {row.shown && (
          <Fact
            name={word("shown")}
            value={`${bytes(row.shown.bytes)} (${percent(row.shown.bytes, row.bytes)}), ~${count(row.shown.tokens)} ${word("tokens")}`}
          />
        )}
        <Fact name={word("shape")} value={row.shape ?? preview?.shape ?? ""} />
        <Fact name={word("outcome")} value={[row.outcome, messageOf(detail), row.trouble].filter(Boolean).join(": ")} />
      </dl>
      {exported === undefined && row.id !== undefined && (
        <p class="actions">
          <a class="button" href={addressOf(`outputs/${row.id}/raw`)} download={detail.name}>
            {word("download")}
          </a>
          <CopyButton text={detail.path} name={word("copyPath")} />
        </p>
      )}
    </div>
  );
}

function messageOf({ shown }: OutputDetail): string {
  const outcome = shown?.outcome as { readonly message?: string } | undefined;
  return outcome?.message ?? "";
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  if (value === "") return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

interface SettingsFormProps {
  readonly settings: Settings;
  readonly change: (settings: Settings) => void;
  readonly preview: PreviewAnswer | undefined;
  readonly shown: OutputDetail["shown"];
}

function SettingsForm({ settings, change, preview, shown }: SettingsFormProps) {
  if (exported !== undefined) return null;
  const same = Object.values(settings).every((value) => value === "");
  const was = (key: string) => String(shown?.[key] ?? "");
  const state = !same ? "changed" : preview?.asShown === true ? "exact" : "notExact";
  return (
    <div class="tools">
      <select
        value={settings.strategy}
        onChange={(event) => change({ ...settings, strategy: event.currentTarget.value })}
        aria-label={word("strategy")}
      >
        <option value="">{was("strategy") || "smart"}</option>
        {STRATEGIES.filter((each) => each !== was("strategy")).map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      <fieldset class="limits">
        <legend>{word("atMost")}</legend>
        {LIMITS.filter(([, name], at) => at < 2 || was(name) !== "").map(([key, name]) => (
          <label key={key}>
            <input
              class="short"
              inputMode="numeric"
              value={settings[key]}
              placeholder={was(name) && count(Number(was(name)))}
              onInput={(event) => change({ ...settings, [key]: digits(event.currentTarget.value) })}
            />{" "}
            {word(name)}
          </label>
        ))}
      </fieldset>
      <input
        value={settings.query}
        placeholder={was("query").replaceAll(/\s+/g, " ") || word("question")}
        title={was("query")}
        aria-label={word("question")}
        onInput={(event) => change({ ...settings, query: event.currentTarget.value })}
      />
      {!same && (
        <button type="button" onClick={() => change(AS_SHOWN)}>
          {word("reset")}
        </button>
      )}
      {preview !== undefined && <span class="quiet">{word(state)}</span>}
      {preview?.unanswered && <span class="bad">{word("unanswered")}</span>}
    </div>
  );
}

const digits = (text: string) => text.replaceAll(/^0+|\D/g, "");

function CopyButton({ text, name }: { readonly text: string; readonly name: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text).catch(() => undefined);
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return (
    <button type="button" onClick={copy}>
      {done ? word("copied") : name}
    </button>
  );
}

/** Why each block of lines was kept. */
function Reasons({ preview, show }: { readonly preview: PreviewAnswer; readonly show: (line: number) => void }) {
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
