import type { RootNames } from "./api-schema.ts";

/** The operations a schema can have a root for. Documents name these, whatever the types behind them are called. */
export const ROOTS = ["query", "mutation", "subscription"] as const;

/** The names of the root types that a schema has. */
export function rootTypeNames(schema: RootNames): string[] {
  return ROOTS.map((root) => schema[`${root}Type`]).filter((name) => name !== null);
}
