import { EmulatorError } from "../../src/base/errors.ts";
import { isObject } from "../../src/base/parse-json.ts";
import { nearestName } from "../../src/base/text.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import type { Table } from "../../src/dialects/multichain/tables.ts";
import type { BytesType } from "../../src/dialects/protocol.ts";
import type { Row, RowValue } from "../styles/read-view.ts";
import type { ServedStyle } from "../styles/served-style.ts";
import { createRowShapes, parseValue, type RowShape, type RowTarget } from "./parse-value.ts";

/** The rows that a block writes, and the ids that it deletes. */
export type ParsedBlock = {
  readonly number: number;
  readonly tables: ReadonlyMap<string, readonly Row[]>;
  /** Ids by entity. */
  readonly deleted: ReadonlyMap<string, readonly string[]>;
};

/** Changes of rows before they are parsed. */
export type RowReading = {
  /** Whether rows of an entity are read or ignored. */
  readonly reads: (entity: string) => boolean;
  readonly id: (id: unknown) => unknown;
  /** Returns the row to parse, a text with a problem of the row, or null to ignore the row. */
  readonly row: (entity: string, row: GivenRow) => GivenRow | string | null;
};

type GivenRow = Readonly<Record<string, unknown>>;

type ParseRowsOptions = {
  readonly model: EntityModel;
  readonly style: ServedStyle;
  /** How a multichain indexer stores bytes. */
  readonly bytesType?: BytesType | undefined;
  /** The name of the rows in errors: a file's path. */
  readonly place: string;
  readonly reading?: RowReading;
  /** The tables that the platform exposes of itself. @default none */
  readonly platformTables?: readonly Table[];
};

const AS_GIVEN: RowReading = { reads: () => true, id: (id) => id, row: (_, row) => row };

const MOST_PROBLEMS = 50;
const LAST_BLOCK = 2 ** 31 - 1;

/** The blocks of rows that were given without blocks: all rows exist from the first one on. */
const START_BLOCK = 1;
const HEAD_BLOCK = 1000;

/**
 * Parses rows from JSON: an object from entity to rows, or a list of blocks, each with the rows it wrote and the ids
 * it deleted. A reference that leads nowhere is allowed, since real ones do.
 *
 * @throws EmulatorError `EMULATOR_ROWS_INVALID` with all that is wrong and where.
 */
export function parseRows(
  rows: unknown,
  { model, style, bytesType, place, reading = AS_GIVEN, platformTables }: ParseRowsOptions,
): ParsedBlock[] {
  const parser = new RowsParser(
    { shapes: createRowShapes(model, platformTables), style, bytesType },
    reading,
  );
  const none = new Map<string, never[]>();
  const blocks = Array.isArray(rows)
    ? parser.blocks(rows)
    : [
        { number: START_BLOCK, tables: parser.tables(rows, ""), deleted: none },
        { number: HEAD_BLOCK, tables: none, deleted: none },
      ];
  const { problems } = parser;
  if (problems.length === 0) return blocks;
  const more = problems.length - MOST_PROBLEMS;
  throw new EmulatorError({
    code: "EMULATOR_ROWS_INVALID",
    sentence: `${place} does not hold rows of these entities: ${problems.length === 1 ? "one thing is" : `${problems.length} things are`} wrong.`,
    context: [...problems.slice(0, MOST_PROBLEMS), ...(more > 0 ? [`and ${more} more`] : [])],
    hint: "give an object from entity to a list of rows, with a value for every field that is not derived.",
  });
}

type GivenTable = { readonly list: readonly unknown[]; readonly shape: RowShape };

type UnknownName = { readonly kind: string; readonly name: string; readonly names: Iterable<string> };

/** Collects all problems while it reads. */
class RowsParser {
  readonly problems: string[] = [];
  readonly #target: RowTarget;
  readonly #reading: RowReading;

  constructor(target: RowTarget, reading: RowReading) {
    this.#target = target;
    this.#reading = reading;
  }

