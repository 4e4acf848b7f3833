import fc from "fast-check";
import { describe, it } from "vitest";
import { styles } from "../../../../src/dialects/index.ts";
import { IS_THOROUGH } from "../../../support/is-thorough.ts";
import { runs } from "../../../support/runs.ts";
import { SCHEMA } from "../schema.ts";
import { casesOf } from "./portable-cases.ts";
import { createWorld } from "./portable-world.ts";
import { createTally } from "./tally.ts";

const PATIENCE = 1_800_000;

/** Without types that the oldest releases do not support. */
const ENTITIES = SCHEMA.replaceAll(/\n +\w+: Timestamp!?/g, "");

const ends = (releases: readonly string[]) => [releases[0], releases.at(-1)];

const WORLDS = ends(styles.multichain.platform.releases)
  .flatMap((multichain) =>
    ends(styles.subgraph.platform.releases).flatMap((subgraph) =>
      [true, false].map((strictValidation) => ({ multichain, subgraph, strictValidation })),
    ),
  )
  // By default only the two oldest and the two newest releases.
  .filter((world, _, all) => IS_THOROUGH || world === all[0] || world === all.at(-1))
  .map((world, index) => ({ ...world, seed: (IS_THOROUGH ? Date.now() % 2 ** 30 : 100) + index }));

describe("random portable operations", () => {
  it.each(WORLDS)(
    "return the same results from envio-$multichain and graph-node-$subgraph, strict: $strictValidation (seed $seed)",
    ({ multichain, subgraph, strictValidation, seed }) => {
      const world = createWorld(ENTITIES, {
        releases: { multichain, subgraph },
        settings: { strictValidation },
        chainPath: { Page: "logs" },
        withHead: true,
      });
      const tally = createTally(world);
      fc.assert(fc.property(casesOf(world, 25), tally.ask), {
        seed,
        numRuns: runs(IS_THOROUGH ? 100 : 2),
      });
      tally.check();
    },
    PATIENCE,
  );
});
