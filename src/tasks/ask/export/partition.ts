import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { compareCodeUnits } from "../../../base/collections.ts";
import { UsageError } from "../../../base/errors.ts";
import { type Column, type Row, valueAt } from "../rows.ts";
import type { FilesOnDisk } from "./export-state.ts";

/** The keys that rows can be divided into folders by. */
export const PARTITION_KEYS = ["chain", "year", "month", "day"] as const;

export type PartitionKey = (typeof PARTITION_KEYS)[number];

/** The columns of the rows that are divided. */
type DividedRows = {
  readonly columns: readonly Column[];
  /** The column of the chain; null if the rows are of one chain. */
  readonly chainKey: string | null;
};

/**
 * Parses the keys of `--partition`.
 *
 * @throws UsageError for an unknown key, and for rows that do not have what a key needs.
 */
export function parsePartition(
  names: readonly string[],
  { columns, chainKey }: DividedRows,
): readonly PartitionKey[] {
  const keys = [...new Set(names)].map((name) => {
    const key = PARTITION_KEYS.find((one) => one === name);
    if (key === undefined) {
      throw new UsageError({
        sentence: `--partition takes ${PARTITION_KEYS.join(", ")}; got "${name}".`,
        hint: "write, for example, --partition chain,month.",
      });
    }
    const isTaken = columns.some((column) => column.name === key) && chainKey !== key;
    if (isTaken) {
      throw new UsageError({
        sentence: `The operation has a column "${key}", so rows cannot be divided by --partition ${key}.`,
        hint: "give the field another name, as in `own: chain`.",
      });
    }
    return key;
  });
  if (keys.some((key) => key !== "chain") && timeColumn(columns) === null) {
    throw new UsageError({
      sentence: "--partition by year, month or day needs a column with times.",
      hint: "select timestamp, or name the field in `times` of the protocol.",
    });
  }
  return keys;
}

/** Returns the column that rows are divided by: `timestamp`, or else the first one with times; null without one. */
function timeColumn(columns: readonly Column[]): Column | null {
  const times = columns.filter(({ kind }) => kind === "time");
  return times.find(({ name }) => name === "timestamp") ?? times[0] ?? null;
}

/** Returns a function from a row and its chain to its folder: `chain=base/month=2025-04`; empty without keys. */
export function folderFunction(
  keys: readonly PartitionKey[],
  columns: readonly Column[],
): (row: Row, chain: string) => string {
  const time = timeColumn(columns)?.path ?? [];
  const known = new Map<number, string>();
  const dateOf = (row: Row): string => {
    const seconds = valueAt(row, time);
    const day = seconds === null ? Number.NaN : Math.floor(Number(seconds) / 86_400);
    const found = known.get(day);
    if (found !== undefined) return found;
    const date = new Date(day * 86_400_000);
    const text = Number.isNaN(date.getTime()) ? "" : date.toISOString().replace(/T.*/, "");
    known.set(day, text);
    return text;
  };
  return (row, chain) => {
    if (keys.length === 0) return "";
    const date = keys.some((key) => key !== "chain") ? dateOf(row) : "";
    return keys
      .map((key) => `${key}=${key === "chain" ? chain : cutDate(date, key) || "__HIVE_DEFAULT_PARTITION__"}`)
      .join("/");
  };
}

/** Cuts the day, or month and day, off a date, whose year may have more than four digits. */
function cutDate(date: string, key: Exclude<PartitionKey, "chain">): string {
  return key === "day" ? date : date.slice(0, key === "month" ? -3 : -6);
}

/** Returns the name of the files of a run. */
export function partName(run: number, format: string): string {
  return `part-${String(run).padStart(4, "0")}.${format}`;
}

const PART = /^part-(\d{4,})\.(parquet|csv|ndjson|json)(\.lockflow-tmp)?$/;
const KEY = new RegExp(`^(${PARTITION_KEYS.join("|")})=`);

/** A file of an exported folder. */
export type FoundPart = {
  /** The folder that it is in, from the exported one: `chain=base/month=2025-04`. */
  readonly folder: string;
  readonly name: string;
  readonly run: number;
  readonly isTemporary: boolean;
};

/** Lists the files of an exported folder, in the order of their paths; empty if it is missing. */
export function listParts(root: string, folder = ""): readonly FoundPart[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  const entries = readdirSync(path, { withFileTypes: true });
  return entries
    .sort((a, b) => compareCodeUnits(a.name, b.name))
    .flatMap((entry): readonly FoundPart[] => {
      const { name } = entry;
      if (entry.isDirectory()) {
        return KEY.test(name) ? listParts(root, folder === "" ? name : `${folder}/${name}`) : [];
      }
      const [, run, , temporary] = PART.exec(name) ?? [];
      return run === undefined
        ? []
        : [{ folder, name, run: Number(run), isTemporary: temporary !== undefined }];
    });
}

/** Measures the file of an export, or the files of its folder. */
export function measureFiles({
  path,
  partition,
}: {
  readonly path: string;
  readonly partition: readonly PartitionKey[] | null;
}): FilesOnDisk {
  const parts = partition === null ? [] : listParts(path).filter(({ isTemporary }) => !isTemporary);
  const places = partition === null ? [path] : parts.map(({ folder, name }) => join(path, folder, name));
  const sizes = places.flatMap((place) => {
    const found = statSync(place, { throwIfNoEntry: false });
    return found?.isFile() ? [found.size] : [];
  });
  return { count: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
