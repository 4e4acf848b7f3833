import { UsageError } from "../base/errors.ts";
import type { FormatName } from "../tasks/ask/formats.ts";
import type { Asked } from "../tasks/ask.ts";
import { flagOf } from "./option.ts";
import { FORMAT_NAMES, type Options } from "./options.ts";

/** The options of where rows go. */
export type SinkOptions = Options<"ask"> & {
  readonly format: FormatName;
  readonly isFolder: boolean;
  /** Whether other operations are asked too. */
  readonly isSeveral: boolean;
};

/** Returns whether rows go to files in a folder. */
export function isFolderPath({ out, partition }: Options<"ask">): boolean {
  return out !== undefined && (partition !== undefined || /[/\\]$/.test(out));
}

/** @throws UsageError if several operations or partitions have no folder for their rows. */
export function requireFolder({ out, partition }: Options<"ask">, isSeveral: boolean): void {
  if (!isSeveral && partition === undefined) return;
  const isFile = FORMAT_NAMES.some((name) => out?.toLowerCase().endsWith(`.${name}`));
  if (!isFile && (out !== undefined || !isSeveral)) return;
  throw new UsageError({
    sentence: isFile
      ? `"${out}" is a file, but ${isSeveral ? "several operations fill" : "--partition fills"} a folder.`
      : "Several operations fill a folder, so they need --out.",
    hint: "write, for example, --out lake/.",
  });
}

/** @throws UsageError for options that do not fit Parquet or a folder. */
export function requireParquet(
  format: FormatName,
  { out, partition, flat, pages, isFolder }: Omit<SinkOptions, "format" | "isSeveral">,
): void {
  if (partition !== undefined && out === undefined) {
    throw new UsageError({ sentence: "--partition divides the files of a folder, so it needs --out." });
  }
  if (isFolder && !pages) {
    throw new UsageError({
      sentence: `"${out}" is a folder, which only an export of all rows fills.`,
      hint: "add --pages, or name a file.",
    });
  }
  if (isFolder && format === "table") {
    throw new UsageError({
      sentence: "A folder has no tables.",
      hint: "use --format parquet, csv or ndjson.",
    });
  }
  if (flat && format !== "parquet") {
    throw new UsageError({ sentence: `--flat is for Parquet; ${format} has columns with dots anyway.` });
  }
  if (format !== "parquet" || out !== undefined) return;
  throw new UsageError({
    sentence: "Parquet is not text, so it is not printed.",
    hint: "add --out with a file or folder.",
  });
}

/** @throws UsageError if rows have no ids, or new ones do not come after all others. */
export function requireIds({ columns, operation, isAppendable }: Asked): void {
  if (!columns.some(({ name }) => name === "id")) {
    throw new UsageError({
      sentence: `--since-last needs the id of rows, which ${operation} does not select.`,
    });
  }
  if (isAppendable) return;
  throw new UsageError({
    sentence: `--since-last needs rows in the order of a cursor that only grows, which ${operation} does not have.`,
    hint: "order the list by a field that `cursors` of the protocol names, ascending.",
  });
}

/** @throws UsageError for options that do not fit --resume or --since-last. */
export function requireResumable(
  format: FormatName,
  { resume, sinceLast, latest, block, pages, out }: Options<"ask">,
): void {
  if (latest && !sinceLast) throw new UsageError({ sentence: "--latest needs --since-last." });
  if (resume && sinceLast) {
    throw new UsageError({
      sentence: "--resume and --since-last exclude each other.",
      hint: "--since-last also continues an interrupted export, at newer blocks.",
    });
  }
  if (sinceLast && block !== undefined) {
    throw new UsageError({ sentence: "--since-last and --block exclude each other.", hint: "omit --block." });
  }
  if (sinceLast && (!pages || out === undefined || format === "table")) {
    throw new UsageError({
      sentence:
        "--since-last adds rows to an export, so it needs --pages and --out, and a format other than table.",
    });
  }
  if (!resume) return;
  if (!pages || out === undefined) {
    throw new UsageError({ sentence: "--resume continues an export, so it needs --pages and --out." });
  }
  if (format !== "table") return;
  throw new UsageError({
    sentence: "--resume cannot continue a table: a table is written once all rows are known.",
    hint: `use --format ${FORMAT_NAMES.filter((name) => name !== "table").join(" or --format ")}.`,
  });
}

/** New rows have no end, so that only a format of lines can show them, and no file is ever complete. */
export function requireFollowAlone({ follow, format, confirmations, ...options }: Options<"ask">): void {
  if (!follow) {
    if (confirmations === undefined || options.pages) return;
    throw new UsageError({ sentence: "--confirmations needs --follow or --pages." });
  }
  const other = (["pages", "out", "resume", "sinceLast", "block"] as const).find((name) => options[name]);
  if (other)
    throw new UsageError({
      sentence: `--follow and --${flagOf(other)} exclude each other.`,
      hint: `omit --${flagOf(other)}.`,
    });
  if (format !== undefined && format !== "ndjson") {
    throw new UsageError({ sentence: `--follow prints NDJSON, not ${format}.`, hint: "omit --format." });
  }
}
