import { expect } from "vitest";
import type { Case } from "./portable-cases.ts";
import { judge, type World } from "./portable-world.ts";

/** Runs cases and counts their outcomes. */
export type Tally = {
  /** @throws with both answers if the styles answer differently. */
  readonly ask: (given: Case) => void;
  /** Requires that enough operations returned rows. */
  readonly check: () => void;
};

/** Creates the tally of a world. */
export function createTally(world: World): Tally {
  const counts = { operations: 0, rows: 0, nothing: 0, error: 0, refused: 0, lost: 0 };
  const codes = new Map<string, number>();
  return {
    ask: ({ tables, operations }) => {
      counts.operations += operations.length;
      const { portable, refused } = world.compile(operations);
      for (const { code, message, place } of refused) {
        codes.set(code, (codes.get(code) ?? 0) + 1);
        if (code === "portable/internal") throw new Error(`${message} (line ${place?.line})`);
      }
      world.replace(tables);
      for (const one of portable) {
        const answers = world.ask(one);
        const outcome = judge(answers);
        if (outcome !== null) {
          counts[outcome]++;
          continue;
        }
        const { multichain, subgraph } = one.loaded;
        const [left, right] = answers ?? [];
        expect(right, `${subgraph}\n\n${multichain}\n\n${String(Object.entries(one.variables))}`).toEqual(
          left,
        );
      }
    },
    check: () => {
      const { operations, rows, nothing, error, refused, lost } = counts;
      const shown = JSON.stringify({ ...counts, codes: Object.fromEntries(codes) });
      if (process.env["SHOW"]) process.stdout.write(`${shown}\n`);
      // Only older releases have lists of JSON numbers.
      const { graphql } = world.context.schemas.multichain;
      if (!graphql.getType("numeric_array_comparison_exp")) expect(lost, shown).toBe(0);
      expect(rows + nothing + lost, shown).toBeGreaterThan(operations * 0.85);
      expect(rows, shown).toBeGreaterThan(operations * 0.4);
      expect(error + refused, shown).toBeLessThan(operations * 0.02);
    },
  };
}
