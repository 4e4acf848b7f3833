import { cached } from "../../../src/base/collections.ts";
import { hash } from "../../../src/base/hash.ts";
import type { RowValue } from "../../styles/read-view.ts";
import { createRandom, createRandoms, type Random } from "../rows/create-random.ts";
import { countAt, countBefore, type Growth, generationOf, NO_GROWTH } from "./plan-growth.ts";
import type { PlannedEntity, PlannedField, RowPlan, ScalarFamily, ScalarSource } from "./row-plan.ts";

type RowMakerOptions = {
  readonly plan: RowPlan;
  readonly growth: ReadonlyMap<string, Growth>;
  /** The source of all randomness: the emulator's seed, the protocol and the chain. */
  readonly seed: string;
  readonly chainId: number;
  /** The ids of all chains: 32-bit ids must have room for all of them. */
  readonly chainIds: readonly number[];
  /** When a row was created, in Unix seconds. */
  readonly createdAt: (entity: string, index: number) => number;
};

/** A row in no style's form: times in Unix seconds, and a value for every planned field. */
export type MadeRow = ReadonlyMap<string, RowValue>;

/** Makes rows one by one: each depends on the seed, its entity and its number alone. */
export type RowMaker = {
  /** @param values values that are known already. */
  readonly make: (entity: PlannedEntity, index: number, values?: MadeRow) => MadeRow;
  /** Changes a row. @param version how often the row was changed, including this time. */
  readonly change: (row: MadeRow, version: RowVersion) => MadeRow;
};

/** A version of a row: how often the row with a number was changed. */
type RowVersion = { readonly entity: PlannedEntity; readonly index: number; readonly version: number };

/** The place of a value. Its circle has the entities whose ids the id being made is part of. */
type Place = RowVersion & { readonly circle: readonly string[] };

/** The share of nullable values that are null, in percent. */
const NULLS = 20;
/** The share of changeable values that change with their row, in percent. */
const CHANGES = 50;
const LONGEST_LIST = 3;
const ACCOUNTS = 12;

