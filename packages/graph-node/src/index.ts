/** A real graph-node and its PostgreSQL, from npm packages alone. @module */
export { isSupported } from "./is-supported.ts";
export {
  type Postgres,
  type PostgresClient,
  type PostgresOptions,
  type PostgresRow,
  startPostgres,
} from "./start-postgres.ts";
