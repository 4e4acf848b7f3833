import { describe, expect, it } from "vitest";
import { compareModels } from "../../src/compare/compare-models.ts";
import { diffSchemas } from "../../src/compare/diff-schemas.ts";
import { parityFindings } from "../../src/compare/parity.ts";
import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import { styles } from "../../src/dialects/index.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import { createReadCounter } from "../support/count-reads.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { plain, SWELLINGS } from "../support/swell-schema.ts";

/** Counts reads, not time: counts are the same in every run, so small inputs show how they grow. */
function expectLinear(readsOf: (count: number) => number): void {
  const [some, more, most] = [20, 40, 80].map(readsOf);
  const [first, second] = [(more ?? 0) - (some ?? 0), (most ?? 0) - (more ?? 0)];
  // The base is read each time. Quadratic work would take four times as long.
  expect(second).toBeLessThanOrEqual(first * 2.05);
}

/** Counts the reads of a schema and of its model while the schema is compared with another, both ways. */
function readsFor(name: StyleName, before: ApiSchema, after: ApiSchema): number {
  const counter = createReadCounter();
  const style = styles[name];
  const watching = {
    ...style,
    schemas: {
      ...style.schemas,
      read: (schema: ApiSchema) => counter.watch(style.schemas.read(schema)),
    },
  };
  const grown = counter.watch(canonicalize(after));
  diffSchemas({ before, after: grown }, watching, { exhaustiveEnums: false }).causes;
  diffSchemas({ before: grown, after: before }, watching, { exhaustiveEnums: false }).causes;
  return counter.reads();
}

describe.each(["subgraph", "multichain"] as const)("diffSchemas of %s", (style) => {
  // By default every fourth swelling is tried, in one style.
  const tried = SWELLINGS.filter((_, index) => IS_THOROUGH || index % 8 === Number(style === "subgraph") * 2);

  it.each(tried)("reads twice as much of a schema with twice the $name", ({ swell }) => {
    const before = plain(style);
    expectLinear((count) => readsFor(style, before, swell(style, count)));
  });
});

it("compareModels and parityFindings read twice as much of models with twice the entities", () => {
  expectLinear((count) => {
    const counter = createReadCounter();
    const side = (name: StyleName) => {
      const schema = swellWith("derived entities")(name, count);
      const style = styles[name];
      return { schema, model: counter.watch(style.schemas.read(schema)), style };
    };
    const parity = counter.watch(compareModels(side("multichain"), side("subgraph")));
    // Rows of one side only are all reported, so none is skipped.
    const rows = parity.rows.map((row) => ({ ...row, verdict: "only-subgraph" as const }));
    parityFindings(counter.watch({ ...parity, rows }), null);
    return counter.reads();
  });
});

function swellWith(name: string): (typeof SWELLINGS)[number]["swell"] {
  const found = SWELLINGS.find((swelling) => swelling.name === name);
  if (!found) throw new Error(`There is no swelling called "${name}".`);
  return found.swell;
}
