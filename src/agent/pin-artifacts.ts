import type { ArtifactStore } from "../artifacts/types.ts";
import type { OpenSession as Session } from "./session-store.ts";

const owner = (session: Session) => `session:${session.id}`;
const counted = new WeakMap<Session, number>();

/** Keeps what the history points to from being cleaned up. A store that fails costs the pin, not the turn. */
export async function pinArtifacts(session: Session, store: ArtifactStore): Promise<void> {
  const ids = session.events.flatMap((event) => {
    if (event.type === "history.stubbed") return event.stubs.flatMap((stub) => stub.artifact?.id ?? []);
    return "artifact" in event && event.artifact !== undefined ? [event.artifact.id] : [];
  });
  if (ids.length === (counted.get(session) ?? 0)) return;
  counted.set(session, ids.length);
  await store.pin(owner(session), [...new Set(ids)]).catch(() => undefined);
}

/** Gives the artifacts of a finished session free. */
export async function unpinArtifacts(session: Session, store: ArtifactStore): Promise<void> {
  await store.unpin(owner(session)).catch(() => undefined);
}
