import type { IndexedSchema } from "../indexed-schema.ts";
import type { DiffOptions } from "../severity-rules.ts";
import type { EffectFacts } from "./effect.ts";

/** The two schemas an operation is held against, and how their differences are judged. */
export type SchemaPair = DiffOptions & {
  readonly before: IndexedSchema;
  readonly after: IndexedSchema;
  /** What was found so far for those who send values of a type: many variables have one type. */
  readonly inputChanges: Map<string, readonly InputTypeChange[]>;
};

/** What changed in an input type or in one it leads to, and by which members it is reached: `["asset", "symbol"]`. */
export type InputTypeChange = InputDifference & { readonly path: readonly string[] };

/** What changed for those who send values of a type. */
export type InputDifference = {
  readonly facts: EffectFacts;
  /** What callers must not do any more, where something they may send is refused; else null. */
  readonly avoid: string | null;
};