export function createRowMaker(options: RowMakerOptions): RowMaker {
  const { plan: entities, growth, seed, chainId, chainIds, createdAt } = options;
  const randoms = new Map<string, (row: number, version: number) => Random>();
  const chains = [...new Set(chainIds)].sort((a, b) => a - b);
  const people = createRandom(`${seed}:accounts`);
  const accounts = Array.from({ length: ACCOUNTS }, () => people.hex(20));
  const prefixes = new Map<string, string>();

  const createRandomsOf = (key: string) => createRandoms(`${seed}:${key}`);

  function randomOf(field: string, { entity, index, version }: RowVersion): Random {
    return cached(randoms, `${entity.name}.${field}`, createRandomsOf)(index, version);
  }

  const dashes = dashedNames(entities.keys());
  const growthOf = (entity: string) => growth.get(entity) ?? NO_GROWTH;

  /** @param circle the entities whose ids the id being made is part of. */
  function idOf(entity: PlannedEntity, index: number, circle: readonly string[] = []): RowValue {
    const { id, name } = entity;
    if (id.isChain) return chainIdAs(id.family);
    const twin = id.twin === null || circle.includes(name) ? undefined : entities.get(id.twin);
    if (twin !== undefined) return idOf(twin, index, [...circle, name]);
    if (id.template !== null && id.family === "text" && !circle.includes(name)) {
      const parts = id.template.map((part) =>
        "text" in part
          ? part.text
          : partOf(part.field, { entity, index, version: 0, circle: [...circle, name] }),
      );
      return parts.join("");
    }
    switch (id.family) {
      case "int":
        return index * (chains.length + 1) + chains.indexOf(chainId) + 2;
      case "integer":
        return String(
          BigInt(chainId % CHAINS_OF_63_BITS) * 1_000_000_000n +
            BigInt(index) * BigInt(entities.size) +
            BigInt(entity.ordinal + 1),
        );
      case "bytes":
        return `${prefixOf(name)}${index.toString(16).padStart(8, "0")}`;
      case "text": {
        const serial = String(index + 1);
        return `${dashes.get(name)}-${chainId}-${id.isOrdered ? serial.padStart(SERIAL_DIGITS, "0") : serial}`;
      }
    }
  }

  /** Bytes ids look like a hash followed by a counter, as indexers make them. */
  const prefixOf = (entity: string) => cached(prefixes, entity, () => `0x${hash(`${seed}:${entity}:id`)}`);

  function partOf(name: string, place: Place): string {
    const field = place.entity.fields.get(name);
    if (field === undefined) return String(name === "chainId" ? chainId : place.index + 1);
    const value = fieldValue(field, place);
    return (Array.isArray(value) ? value : [value]).join("-").replaceAll(" ", "-");
  }

  function chainIdAs(family: ScalarFamily): RowValue {
    if (family === "int") return chainId;
    if (family !== "bytes") return String(chainId);
    const digits = chainId.toString(16);
    return `0x${digits.padStart(digits.length + (digits.length % 2), "0")}`;
  }

  function fieldValue(field: PlannedField, place: Place): RowValue {
    const { source, name } = field;
    const { entity, index } = place;
    switch (source.kind) {
      case "chain":
        return String(chainId);
      case "created":
        return createdAt(entity.name, index);
      case "serial":
        return serialOf(source.family, index, createdAt(entity.name, 0));
      case "reference":
        return referenceOf(field, source, place);
    }
    const random = randomOf(name, place);
    if (field.isNullable && random.chance(NULLS)) return null;
    const draw = (): RowValue => {
      if (source.kind === "enum") return source.members.length === 0 ? null : random.pick(source.members);
      const created = source.family === "time" ? createdAt(entity.name, index) : 0;
      return drawScalar(random, source, { created, accounts });
    };
    return field.isList ? Array.from({ length: random.int(0, LONGEST_LIST) }, draw) : draw();
  }

  /** Ids of rows that exist when the row is made, so that every reference resolves at every block. */
  function referenceOf(
    { name, isList, isNullable }: PlannedField,
    { targets, pairing }: Extract<PlannedField["source"], { readonly kind: "reference" }>,
    { entity, index, circle }: Place,
  ): RowValue {
    const rate = growthOf(entity.name);
    const generation = generationOf(rate, index);
    const random = randomOf(name, { entity, index, version: 0 });
    // Each follows the one before, so that none is its own successor.
    const isChain = pairing === "one-to-one" && targets.every((target) => target === entity.name);
    if (isChain && isNullable && !isList) return index === 0 ? null : idOf(entity, index - 1, circle);
    /** The id at an offset among the rows of all targets, or among the new rows of the generation. */
    const idAt = (offset: number, isNew: boolean): RowValue => {
      let left = offset;
      for (const target of targets) {
        const from = isNew ? countBefore(growthOf(target), generation) : 0;
        const count = countAt(growthOf(target), generation) - from;
        const planned = entities.get(target);
        if (left < count && planned) return idOf(planned, from + left, circle);
        left -= count;
      }
      return null;
    };
    const paired = pairing === "any" ? null : idAt(index - countBefore(rate, generation), true);
    const first = paired === null ? [] : [paired];
    if (pairing === "one-to-one") return isList ? first : paired;
    const total = targets.reduce((sum, target) => sum + countAt(growthOf(target), generation), 0);
    const draw = () => idAt(random.int(0, total - 1), false);
    if (isList) {
      const length = total === 0 ? 0 : random.int(0, LONGEST_LIST);
      return [...new Set([...first, ...Array.from({ length }, draw)])];
    }
    if (paired !== null) return paired;
    return total === 0 || (isNullable && random.chance(NULLS)) ? null : draw();
  }

  return {
    make: (entity, index, values) => {
      const row = new Map<string, RowValue>([["id", idOf(entity, index)]]);
      const place = { entity, index, version: 0, circle: [] };
      for (const field of entity.fields.values()) {
        const value = values?.get(field.name);
        row.set(field.name, value === undefined ? fieldValue(field, place) : value);
      }
      return row;
    },
    change: (row, version) => {
      const changed = new Map(row);
      for (const field of version.entity.fields.values()) {
        if (!field.mayChange || !randomOf(`${field.name}?`, version).chance(CHANGES)) continue;
        changed.set(field.name, fieldValue(field, { ...version, circle: [] }));
      }
      return changed;
    },
  };
}

