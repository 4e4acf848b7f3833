import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mapVariables } from "../../../../packages/client/src/variables/map-variables.ts";
import { IS_THOROUGH } from "../../../support/is-thorough.ts";
import { runs } from "../../../support/runs.ts";
import { SCHEMA } from "../schema.ts";
import { loadOperations, textsOf } from "./load-operations.ts";
import { casesOf } from "./portable-cases.ts";
import { createWorld, judge } from "./portable-world.ts";
import { createTally } from "./tally.ts";

/** Milliseconds. A run takes seconds of CPU time, and minutes in thorough mode. */
const PATIENCE = 1_800_000;

/** Operations per batch, which are compiled and rendered together. */
const BATCH = 25;

/** Fixed by default; in thorough mode different in each run. */
const SEED = IS_THOROUGH ? Date.now() % 2 ** 31 : 14;

describe("random portable operations", () => {
  const world = createWorld(SCHEMA, { chainPath: { Page: "logs" } });

  it(
    `return the same results in both styles (seed ${SEED})`,
    () => {
      const tally = createTally(world);
      fc.assert(fc.property(casesOf(world, BATCH), tally.ask), {
        seed: SEED,
        numRuns: runs(8, 800),
      });
      tally.check();
    },
    PATIENCE,
  );

  it(
    "fail in both styles if a required row is missing",
    () => {
      const outcomes = { rows: 0, nothing: 0, error: 0, refused: 0, lost: 0 };
      fc.assert(
        fc.property(casesOf(world, BATCH), fc.nat(1), ({ tables, operations }, left) => {
          // Ships have their own chain id, so they are found without their port.
          const ports = (tables.get("Port") ?? []).slice(0, left);
          world.replace(new Map([...tables, ["Port", ports]]));
          for (const one of world.compile(operations).portable) {
            const answers = world.ask(one);
            const outcome = judge(answers);
            if (outcome === null) expect(answers?.[1], one.loaded.multichain).toEqual(answers?.[0]);
            else outcomes[outcome]++;
          }
        }),
        { seed: SEED, numRuns: runs(16, 80) },
      );
      expect(outcomes.error, JSON.stringify(outcomes)).toBeGreaterThan(3);
    },
    PATIENCE,
  );

  it("are sent the same way from built and from rendered operations", () => {
    fc.assert(
      fc.property(casesOf(world, BATCH), ({ operations }) => {
        const { portable } = world.compile(operations);
        const compiled = portable.map((one) => one.compiled);
        const rendered = loadOperations(compiled, world.context, textsOf(compiled));
        for (const { loaded, variables } of portable) {
          const other = rendered.get(loaded.name);
          if (other === undefined) throw new Error(`${loaded.name} is not rendered.`);
          const { map, normalize, ...facts } = loaded;
          expect(other.normalize === undefined).toBe(normalize === undefined);
          expect(other).toMatchObject(facts);
          expect(other.map === undefined).toBe(map === undefined);
          for (const style of ["multichain", "subgraph"] as const) {
            const send = (operation: typeof loaded) => {
              try {
                return mapVariables(operation, style, variables as never, [1]);
              } catch (error) {
                return String(error);
              }
            };
            expect(send(other)).toEqual(send(loaded));
          }
        }
      }),
      { seed: SEED, numRuns: runs(1, 80) },
    );
  });
});
