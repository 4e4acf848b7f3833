import type { Row, RowValue } from "../../../emulator/styles/read-view.ts";

/** The chains with rows. */
export const CHAINS: readonly number[] = [1, 10];

/** Rows of the schema on some chains, with ties, nulls, missing targets, text like patterns, and many children. */
export function rowsOn(chains: readonly number[]): ReadonlyMap<string, readonly Row[]> {
  const tables = new Map<string, Row[]>();
  for (const chain of chains) {
    for (const [entity, rows] of rowsOf(chain)) tables.set(entity, [...(tables.get(entity) ?? []), ...rows]);
  }
  return tables;
}

const NAMES = ["a", "A", "ab", "a%", "%a", "a_b", "b", "Ba", "x\\", "é"];
const BYTES = ["0xabcd", "0x01abcd", "0x1abc", "0x", "0xcdab"];
const LISTS: readonly (readonly string[])[] = [[], ["a"], ["a", "b"], ["b", "a"], ["c"]];
const NUMBERS: readonly (readonly string[])[] = [[], ["1"], ["7", "1"], ["-3", "4"]];

function rowsOf(chain: number): [string, Row[]][] {
  const random = createRandom(chain);
  const pick = <T extends RowValue>(values: readonly T[]): T => values[random(values.length)] as T;
  const maybe = <T extends RowValue>(value: T): T | null => (random(4) === 0 ? null : value);
  const id = (name: string, index: number) => `${name}-${chain}-${index}`;
  const captainId = (index: number) => `0xab${String(chain).padStart(4, "0")}0${index}`;
  const common = (name: string, index: number) => ({ id: id(name, index), chainId: String(chain) });
  const make = (count: number, row: (index: number) => Row) =>
    Array.from({ length: count }, (_, index) => row(index));
  const ports = make(5, (index) => ({
    ...common("port", index),
    name: pick(NAMES),
    opened: maybe("1700000000000000"),
    depth: pick(["1.5", "2", "-1"]),
  }));
  const captains = make(5, (index) => ({
    id: captainId(index),
    chainId: String(chain),
    name: maybe(pick(NAMES)),
    age: random(4),
  }));
  const ships = make(130, (index) => ({
    ...common("ship", index),
    serial: String(index),
    name: maybe(pick(NAMES)),
    motto: pick(NAMES),
    decks: random(4),
    crew: maybe(random(4)),
    tonnage: pick(["5", "7", "10", "-1", "18446744073709551616"]),
    debt: maybe(pick(["0", "3"])),
    price: pick(["1.5", "1000", "0.1"]),
    hull: pick(BYTES),
    flag: maybe(pick(BYTES)),
    afloat: random(2) === 0,
    insured: maybe(random(2) === 0),
    mood: pick(["WILD", "CALM", "BRISK"]),
    before: maybe(pick(["WILD", "CALM"])),
    launched: "1700000000000000",
    tags: pick(LISTS),
    aliases: maybe(pick(LISTS)),
    berths: pick([[], [1], [1, 2]]),
    cargo: pick(NUMBERS),
    debts: maybe(pick(NUMBERS)),
    seals: maybe(pick([[], ["0xab"], ["0xab", "0xcd"]])),
    amount: pick(["1", "2"]),
    amount_in: pick(["1", "2"]),
    deep__water: random(3),
    home: id("port", random(2)),
    last: maybe(pick([id("port", random(5)), "port-nowhere"])),
    captain: maybe(pick([captainId(random(5)), "0xdead"])),
    mother: maybe(id("ship", random(3))),
  }));
  const pages = make(4, (index) => ({ id: id("page", index), number: random(3) }));
  const logs = make(60, (index) => ({
    id: id("log", index),
    ship: id("ship", random(4)),
    text: pick(NAMES),
    page: index < 8 ? id("page", index % 4) : null,
  }));
  return [
    ["Port", ports],
    ["Captain", captains],
    ["Ship", ships],
    ["Page", pages],
    ["Log", logs],
    ["Lonely", []],
  ];
}

/** Numbers that are the same in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed + 1;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}
