import { afterAll, beforeAll, expect, it } from "vitest";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import { createRandom, type Random } from "../emulator/agreement/random.ts";
import { splitList } from "../emulator/agreement/split-list.ts";
import { FIRST_BLOCK, LAST_BLOCK } from "./build-rows.ts";
import { compareReplies } from "./compare-replies.ts";
import { SEED } from "./seed.ts";
import { type Both, type BothIndexer, post, serveBoth } from "./serve-both.ts";

const ENTITIES = `
type _Schema_
  @fulltext(name: "both", language: simple, algorithm: rank, include: [{ entity: "Song", fields: [{ name: "title" }, { name: "text" }] }])
  @fulltext(name: "inText", language: en, algorithm: proximityRank, include: [{ entity: "Song", fields: [{ name: "text" }] }])
type Song @entity(immutable: false) { id: ID! title: String! text: String other: String }`;

/** Words that are their own stems, and whose prefixes are not stems. */
const WORDS = ["moon", "moonbeam", "sun", "red", "blue", "deep", "x17"];

/** Stop words of English. */
const STOP_WORDS = ["the", "and", "of"];

/**
 * Prefixes that are not words: in a query of seven words or more, a word with and without `:*` counts once for the
 * rank, and the database's sort decides which.
 */
const BEGINNINGS = ["moo", "su", "re", "blu", "x", "th", "日"];
const SHORT = ["moon:* & moon", "moon & moon:*", "'moon sun':*", "'the moon':* | sun", "moon:* <-> !moon"];

function buildSongs(random: Random): Record<string, unknown>[] {
  const text = () =>
    random
      .some(0, 9, () => random.pick([...WORDS, ...STOP_WORDS, "MOON", "Sun", "The", "ÄÖ", "日本"]))
      .join(random.pick([" ", ", "]));
  return Array.from({ length: 40 }, (_, index) => ({
    id: `s${index}`,
    title: text(),
    text: random.chance(0.2) ? null : text(),
    other: text(),
  }));
}

function writeSearch(random: Random, depth: number): string {
  const word = () => {
    const [one, two] = [0, 0].map(() => random.pick([...WORDS, ...WORDS, ...STOP_WORDS, "DEEP", "ÄÖ"]));
    if (random.chance(0.15)) return `${random.pick(BEGINNINGS)}:*`;
    if (random.chance(0.1)) return `'${one} ${two}'`;
    if (random.chance(0.04))
      return random.pick(["日本", `${one},${two}`, `${one}:A`, `${one}:bD`, `${one}:`, "%"]);
    return `${one}`;
  };
  if (depth === 0 || random.chance(0.2)) return word();
  const inside = () => writeSearch(random, depth - 1);
  switch (random.below(7)) {
    case 0:
      return `!${random.chance(0.5) ? word() : `(${inside()})`}`;
    case 1:
      return `(${inside()} | ${inside()}) & ${inside()}`;
    case 2:
      return `${word()} <-> ${word()}`;
    case 3:
      return `(${inside()})<${random.pick(["-", "0", "1", "2", "3"])}>(${inside()})`;
    case 4:
      return `${inside()} | ${inside()}`;
    default:
      return `${inside()} & ${inside()}`;
  }
}

const BROKEN =
  splitList(`; moon sun; &; (moon; moon); <->; '; ''; (); :*; moon | | sun; moon &; moon & (; moon:x;
  moon :*; <2> moon; moon <a> sun; moon<sun; moon <16385> sun; moon\\`).concat(" ", "!".repeat(33));

const [FIRST = {}, ...OTHERS] = buildSongs(createRandom(SEED + 13));
const INDEXER: BothIndexer = {
  name: "songs",
  entities: ENTITIES,
  model: parseEntities(ENTITIES, "songs"),
  rows: [
    { block: FIRST_BLOCK, rows: { Song: [FIRST, ...OTHERS] as never } },
    { block: LAST_BLOCK, rows: { Song: buildSongs(createRandom(SEED + 19)).slice(0, 20) as never } },
  ],
};

let both: Both;
/** The number of searches that found a row. */
let found = 0;
beforeAll(async () => {
  both = await serveBoth([INDEXER]);
});
afterAll(() => both.close());

async function compare(root: string, search: string, more: string): Promise<unknown> {
  const query = `{ ${root}(text: ${JSON.stringify(search)}${more}) { id } }`;
  const replies = await both.ask(post(both.pathOf(INDEXER), { query }));
  if (replies[0]?.body.includes('"id"')) found += 1;
  return compareReplies(...replies);
}

it(`finds the same rows as the database in the same order, from the seed ${SEED}`, async () => {
  const random = createRandom(SEED + 17);
  found = 0;
  for (const search of [...SHORT, ...Array.from({ length: 250 }, () => writeSearch(random, 3))]) {
    const pages = ["", ", first: 5", ", first: 3, skip: 4", `, block: { number: ${FIRST_BLOCK} }`];
    for (const root of ["both", "inText"]) {
      for (const more of [", first: 1000", random.pick(pages)]) {
        expect(await compare(root, search, more), `${root} ${search} ${more}`).toBeNull();
      }
    }
  }
  expect(found).toBeGreaterThan(300);
});

it.each(BROKEN)("rejects what the database rejects: %j", async (search) => {
  expect(await compare("both", search, "")).toBeNull();
});