  blocks(entries: readonly unknown[]): ParsedBlock[] {
    const blocks: ParsedBlock[] = [];
    let last = -1;
    for (const [index, entry] of entries.entries()) {
      if (!isObject(entry)) {
        this.problems.push(`[${index}]: has to be an object with "block" and "rows"`);
        continue;
      }
      const { block: number, rows = {}, deleted = {}, ...others } = entry;
      for (const key of Object.keys(others))
        this.#unknown(`[${index}]`, { kind: "key", name: key, names: ["block", "rows", "deleted"] });
      if (typeof number !== "number" || !Number.isInteger(number) || number < 0 || number > LAST_BLOCK) {
        this.problems.push(
          `[${index}].block: has to be the number of a block, not ${JSON.stringify(number)}`,
        );
        continue;
      }
      if (number <= last) this.problems.push(`[${index}].block: ${number} is not after ${last}`);
      last = number;
      const tables = this.tables(rows, `block ${number}, `);
      blocks.push({ number, tables, deleted: this.#deleted(deleted, tables, `block ${number}, `) });
    }
    if (entries.length === 0) this.problems.push("has no block");
    return blocks;
  }

  /** @param where the text before the name of an entity. */
  tables(lists: unknown, where: string): Map<string, readonly Row[]> {
    const tables = new Map<string, readonly Row[]>();
    for (const { list: rows, shape } of this.#entities(lists, where)) {
      const { entity } = shape;
      const ids = new Set<string>();
      tables.set(
        entity,
        rows.flatMap((row, index) => {
          const parsed = this.#row(row, shape, `${where}${entity}[${index}]`);
          if (parsed === null) return [];
          const key = shape.platformKey ?? ["id"];
          if (key.some((name) => parsed[name] === undefined)) return [];
          // A view has no key: the position of a row is its id.
          const id = key.length === 0 ? String(index) : key.map((name) => String(parsed[name])).join(" ");
          if (ids.has(id))
            this.problems.push(
              `${where}${entity}[${index}].${key.join(", ")}: ${JSON.stringify(id)} is there twice`,
            );
          ids.add(id);
          return [shape.platformKey === null ? parsed : { id, ...parsed }];
        }),
      );
    }
    return tables;
  }

  #deleted(
    lists: unknown,
    tables: ReadonlyMap<string, readonly Row[]>,
    where: string,
  ): Map<string, readonly string[]> {
    const deleted = new Map<string, readonly string[]>();
    for (const { list: ids, shape } of this.#entities(lists, `${where}deleted `)) {
      const { entity, stored } = shape;
      const type = stored.get("id")?.type ?? "ID!";
      const written = new Set(tables.get(entity)?.map((row) => String(row["id"])));
      deleted.set(
        entity,
        ids.flatMap((id, index) => {
          const place = `${where}deleted ${entity}[${index}]`;
          const parsed = parseValue(this.#reading.id(id), type, this.#target);
          if ("problem" in parsed) this.problems.push(`${place}: ${parsed.problem}`);
          else if (!written.has(String(parsed.value))) return [String(parsed.value)];
          else this.problems.push(`${place}: ${JSON.stringify(id)} is written in the same block`);
          return [];
        }),
      );
    }
    return deleted;
  }

  /** The entries of an object from entity to rows, with the entities' shapes. */
  #entities(lists: unknown, where: string): GivenTable[] {
    const { tables, interfaces } = this.#target.shapes;
    if (!isObject(lists)) {
      this.problems.push(`${where}has to be an object from entity to list`);
      return [];
    }
    return Object.entries(lists).flatMap(([entity, list]): GivenTable[] => {
      if (!this.#reading.reads(entity)) return [];
      const shape = tables.get(entity);
      if (interfaces.has(entity)) {
        this.problems.push(`${where}${entity}: is an interface; its rows are those of what implements it`);
      } else if (shape === undefined)
        this.#unknown(where, { kind: "entity", name: entity, names: tables.keys() });
      else if (!Array.isArray(list)) this.problems.push(`${where}${entity}: has to be a list`);
      else return [{ list, shape }];
      return [];
    });
  }

  #row(value: unknown, { entity, stored, derived }: RowShape, where: string): Row | null {
    if (!isObject(value)) {
      this.problems.push(`${where}: has to be an object`);
      return null;
    }
    const members = this.#reading.row(entity, value);
    if (typeof members === "string") this.problems.push(`${where}${members}`);
    if (members === null || typeof members === "string") return null;
    for (const name of Object.keys(members)) {
      if (derived.has(name)) this.problems.push(`${where}.${name}: is derived, so it cannot have a value`);
      else if (!stored.has(name)) this.#unknown(where, { kind: "field", name, names: stored.keys() });
    }
    const row: Record<string, RowValue> = {};
    for (const { name, type } of stored.values()) {
      const member = Object.hasOwn(members, name) ? members[name] : undefined;
      const parsed = parseValue(member, type, this.#target);
      if ("problem" in parsed) this.problems.push(`${where}.${name}: ${parsed.problem}`);
      else row[name] = parsed.value;
    }
    return row;
  }

  #unknown(where: string, { kind, name, names }: UnknownName): void {
    const nearest = nearestName(name, names);
    const place = where.endsWith(" ") || where === "" ? where : `${where}: `;
    this.problems.push(
      `${place}there is no ${kind} ${JSON.stringify(name)}${nearest === null ? "" : `, did you mean "${nearest}"?`}`,
    );
  }
}
