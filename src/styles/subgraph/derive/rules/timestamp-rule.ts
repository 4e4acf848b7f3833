import { baseTypeOf, fieldOf, type ObjectNode } from "./authored-types.ts";
import { type EntityProblem, problemAt } from "./entity-problem.ts";

/** Checks that a time series or an aggregation knows when: it has a `timestamp` of type `Timestamp`. */
export function checkTimestamp(type: ObjectNode): EntityProblem[] {
  const name = type.name.value;
  const timestamp = fieldOf(type, "timestamp");
  if (timestamp === undefined) {
    return [problemAt(type, `Timeseries ${name} is missing a \`timestamp\` field`)];
  }
  const base = baseTypeOf(timestamp);
  if (base === "Timestamp") return [];
  return [
    problemAt(
      timestamp,
      `Type ${name} has a \`timestamp\` field of type ${base}, but it must be of type Timestamp`,
    ),
  ];
}