const SERIAL_DIGITS = 9;
/** Larger chain ids do not fit into 63-bit ids. */
const CHAINS_OF_63_BITS = 9_000_000_000;

/** The prefix of an entity's ids: `AuctionHouse` gives `auction-house`, unless another entity gives the same. */
export function dashedNames(names: Iterable<string>): ReadonlyMap<string, string> {
  const dashes = new Map(
    Array.from(names, (name) => [name, name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "-").toLowerCase()]),
  );
  const counts = new Map<string, number>();
  for (const text of dashes.values()) counts.set(text, (counts.get(text) ?? 0) + 1);
  return new Map(Array.from(dashes, ([name, text]) => [name, counts.get(text) === 1 ? text : name]));
}

function serialOf(family: ScalarFamily, index: number, start: number): RowValue {
  switch (family) {
    case "bytes":
      return `0x${(index + 1).toString(16).padStart(64, "0")}`;
    case "int":
      return index + 1;
    case "time":
      return start + index;
    case "text":
    case "json":
      return String(index + 1).padStart(SERIAL_DIGITS, "0");
    default:
      return String(index + 1);
  }
}

/**
 * Draws a realistic value of a scalar.
 *
 * @param created when its row was made, in Unix seconds.
 * @param accounts addresses that occur often.
 */
function drawScalar(
  random: Random,
  { family, digits, decimals, hasAccounts }: ScalarSource,
  { created, accounts }: { readonly created: number; readonly accounts: readonly string[] },
): RowValue {
  switch (family) {
    case "boolean":
      return random.chance(50);
    case "int":
      return Number(drawDigits(random, Math.min(digits, 6)));
    case "int8":
      return drawDigits(random, Math.min(digits, 15));
    case "integer":
      return drawDigits(random, digits);
    case "decimal":
      return drawDecimal(random, Math.min(digits, 9), decimals);
    case "time":
      return created - random.int(0, LONGEST_AGO);
    case "bytes":
      return hasAccounts ? random.pick(accounts) : random.hex(32);
    case "json":
      return JSON.stringify({ label: drawWords(random), weight: random.int(1, 1000) });
    case "text":
      return drawWords(random);
  }
}

const LONGEST_AGO = 30 * 86_400;

/** A whole number with up to this many digits; sometimes zero. */
function drawDigits(random: Random, most: number): string {
  if (most === 0 || random.chance(4)) return "0";
  let text = String(random.int(1, 9));
  for (let left = random.int(1, most) - 1; left > 0; left -= 4) {
    text += String(random.int(0, 9999)).padStart(4, "0").slice(0, left);
  }
  return text;
}

/** Up to six decimals without trailing zeros, which only one style keeps. */
function drawDecimal(random: Random, most: number, places: number): string {
  const decimals = String(random.int(0, 999_999))
    .padStart(6, "0")
    .slice(0, random.int(0, Math.min(places, 6)))
    .replace(/0+$/, "");
  const whole = drawDigits(random, most);
  return decimals === "" ? whole : `${whole}.${decimals}`;
}

function drawWords(random: Random): string {
  return Array.from({ length: random.int(1, 3) }, () => random.pick(WORDS)).join(" ");
}

const WORDS = `
amber anchor aspen atlas basalt beacon birch bramble bridge canyon cedar cobalt comet coral crescent delta
drift ember fable falcon fern fjord flint garnet glacier granite harbor hazel heron horizon indigo island
ivory jasper juniper lagoon lantern lark linden lotus maple marble meadow mesa mistral nimbus opal orchid
osprey pearl pine prairie quartz raven reef ridge river saffron sierra solstice thistle tundra willow zephyr
`
  .trim()
  .split(/\s/);
