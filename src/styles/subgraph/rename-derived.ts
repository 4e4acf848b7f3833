import type { DerivedNames } from "../style.ts";
import { rootFieldNames } from "./derive/names.ts";

/** An entity has a filter and an order, and two root fields that are made of its name (A.4 to A.8). */
export const renameSubgraph: DerivedNames = (from, to) => {
  const types = new Map(["", "_filter", "_orderBy"].map((suffix) => [from + suffix, to + suffix]));
  const fields = new Map<string, string>();
  for (const collectionSuffix of [false, true]) {
    const [was, is] = [from, to].map((name) => rootFieldNames(name, { collectionSuffix }));
    if (was === undefined || is === undefined) continue;
    fields.set(was.plural, is.plural);
    fields.set(was.singular, is.singular);
  }
  return { type: (name) => types.get(name) ?? null, rootField: (name) => fields.get(name) ?? null };
};
