import type { ObjectTypeDefinitionNode } from "graphql";
import { baseTypeOf, fieldOf, lineOf } from "./authored-types.ts";
import type { EntityProblem } from "./entity-problem.ts";

/** Checks that a time series or an aggregation knows when: it has a `timestamp` of type `Timestamp`. */
export function checkTimestamp(type: ObjectTypeDefinitionNode): EntityProblem[] {
  const name = type.name.value;
  const timestamp = fieldOf(type, "timestamp");
  if (timestamp === undefined) {
    return [{ reason: `Timeseries ${name} is missing a \`timestamp\` field`, line: lineOf(type) }];
  }
  const base = baseTypeOf(timestamp);
  if (base === "Timestamp") return [];
  return [
    {
      reason: `Type ${name} has a \`timestamp\` field of type ${base}, but it must be of type Timestamp`,
      line: lineOf(timestamp),
    },
  ];
}
