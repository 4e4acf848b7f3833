import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cached } from "../../../../src/base/collections.ts";
import { IS_THOROUGH } from "../../../support/is-thorough.ts";
import { SCHEMA } from "../schema.ts";
import { ABLATIONS } from "./ablations.ts";
import { type Case, casesOf } from "./portable-cases.ts";
import { createWorld, judge, type Portable, takeBack } from "./portable-world.ts";

/** Operations per batch, and the number of batches: half of what random-operations.test.ts has. */
const BATCH = 10;
const BATCHES = 100;

describe.runIf(IS_THOROUGH)("random operations, with one translation rule disabled", () => {
  // A strict node rejects documents that are written differently.
  const world = createWorld(SCHEMA, {
    chainPath: { Page: "logs" },
    settings: { strictValidation: true },
  });
  const cases = fc.sample(casesOf(world, BATCH), { numRuns: BATCHES, seed: 15 });
  const compiled = new Map<Case, readonly Portable[]>();

  it.each(ABLATIONS)("return different results: $name", (ablation) => {
    const isNoticed = cases.some((one) => {
      const portable = cached(compiled, one, () => world.compile(one.operations).portable);
      world.replace(one.tables);
      return portable.some((operation) => {
        const other = takeBack(ablation, operation);
        return other !== null && judge(world.ask(other, ablation)) === null;
      });
    });
    expect(isNoticed).toBe(true);
  });
});
