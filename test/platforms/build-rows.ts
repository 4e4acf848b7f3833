import type { OwnBlock, OwnRow } from "../../emulator/custom/custom-indexer.ts";
import { baseTypeName, isList, isRequired } from "../../src/dialects/api-schema.ts";
import type { Aggregation, Entity, EntityField, EntityModel } from "../../src/dialects/entity-model.ts";
import type { Random } from "../emulator/agreement/random.ts";

/** The blocks of an indexer. Most of its rows are in the first. */
export const FIRST_BLOCK = 5;
export const LAST_BLOCK = 40;

/** The number of rows of an entity. */
const MOST_ROWS = 24;

type Table = Entity | Aggregation;

/**
 * Makes rows for any entities, with values that are easy to confuse, and changes the rows over blocks.
 *
 * @param fixed the entities whose rows never change.
 */
export function buildRows(model: EntityModel, fixed: ReadonlySet<string>, random: Random): OwnBlock[] {
  const tables = model.definitions.filter(
    (definition): definition is Table => definition.kind === "entity" || definition.kind === "aggregation",
  );
  const enums = new Map(
    model.definitions.flatMap((one) =>
      one.kind === "enum" ? [[one.name, one.values?.map(({ name }) => name) ?? []] as const] : [],
    ),
  );
  const ids = new Map<string, readonly string[]>();
  for (const table of tables) {
    const type = baseTypeName(table.fields.find(({ name }) => name === "id")?.type ?? "");
    ids.set(
      table.name,
      // A node lets no two entities of one interface have one id.
      random
        .some(8, MOST_ROWS, (index) => idOf(type, index, table.name))
        .filter((id) => !relatives(table, tables).some(({ name }) => ids.get(name)?.includes(id))),
    );
  }
  for (const one of model.definitions) {
    if (one.kind !== "interface") continue;
    const members = tables.filter((table) => table.kind === "entity" && table.interfaces.includes(one.name));
    ids.set(
      one.name,
      members.flatMap(({ name }) => ids.get(name) ?? []),
    );
  }
  // What a derived single reference finds should mostly be one: of several, a node reads some by chance.
  const taken = new Map(
    tables.flatMap(({ fields }) =>
      fields
        .filter(({ derived, type }) => derived && !isList(type))
        .map(({ type, derivedFrom }) => [`${type} ${derivedFrom}`, new Set<unknown>()] as const),
    ),
  );
  const makeOwnValue = (table: Table, { name, type }: EntityField): unknown => {
    const used = taken.get(`${table.name} ${name}`);
    if (used === undefined || random.chance(0.1)) return makeValue(type);
    const free = ids.get(baseTypeName(type))?.filter((id) => !used.has(id)) ?? [];
    const value =
      free.length > 0 ? random.pick(free) : isRequired(type) ? NOWHERE[idKind(baseTypeName(type))] : null;
    used.add(value);
    return value;
  };
  const makeValue = (type: string): unknown => {
    if (!isRequired(type) && random.chance(0.25)) return null;
    if (isList(type)) {
      const item = type.replace(/^\[|\]!?$/g, "");
      return random.some(0, 4, () => makeValue(item.endsWith("!") ? item : `${item}!`));
    }
    const base = baseTypeName(type);
    const members = enums.get(base);
    if (members !== undefined) return random.pick(members);
    const targets = ids.get(base);
    // Some references have no target, as in real data.
    if (targets !== undefined) {
      return targets.length === 0 || random.chance(0.05) ? NOWHERE[idKind(base)] : random.pick(targets);
    }
    return random.pick(VALUES[base] ?? [""]);
  };
  const idKind = (target: string): string => {
    const [first = ""] = ids.get(target) ?? [];
    return first.startsWith("0x") ? "Bytes" : /^\d+$/.test(first) ? "Int8" : "String";
  };
  const rowOf = (table: Table, id: string): OwnRow => {
    const own = table.fields.filter(({ derived, name }) => !derived && name !== "id");
    const interval = table.kind === "aggregation" ? { interval: random.pick(table.intervals) } : {};
    return {
      id,
      ...interval,
      ...Object.fromEntries(own.map((field) => [field.name, makeOwnValue(table, field)])),
    };
  };
  const all = tables.flatMap((table) => (ids.get(table.name) ?? []).map((id) => ({ table, id })));
  const written = new Set<string>();
  const gone = new Set<string>();
  return Array.from({ length: LAST_BLOCK - FIRST_BLOCK + 1 }, (_, index): OwnBlock => {
    const rows: Record<string, OwnRow[]> = {};
    const deleted: Record<string, string[]> = {};
    for (const { table, id } of all) {
      const key = `${table.name} ${id}`;
      const isNew = !written.has(key);
      const isLast = index === LAST_BLOCK - FIRST_BLOCK;
      if (!random.chance(index === 0 ? 0.6 : isNew ? (isLast ? 1 : 0.1) : 0.03)) continue;
      if (!isNew && (table.kind === "aggregation" || fixed.has(table.name))) continue;
      written.add(key);
      if (!isNew && !gone.has(key) && random.chance(0.2)) {
        gone.add(key);
        deleted[table.name] = [...(deleted[table.name] ?? []), id];
        continue;
      }
      gone.delete(key);
      rows[table.name] = [...(rows[table.name] ?? []), rowOf(table, id)];
    }
    return { block: FIRST_BLOCK + index, rows, deleted };
  });
}

