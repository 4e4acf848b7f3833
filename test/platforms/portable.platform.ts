import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OwnRow } from "../../emulator/custom/custom-indexer.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { Answer } from "../emulator/agreement/serve-both.ts";
import type { Tables } from "../emulator/agreement/tables.ts";
import { operationsOf, rowsOf } from "../operations/portable/agreement/portable-cases.ts";
import {
  createWorld,
  judge,
  type Portable,
  type World,
} from "../operations/portable/agreement/portable-world.ts";
import { SCHEMA } from "../operations/portable/schema.ts";
import { FIRST_BLOCK } from "./build-rows.ts";
import { RUNS, SEED } from "./seed.ts";
import { type Both, type BothIndexer, DEFAULT, post, STRICT, serveBoth } from "./serve-both.ts";

/** The settings of nodes. Each node gets a tenth of the requests that the emulator gets. */
const MODES = [
  ["with default settings", DEFAULT],
  ["with strict validation", STRICT],
] as const;

/** The number of indexers, each with its own rows; the operations of a batch; the concurrent requests. */
const INDEXERS = 6;
const BATCH = 25;
const AT_ONCE = 8;

describe.each(MODES)(`portable operations from the seed ${SEED} to nodes %s`, (_, settings) => {
  const worlds = Array.from({ length: INDEXERS }, (__, index) => {
    const options = { chainPath: { Page: "logs" }, settings: settings.emulator, withHead: true };
    const world = createWorld(SCHEMA, options);
    const [tables] = fc.sample(rowsOf(world), { numRuns: 1, seed: SEED * 100 + index });
    if (tables === undefined) throw new Error("There are no rows.");
    world.replace(tables);
    return { world, indexer: indexerOf(`portable-${index}`, world.onChain(tables)) };
  });
  let both: Both;
  beforeAll(async () => {
    both = await serveBoth(
      worlds.map(({ indexer }) => indexer),
      settings,
    );
  });
  afterAll(() => both.close());

  it("get the answers of multichain indexers", async () => {
    const counts = { asked: 0, rows: 0, nothing: 0, error: 0, refused: 0 };
    const differences: string[] = [];
    const batches = Math.ceil(RUNS / 10 / BATCH);
    for (let batch = 0; batch < batches; batch++) {
      const { world, indexer } = worlds[batch % INDEXERS] as (typeof worlds)[number];
      const seed = SEED * 1_000_003 + batch;
      const [operations = []] = fc.sample(operationsOf(world, BATCH), { numRuns: 1, seed });
      const waiting = [...world.compile(operations).portable];
      const worker = async () => {
        for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
          counts.asked++;
          const difference = await compare(one, world, indexer);
          if (difference in counts) counts[difference as "rows"]++;
          else differences.push(difference);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    }
    expect(differences.slice(0, 3).join("\n\n"), `${differences.length} of ${counts.asked}`).toBe("");
    expect(counts.rows, JSON.stringify(counts)).toBeGreaterThan(counts.asked * 0.4);
    expect(counts.error, JSON.stringify(counts)).toBeLessThan(counts.asked * 0.02);
  });

  /** The result, or both answers if they differ. */
  async function compare(one: Portable, world: World, indexer: BothIndexer): Promise<string> {
    const requests = world.requests(one);
    if (requests === null) return "refused";
    const reply = await both.askNode(post(both.pathOf(indexer), requests[0]));
    const subgraph = JSON.parse(reply?.body ?? "{}") as Answer;
    const answers = world.read([subgraph, world.askMultichain(requests[1])], one);
    return (
      judge(answers) ??
      [JSON.stringify(requests), ...answers.map((answer) => JSON.stringify(answer))].join("\n")
    );
  }
});

function indexerOf(name: string, tables: Tables): BothIndexer {
  const rows = Object.fromEntries([...tables].map(([entity, all]) => [entity, all as readonly OwnRow[]]));
  return {
    name,
    entities: SCHEMA,
    model: parseEntities(SCHEMA, name),
    rows: [{ block: FIRST_BLOCK, rows }],
  };
}
