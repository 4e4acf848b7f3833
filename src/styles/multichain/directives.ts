import type { ApiDirective } from "../../schema/api-schema.ts";
import { input } from "./api-types.ts";

const SELECTIONS = ["FIELD", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"];

/** The directives of the platform, the one list that is not in byte order. */
export const MULTICHAIN_DIRECTIVES: readonly ApiDirective[] = [
  {
    name: "include",
    description: "whether this query should be included",
    locations: SELECTIONS,
    args: [input("if", "Boolean!")],
  },
  {
    name: "skip",
    description: "whether this query should be skipped",
    locations: SELECTIONS,
    args: [input("if", "Boolean!")],
  },
  {
    name: "cached",
    description: "whether this query should be cached (Hasura Cloud only)",
    locations: ["QUERY"],
    args: [
      input("ttl", "Int!", "measured in seconds", "60"),
      input("refresh", "Boolean!", "refresh the cache entry", "false"),
    ],
  },
];