/** The other entities of its interfaces. */
function relatives(table: Table, all: readonly Table[]): Table[] {
  if (table.kind !== "entity") return [];
  return all.filter(
    (one) => one.kind === "entity" && one.interfaces.some((name) => table.interfaces.includes(name)),
  );
}

/** The entities of a text whose rows never change. */
export function findFixed(text: string): Set<string> {
  const found = text.matchAll(/type (\w+)[^{]*@entity\(([^)]*)\)/g);
  return new Set(
    [...found]
      .filter(([, , args = ""]) => /immutable: *true|timeseries: *true/.test(args))
      .map(([, name = ""]) => name),
  );
}

function idOf(type: string, index: number, table: string): string {
  if (type === "Bytes") return BYTES_IDS[index] ?? `0x${(index * 7919).toString(16).padStart(8, "0")}`;
  if (type === "Int8") return INT8_IDS[index] ?? `${index}`;
  return STRING_IDS[index] === undefined ? `${table.toLowerCase()}-${index}` : `${STRING_IDS[index]}`;
}

const BYTES_IDS = ["0x", "0x00", "0x01", "0xab", "0xabcd", "0xff", "0x5c", "0x25", "0x5f", "0x0a0b0c"];
const INT8_IDS = ["0", "1", "-1", "9223372036854775807", "-9223372036854775808", "10", "9", "4294967296"];
const STRING_IDS = ["a", "A", "b", "", " ", "ä", "10", "9", "0x12", "%", "_", "\\", "a-1", '"', "a%"];

/** The value of a reference without a target. */
const NOWHERE: Readonly<Record<string, string>> = { Bytes: "0xdead", Int8: "424242", String: "nowhere" };

const TEXTS = [
  ...`a A b B ab aB abc Abc ABC ä Ä é ß İ ı 日本 🙂 % _ \\ %a a% %a% a_c a\\c \\% _\\ %_\\ ' " 0 10 9 null`.split(
    " ",
  ),
  ...["", " ", "a b", "a'b", "\n", "\t"],
];
const DECIMALS = [
  ..."0 1 -1 0.5 -0.5 -0.1 0.1 1.10 10 9.99 1000 1e3 123456789.123456789 100000000000000000000".split(" "),
  ...["0.000000000000000001", "33.33333333333333333333333333333333"],
];
const INTEGERS = [
  ..."0 1 -1 2 10 9 100 -100 9007199254740993 18446744073709551616".split(" "),
  ...[String(2n ** 256n - 1n), String(-(2n ** 255n))],
];

/** Values by scalar, as rows are given. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  ID: [...STRING_IDS, "z", "Z", "1"],
  String: TEXTS,
  Int: [0, 1, -1, 2, 3, 10, 9, 100, 2147483647, -2147483648],
  Int8: [...INT8_IDS, "2", "100"],
  BigInt: INTEGERS,
  BigDecimal: DECIMALS,
  Bytes: [...BYTES_IDS, "0xABCD", "0x7f", "0x80", `0x${"ff".repeat(32)}`, `0x${"00".repeat(20)}`],
  Boolean: [true, false],
  Timestamp:
    "0 1 1000000 1700000000000000 1700000000123456 -1000000 1609459200000000 253402300799000000".split(" "),
};
