import { LockflowError } from "./lockflow-error.ts";

type SchemaErrorCode =
  | "SCHEMA_NOT_INTROSPECTION"
  | "SCHEMA_INCOMPLETE"
  | "SCHEMA_TOO_LARGE"
  | "SCHEMA_SDL_SYNTAX"
  | "SCHEMA_ENTITIES_INVALID"
  | "SCHEMA_SNAPSHOT_MISSING"
  | "SCHEMA_SNAPSHOT_INVALID";

/** A schema, from a server or from a file, is not what it has to be. */
export class SchemaError extends LockflowError<SchemaErrorCode> {}
