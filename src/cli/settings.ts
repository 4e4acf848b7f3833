import type { Option } from "./command.ts";

/** The operator's settings that show in an API schema. */
export const SCHEMA_SETTINGS = {
  aggregates: { value: "A,B", description: "entities with public aggregates (multichain)" },
  "per-chain-entities": {
    description: "keep entities per chain unless they are @crossChain (multichain, since 3.6)",
  },
  "disable-bool-filters": { description: "no `and` and `or` in filters (subgraph)" },
  "disable-child-sorting": { description: "no ordering by fields of references (subgraph)" },
} as const satisfies Record<string, Option>;

/** Those that show in answers only. */
export const SERVING_SETTINGS = {
  "strict-validation": { description: "validate queries as the specification says (subgraph)" },
  "row-cap": { value: "n|none", description: "most rows of a list (multichain; default: 1000)" },
} as const satisfies Record<string, Option>;
