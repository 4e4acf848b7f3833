import { expect, it } from "vitest";
import type { ParityRow } from "../../src/report/outcome.ts";
import { describeDifference } from "../../src/tasks/describe/describe-protocol.ts";

const row = (multichain: string | null, subgraph: string | null, more: Partial<ParityRow>): ParityRow => ({
  entity: "Stream",
  field: "sender",
  multichain,
  subgraph,
  verdict: "equal",
  rule: null,
  weaker: null,
  ...more,
});

const RENAMES = [{ entity: "Stream", multichain: "from", subgraph: "sender" }];

it.each<[name: string, row: ParityRow, want: string | null]>([
  ["equal types", row("String!", "String!", {}), null],
  ["a field of one style", row("String!", null, { verdict: "only-multichain" }), "Only on multichain."],
  [
    "a field with another name",
    row(null, "Bytes!", { verdict: "only-subgraph" }),
    "Only on subgraph. It seems to be named from on multichain.",
  ],
  [
    "another null rule",
    row("String", "String!", { verdict: "nullability", weaker: "multichain" }),
    "Nullable only on multichain.",
  ],
  [
    "other nullable parts of a list",
    row("[String]!", "[String!]", { verdict: "nullability" }),
    "The styles declare different parts as nullable.",
  ],
  [
    "types that do not match",
    row("Boolean", "BigInt", { verdict: "conflict" }),
    "The types do not match: Boolean on multichain, BigInt on subgraph.",
  ],
  [
    "a scalar that the styles format differently",
    row("timestamptz!", "Timestamp!", { verdict: "mapped", rule: "parity/scalar" }),
    "The scalar is timestamptz on multichain and Timestamp on subgraph. The styles format it differently.",
  ],
])("describes %s", (_, given, want) => {
  expect(describeDifference(given, RENAMES)).toBe(want);
});
