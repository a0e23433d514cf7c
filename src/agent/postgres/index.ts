export type { PostgresPool } from "./postgres-sessions.ts";
export { createPostgresSessions, type PostgresSessions, type PostgresSessionsOptions } from "./postgres-sessions.ts";
