import type { ScalarFacts } from "../style.ts";

/** Big numbers and `float8` travel as strings, a `Float` (float4) as number; other scalars are enums. */
export const MULTICHAIN_SCALARS: ReadonlyMap<string, ScalarFacts> = new Map<string, ScalarFacts>([
  ["Boolean", { family: "boolean", typescript: "boolean" }],
  ["Float", { family: "float", typescript: "number" }],
  ["Int", { family: "integer", typescript: "number" }],
  ["String", { family: "text", typescript: "string" }],
  ["bigint", { family: "number", typescript: "string" }],
  ["float8", { family: "float", typescript: "string" }],
  ["jsonb", { family: "json", typescript: "unknown" }],
  ["numeric", { family: "number", typescript: "string" }],
  ["timestamp", { family: "timestamp", typescript: "string" }],
  ["timestamptz", { family: "timestamp", typescript: "string" }],
]);
