import type { ApiInputValue } from "../../schema/api-schema.ts";
import { defineInput } from "./define.ts";
import type { Derivation } from "./derivation.ts";
import type { RowType } from "./entity-types.ts";

/**
 * The arguments of every field that lists rows of a type. `skip` comes before `first`, and both are nullable
 * in spite of their defaults (A.5). Root fields have two more, which say when to read.
 */
export function collectionArguments(type: RowType, { features }: Derivation): ApiInputValue[] {
  const paging = [
    defineInput("skip", "Int", { defaultValue: "0" }),
    defineInput("first", "Int", { defaultValue: "100" }),
  ];
  const order = [
    defineInput("orderBy", `${type.name}_orderBy`),
    defineInput("orderDirection", "OrderDirection"),
  ];
  const where = defineInput("where", `${type.name}_filter`);
  if (type.kind !== "aggregation") return [...paging, ...order, where];
  return [
    ...paging,
    defineInput("interval", "Aggregation_interval!"),
    ...(features.orderedAggregations ? order : []),
    ...(features.currentBucket ? [defineInput("current", "Aggregation_current")] : []),
    where,
  ];
}
