import type { DiffOptions } from "../diff-schemas.ts";
import type { IndexedSchema } from "./indexed-schema.ts";

/** The two schemas an operation is held against, and how their differences are judged. */
export type SchemaPair = DiffOptions & {
  readonly before: IndexedSchema;
  readonly after: IndexedSchema;
};
