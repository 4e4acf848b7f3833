import type { ScalarFacts } from "../style.ts";

/** The scalars of graph-node. Numbers wider than 32 bits and timestamps (microseconds) travel as decimal strings. */
export const SUBGRAPH_SCALARS: ReadonlyMap<string, ScalarFacts> = new Map<string, ScalarFacts>([
  ["BigDecimal", { family: "number", typescript: "string" }],
  ["BigInt", { family: "number", typescript: "string" }],
  ["Boolean", { family: "boolean", typescript: "boolean" }],
  ["Bytes", { family: "text", typescript: "`0x${string}`" }],
  ["Float", { family: "float", typescript: "number" }],
  ["ID", { family: "text", typescript: "string" }],
  ["Int", { family: "integer", typescript: "number" }],
  ["Int8", { family: "number", typescript: "string" }],
  ["String", { family: "text", typescript: "string" }],
  ["Timestamp", { family: "timestamp", typescript: "string" }],
]);
