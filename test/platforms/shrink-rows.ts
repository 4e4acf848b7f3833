import type { OwnBlock, OwnRow } from "../../emulator/custom/custom-indexer.ts";
import { baseTypeName, isList, isRequired } from "../../src/dialects/api-schema.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";

/** The time limit in milliseconds: each try is a deployment. */
const LONGEST = 30_000;

/** The remaining rows, and their fields that matter. All other fields are null or a trivial value. */
export type SmallestRows = { readonly rows: readonly OwnBlock[]; readonly shown: readonly OwnBlock[] };

/**
 * Makes the rows as few and as empty as possible while the answer to a question stays wrong. Versions of rows and
 * deletions are removed first, then the values of fields.
 *
 * @param now the time in milliseconds.
 */
export async function shrinkRows(
  blocks: readonly OwnBlock[],
  model: EntityModel,
  isWrong: (blocks: readonly OwnBlock[]) => Promise<boolean>,
  now: () => number = Date.now,
): Promise<SmallestRows> {
  const end = now() + LONGEST;
  const isOver = () => now() >= end;
  const versions = blocks.flatMap(({ rows = {}, deleted = {} }, block): Version[] => [
    ...Object.entries(rows).flatMap(([entity, all]) => all.map((row) => ({ block, entity, row }))),
    ...Object.entries(deleted).flatMap(([entity, ids]) => ids.map((id) => ({ block, entity, id }))),
  ]);
  const kept = await keepFew(versions, (some) => isWrong(build(blocks, some)), isOver);
  const cells = kept.flatMap((version) =>
    Object.keys(version.row ?? {}).flatMap((field): Cell[] => {
      const empty = emptyOf(model, version.entity, field);
      return empty === undefined ? [] : [{ version, field, empty }];
    }),
  );
  const emptied = (full: readonly Cell[]) => kept.map((version) => emptyAll(version, cells, full));
  const full = await keepFew(cells, (some) => isWrong(build(blocks, emptied(some))), isOver);
  const isShown = (version: Version, field: string) =>
    full.some((cell) => cell.version === version && cell.field === field) ||
    !cells.some((cell) => cell.version === version && cell.field === field);
  const shown = kept.map((version) => {
    const fields = Object.entries(version.row ?? {}).filter(([field]) => isShown(version, field));
    return version.row === undefined ? version : { ...version, row: Object.fromEntries(fields) as OwnRow };
  });
  const isWritten = ({ rows = {}, deleted = {} }: OwnBlock) =>
    Object.keys({ ...rows, ...deleted }).length > 0;
  return { rows: build(blocks, emptied(full)), shown: build(blocks, shown).filter(isWritten) };
}

/** A row as a block writes it, or the id of one that it deletes. */
type Version = {
  readonly block: number;
  readonly entity: string;
  readonly row?: OwnRow;
  readonly id?: string;
};

/** A field of a row, and its trivial value. */
type Cell = { readonly version: Version; readonly field: string; readonly empty: unknown };

/** Removes what can be removed: halves, then quarters, then single items. */
async function keepFew<T>(
  all: readonly T[],
  isWrong: (some: readonly T[]) => Promise<boolean>,
  isOver: () => boolean,
): Promise<readonly T[]> {
  let kept = all;
  for (let size = Math.ceil(all.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < kept.length && !isOver(); ) {
      const fewer = kept.toSpliced(at, size);
      if (await isWrong(fewer)) kept = fewer;
      else at += size;
    }
  }
  return kept;
}

/** All blocks stay: the last is the head. */
function build(blocks: readonly OwnBlock[], versions: readonly Version[]): OwnBlock[] {
  return blocks.map(({ block }, index) => {
    const rows: Record<string, OwnRow[]> = {};
    const deleted: Record<string, string[]> = {};
    for (const { entity, row, id } of versions.filter((version) => version.block === index)) {
      if (row !== undefined) rows[entity] = [...(rows[entity] ?? []), row];
      if (id !== undefined) deleted[entity] = [...(deleted[entity] ?? []), id];
    }
    return { block, rows, deleted };
  });
}

function emptyAll(version: Version, cells: readonly Cell[], full: readonly Cell[]): Version {
  if (version.row === undefined) return version;
  const isFull = new Set(full);
  const empty = cells.filter((cell) => cell.version === version && !isFull.has(cell));
  return {
    ...version,
    row: { ...version.row, ...Object.fromEntries(empty.map((one) => [one.field, one.empty])) } as OwnRow,
  };
}

/** Returns the trivial value of a field; undefined if the field must have a value, such as an id. */
function emptyOf(model: EntityModel, entity: string, field: string): unknown {
  const definition = model.definitions.find(({ name }) => name === entity);
  if (definition === undefined || !("fields" in definition) || field === "id") return undefined;
  const type = definition.fields.find(({ name }) => name === field)?.type;
  if (type === undefined) return undefined;
  if (!isRequired(type)) return null;
  if (isList(type)) return [];
  const target = model.definitions.find(({ name }) => name === baseTypeName(type));
  if (target?.kind === "enum") return target.values?.[0]?.name;
  return EMPTY[baseTypeName(type)];
}

const EMPTY: Readonly<Record<string, unknown>> = {
  ...{ ID: "", String: "", Bytes: "0x", Boolean: false },
  ...{ Int: 0, Int8: "0", BigInt: "0", BigDecimal: "0", Timestamp: "0" },
};
