import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { HealthPage } from "./health.tsx";
import { go, Link, place } from "./link.tsx";
import { NowPage } from "./now.tsx";
import { OutputPage } from "./output.tsx";
import { SavingsPage } from "./savings.tsx";
import { SearchPage } from "./search.tsx";
import { SessionPage } from "./session.tsx";
import { SessionsPage } from "./sessions.tsx";
import { exported, useSignal } from "./source.ts";
import "./style.css";
import { isTyping, useKeys } from "./use-answer.ts";
import { type Language, language, time, word } from "./words.ts";

const PAGES = [
  ["/", "now"],
  ["/sessions", "sessions"],
  ["/savings", "savings"],
  ["/health", "health"],
] as const;

function App() {
  const path = useSignal(place);
  const speaking = useSignal(language);
  const [helped, setHelped] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.documentElement.lang = speaking === "zh" ? "zh-CN" : "en";
  }, [speaking]);
  useKeys((event) => {
    const typing = isTyping(event);
    if (event.key === "Escape" && typing) (event.target as HTMLElement).blur();
    if (typing || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === "/") {
      event.preventDefault();
      search.current?.focus();
    }
    if (event.key === "?") setHelped((before) => !before);
  });
  const submit = (event: Event) => {
    event.preventDefault();
    const words = search.current?.value.trim() ?? "";
    if (words !== "") go(`/search?q=${encodeURIComponent(words)}`);
  };
  return (
    <>
      <header class="bar">
        <strong class="brand">Spillway</strong>
        {exported === undefined ? (
          <>
            <nav aria-label="Pages">
              {PAGES.map(([to, key]) => (
                <Link key={to} to={to} current={path === to}>
                  {word(key)}
                </Link>
              ))}
            </nav>
            <search>
              <form onSubmit={submit}>
                <input
                  ref={search}
                  type="search"
                  placeholder={`${word("search")}  /`}
                  aria-label={word("search")}
                  title={word("searchHint")}
                />
              </form>
            </search>
          </>
        ) : (
          <span class="quiet">
            {word("exportedAt")} {time(exported.madeAt)} · {word("secretsOut")}
          </span>
        )}
        <LanguageChoice now={speaking} />
      </header>
      {helped && <p class="help">{word("keys")}</p>}
      <main>
        <Page path={path} />
      </main>
    </>
  );
}

function Page({ path }: { readonly path: string }) {
  const url = new URL(path, "http://page");
  const [, kind, id] = url.pathname.split("/");
  if (kind === "outputs" && id) return <OutputPage key={id} id={decodeURIComponent(id)} at={url.searchParams} />;
  if (kind === "sessions" && id) return <SessionPage key={id} id={decodeURIComponent(id)} />;
  if (kind === "sessions") return <SessionsPage />;
  if (kind === "savings") return <SavingsPage />;
  if (kind === "health") return <HealthPage />;
  if (kind === "search") return <SearchPage words={url.searchParams.get("q") ?? ""} />;
  return <NowPage />;
}

function LanguageChoice({ now }: { readonly now: Language }) {
  const choose = (next: Language) => {
    language.value = next;
    try {
      localStorage.setItem("language", next);
    } catch {
      // Without a memory the page speaks the browser's language again next time.
    }
  };
  return (
    <button
      type="button"
      class="plain"
      onClick={() => choose(now === "zh" ? "en" : "zh")}
      lang={now === "zh" ? "en" : "zh-CN"}
    >
      {now === "zh" ? "English" : "中文"}
    </button>
  );
}

render(<App />, document.getElementById("app") as HTMLElement);
