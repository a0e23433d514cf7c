export type { PostgresPool } from "./database.ts";
export { createPostgresSessions, type PostgresSessions, type PostgresSessionsOptions } from "./postgres-sessions.ts";
