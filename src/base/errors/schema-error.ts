import { LockflowError, type LockflowErrorOptions } from "./lockflow-error.ts";

type SchemaErrorCode =
  | "SCHEMA_NOT_INTROSPECTION"
  | "SCHEMA_INCOMPLETE"
  | "SCHEMA_TOO_LARGE"
  | "SCHEMA_SDL_SYNTAX"
  | "SCHEMA_ENTITIES_INVALID"
  | "SCHEMA_SNAPSHOT_MISSING"
  | "SCHEMA_SNAPSHOT_INVALID";

/** A schema, from a server or from a file, is not what it has to be. */
export class SchemaError extends LockflowError<SchemaErrorCode> {
  /** What is wrong with a text or an answer, each with its place if it has one; empty where neither is to blame. */
  readonly problems: readonly SchemaProblem[];

  constructor(
    options: LockflowErrorOptions<SchemaErrorCode> & { readonly problems?: readonly SchemaProblem[] },
  ) {
    super(options);
    this.problems = options.problems ?? [];
  }
}

/** One thing that is wrong with the text of a schema. */
export type SchemaProblem = {
  /** Why the text is refused, in the words of who refuses it. */
  readonly reason: string;
  /** From 1; null where no line is to blame. */
  readonly line: number | null;
  /** From 1; null where only the line is known. */
  readonly column: number | null;
};
