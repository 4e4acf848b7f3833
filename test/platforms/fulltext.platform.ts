import { afterAll, beforeAll, expect, it } from "vitest";
import { parseEntities } from "../../src/schema/parse-entities.ts";
import { FIRST_BLOCK, LAST_BLOCK } from "./build-rows.ts";
import { compareReplies } from "./compare-replies.ts";
import { createRandom, type Random } from "./random.ts";
import { SEED } from "./seed.ts";
import { type Both, type BothIndexer, serveBoth } from "./serve-both.ts";

const ENTITIES = `
type _Schema_
  @fulltext(name: "both", language: simple, algorithm: rank, include: [{ entity: "Song", fields: [{ name: "title" }, { name: "text" }] }])
  @fulltext(name: "inText", language: en, algorithm: proximityRank, include: [{ entity: "Song", fields: [{ name: "text" }] }])
type Song @entity(immutable: false) { id: ID! title: String! text: String other: String }`;

/** Words that are their own stems, and the beginnings of which are none. */
const WORDS = ["moon", "moonbeam", "sun", "red", "blue", "deep", "x17"];

function buildSongs(random: Random): Record<string, unknown>[] {
  const text = () =>
    random.some(0, 5, () => random.pick([...WORDS, "MOON", "Sun"])).join(random.pick([" ", ", "]));
  return Array.from({ length: 40 }, (_, index) => ({
    id: `s${index}`,
    title: text(),
    text: random.chance(0.2) ? null : text(),
    other: text(),
  }));
}

function writeSearch(random: Random, depth: number): string {
  if (depth === 0 || random.chance(0.3)) return `${random.pick(WORDS)}${random.chance(0.2) ? ":*" : ""}`;
  const inside = () => writeSearch(random, depth - 1);
  switch (random.below(6)) {
    case 0:
      return `!${random.pick(WORDS)}`;
    case 1:
      return `(${inside()} | ${inside()}) & ${inside()}`;
    case 2:
      return `${random.pick(WORDS)} <-> ${random.pick(WORDS)}`;
    case 3:
      return `'${random.pick(WORDS)} ${random.pick(WORDS)}'`;
    case 4:
      return `${inside()} | ${inside()}`;
    default:
      return `${inside()} & ${inside()}`;
  }
}

const BROKEN = ["moon sun", "&", "(moon", "moon)", "<->", "'", "()", ":*", "moon | | sun", ""];

const [FIRST = {}, ...OTHERS] = buildSongs(createRandom(SEED + 13));
const INDEXER: BothIndexer = {
  name: "songs",
  entities: ENTITIES,
  model: parseEntities(ENTITIES, "songs"),
  rows: [
    { block: FIRST_BLOCK, rows: { Song: [FIRST, ...OTHERS] as never } },
    { block: LAST_BLOCK, rows: {} },
  ],
};

let both: Both;
/** How many searches found a row. */
let found = 0;
beforeAll(async () => {
  both = await serveBoth([INDEXER], { node: {}, emulator: {} });
  // As a node writes them beside the row.
  const table = `"${await both.tablesOf(INDEXER)}".song`;
  await both.query(`UPDATE ${table} SET
    "both" = to_tsvector('simple', title) || to_tsvector('simple', coalesce(text, '')),
    in_text = to_tsvector('english', coalesce(text, ''))`);
});
afterAll(() => both.close());

/** Which rows are found; their rank, by which they are sorted, the emulator does not compute. */
async function compare(root: string, search: string): Promise<unknown> {
  const query = `{ ${root}(text: ${JSON.stringify(search)}, first: 1000) { id } }`;
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ query });
  const replies = await both.ask({ method: "POST", path: both.pathOf(INDEXER), headers, body });
  if (replies[0]?.body.includes('"id"')) found += 1;
  return compareReplies(...replies, true);
}

it(`finds the rows that the database finds, from the seed ${SEED}`, async () => {
  const random = createRandom(SEED + 17);
  found = 0;
  for (const search of Array.from({ length: 200 }, () => writeSearch(random, 2))) {
    for (const root of ["both", "inText"]) expect(await compare(root, search), search).toBeNull();
  }
  expect(found).toBeGreaterThan(100);
});

it.each(BROKEN)("refuses what the database refuses: %j", async (search) => {
  expect(await compare("both", search)).toBeNull();
});
