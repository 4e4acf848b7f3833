import { expect, it } from "vitest";
import type { OwnBlock } from "../../emulator/custom/custom-indexer.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import { shrinkRows } from "./shrink-rows.ts";

const MODEL = parseEntities(
  "enum Mood { WILD CALM } type Ship @entity(immutable: false) { id: ID! name: String decks: Int! mood: Mood! tags: [String!]! mother: Ship! }",
  "ships",
);
const ship = (id: number) => ({
  id: `s${id}`,
  name: `n${id}`,
  decks: id,
  mood: "CALM",
  tags: ["a"],
  mother: "s0",
});
const BLOCKS: readonly OwnBlock[] = [
  { block: 5, rows: { Ship: [0, 1, 2, 3, 4, 5, 6].map(ship) } },
  { block: 6, rows: { Ship: [ship(1), ship(9)] }, deleted: { Ship: ["s2", "s3"] } },
  { block: 7 },
];
const shipsIn = (blocks: readonly OwnBlock[]) => blocks.flatMap(({ rows }) => rows?.["Ship"] ?? []);

it("keeps every block, and only the rows, deletions and fields that cause the difference", async () => {
  const { rows, shown } = await shrinkRows(BLOCKS, MODEL, async (blocks) => {
    const isGone = blocks.some(({ deleted }) => deleted?.["Ship"]?.includes("s3"));
    const ships = shipsIn(blocks);
    return isGone && ships.some(({ name }) => name === "n4") && ships.some(({ decks }) => decks === 9);
  });
  expect(shown).toEqual([
    { block: 5, rows: { Ship: [{ id: "s4", name: "n4", mother: "s0" }] }, deleted: {} },
    { block: 6, rows: { Ship: [{ id: "s9", decks: 9, mother: "s0" }] }, deleted: { Ship: ["s3"] } },
  ]);
  expect(rows.map(({ block }) => block)).toEqual([5, 6, 7]);
  expect(shipsIn(rows)).toEqual([
    { id: "s4", name: "n4", decks: 0, mood: "WILD", tags: [], mother: "s0" },
    { id: "s9", name: null, decks: 9, mood: "WILD", tags: [], mother: "s0" },
  ]);
});

it("keeps all rows if no smaller set differs, and ends after half a minute", async () => {
  let tries = 0;
  const isWrong = async () => {
    tries += 1;
    return false;
  };
  expect(shipsIn((await shrinkRows(BLOCKS, MODEL, isWrong)).rows)).toEqual(shipsIn(BLOCKS));
  expect(tries).toBeGreaterThan(20);
  let time = 0;
  tries = 0;
  await shrinkRows(BLOCKS, MODEL, isWrong, () => (time += 10_000));
  expect(tries).toBe(2);
});
