import { useState } from "preact/hooks";
import type { CleanAnswer, VerifyStep } from "../api.ts";
import { clean, readHealth, verifyAll } from "./source.ts";
import { useAnswer } from "./use-answer.ts";
import { bytes, count, word } from "./words.ts";

/** Usage of the stores, expiry dates, and the integrity of their contents. */
export function HealthPage() {
  const [turn, setTurn] = useState(0);
  const answer = useAnswer(String(turn), readHealth);
  if (answer.error) return <p class="error">{answer.error}</p>;
  if (answer.value === undefined) return <p class="quiet">{word("reading")}</p>;
  const health = answer.value;
  return (
    <>
      <h1>{word("health")}</h1>
      <p class="quiet">{health.root}</p>
      <h2>{word("stores")}</h2>
      <table class="list">
        <tbody>
          {health.stores.map((store) => (
            <tr key={store.dir}>
              <th scope="row" class="name">
                {store.dir}
              </th>
              <td class="number">
                {count(store.artifacts)} {word("artifacts")}
              </td>
              <td class="number">{bytes(store.bytes)}</td>
              <td>{store.unfinished > 0 ? `${store.unfinished} ${word("unfinished")}` : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        {word("retention")} {health.retentionDays} {word("days")} · {word("quota")}:{" "}
        {health.quotaBytes === undefined ? word("none") : bytes(health.quotaBytes)}
      </p>
      <h2>{word("leaving")}</h2>
      <table class="list">
        <tbody>
          {health.leaving.map(({ day, artifacts, bytes: size }) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              <td class="number">
                {count(artifacts)} {word("artifacts")}
              </td>
              <td class="number">{bytes(size)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Verification />
      <Cleaning writable={health.writable} done={() => setTurn(turn + 1)} />
    </>
  );
}

function Verification() {
  const [step, setStep] = useState<VerifyStep>();
  const [problems, setProblems] = useState<readonly VerifyStep[]>([]);
  const [error, setError] = useState("");
  const run = async () => {
    setProblems([]);
    setError("");
    const tell = (next: VerifyStep) => {
      setStep(next);
      if (next.problem !== undefined) setProblems((before) => [...before, next]);
    };
    await verifyAll(tell).catch((failure: unknown) => setError((failure as Error).message));
  };
  return (
    <section>
      <p class="actions">
        <button type="button" onClick={() => void run()}>
          {word("verify")}
        </button>
      </p>
      {step && (
        <p role="status">
          <progress value={step.done} max={Math.max(1, step.total)} aria-label={word("verify")} /> {step.done} /{" "}
          {step.total} {word("verified")}, {problems.length} {word("problems")}
        </p>
      )}
      {error && <p class="error">{error}</p>}
      <ul>
        {problems.map(({ id, problem }) => (
          <li key={id} class="bad">
            {id}: {problem}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Cleaning({ writable, done }: { readonly writable: boolean; readonly done: () => void }) {
  const [answer, setAnswer] = useState<CleanAnswer>();
  const [error, setError] = useState("");
  const run = (dryRun: boolean) =>
    clean(dryRun).then(
      (next) => {
        setAnswer(next);
        if (!dryRun) done();
      },
      (failure: unknown) => setError((failure as Error).message),
    );
  return (
    <section>
      <p class="actions">
        <button type="button" onClick={() => void run(true)}>
          {word("dryRun")}
        </button>
        {writable && (
          <button type="button" onClick={() => void run(false)}>
            {word("clean")}
          </button>
        )}
      </p>
      {!writable && <p class="quiet">{word("readOnly")}</p>}
      {answer && (
        <p role="status">
          {count(answer.removed.length)} {word("artifacts")}, {bytes(answer.freedBytes)}{" "}
          {word(answer.dryRun ? "wouldRemove" : "removed")}
        </p>
      )}
      {error && <p class="error">{error}</p>}
    </section>
  );
}
