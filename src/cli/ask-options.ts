import type { Asked } from "../ask/ask.ts";
import { describeColumns } from "../ask/export/columns.ts";
import { renderLoad, renderView } from "../ask/export/load-statement.ts";
import type { FormatName } from "../ask/formats.ts";
import { UsageError } from "../base/errors.ts";
import { displayText } from "../base/text.ts";
import { flagOf, isGiven } from "./option.ts";
import { FORMAT_NAMES, type Options } from "./options.ts";

/** The options of where rows go. */
export type SinkOptions = Options<"ask"> & {
  readonly format: FormatName;
  readonly isFolder: boolean;
};

/** Returns whether rows go to files in a folder. */
export function isFolderPath({ out }: Pick<Options<"ask">, "out">, isSeveral: boolean): boolean {
  return isSeveral || (out !== undefined && /[/\\]$/.test(out));
}

/** @throws UsageError if several operations have no folder for their rows. */
export function requireFolder({ out, sinceLast }: Options<"ask">, isSeveral: boolean): void {
  const isFile = FORMAT_NAMES.some((name) => out?.toLowerCase().endsWith(`.${name}`));
  if (isSeveral && (out === undefined || isFile)) {
    throw new UsageError({
      sentence: isFile
        ? `"${out}" is a file, but several operations fill a folder.`
        : "Several operations fill a folder, so they need --out.",
      hint: "write, for example, --out lake/.",
    });
  }
  if (!sinceLast || (out !== undefined && isFolderPath({ out }, isSeveral))) return;
  throw new UsageError({
    sentence:
      out === undefined
        ? "--since-last adds files to a folder, so it needs --out."
        : `--since-last adds files to a folder, but "${out}" is a file.`,
    hint: "write, for example, --out lake/.",
  });
}

/** @throws UsageError for options that do not fit Parquet or a folder. */
export function requireParquet(
  format: FormatName,
  { out, flat, bom, pages, isFolder }: Omit<SinkOptions, "format">,
): void {
  if (isFolder && !pages) {
    throw new UsageError({
      sentence: `"${out}" is a folder, which only an export of all rows fills.`,
      hint: "add --pages, or name a file.",
    });
  }
  if (isFolder && (format === "table" || format === "json")) {
    throw new UsageError({
      sentence: `A folder has no ${format === "table" ? "tables" : "JSON, whose files cannot be read row by row"}.`,
      hint: "use --format parquet, csv or ndjson.",
    });
  }
  if (flat && format !== "parquet") {
    throw new UsageError({ sentence: `--flat is for Parquet; ${format} has columns with dots anyway.` });
  }
  if (bom && format !== "csv") throw new UsageError({ sentence: `--bom is for CSV, not for ${format}.` });
  if (bom && out === undefined) throw new UsageError({ sentence: "--bom is for a file, so it needs --out." });
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

/** @throws UsageError for options that do not fit --since-last. */
export function requireSinceLast({ sinceLast, reread, block }: Options<"ask">): void {
  if (reread.length > 0 && !sinceLast) throw new UsageError({ sentence: "--reread needs --since-last." });
  if (sinceLast) refuseBeside("--since-last", { block });
}

/** @throws UsageError for options that choose a block in another way than --at and --blocks. */
export function requirePastAlone(options: Options<"ask">): void {
  const { at, blocks, block, follow, sinceLast, confirmations, maxLag } = options;
  if (at === undefined && blocks === undefined) return;
  refuseBeside(at === undefined ? "--blocks" : "--at", { block, follow, sinceLast, confirmations, maxLag });
}

/** @throws UsageError for the first of some options that is given. */
function refuseBeside(flag: string, others: Partial<Options<"ask">>): void {
  const other = Object.entries(others).find(([, value]) => isGiven(value))?.[0];
  if (other === undefined) return;
  throw new UsageError({
    sentence: `${flag} and --${flagOf(other)} exclude each other.`,
    hint: `omit --${flagOf(other)}.`,
  });
}

/** Parses --reread: the least rows to accept by chain, null for as many as before. @throws UsageError for other chains. */
export function parseReread(
  texts: readonly string[],
  chains: readonly string[],
): ReadonlyMap<string, number | null> {
  const all = texts.flatMap((text) => text.split(",")).map((text) => text.trim());
  return new Map(
    all.flatMap((text): (readonly [string, number | null])[] => {
      const [, name = "", count] = /^([^=]*)(?:=(\d{1,15}))?$/.exec(text) ?? [];
      if (name === "all" && count === undefined) return chains.map((chain) => [chain, null]);
      if (chains.includes(name)) return [[name, count === undefined ? null : Number(count)]];
      throw new UsageError({
        sentence: `--reread must be a chain of --chain, a chain with a number of rows, or all; got "${displayText(text, [])}".`,
        hint: "write, for example, --reread base or --reread base=20.",
      });
    }),
  );
}

/** @throws UsageError for databases without a statement. */
export function requireDuckdb(schema: string): void {
  if (schema === "duckdb") return;
  throw new UsageError({
    sentence: `--schema must be duckdb; got "${displayText(schema, [])}".`,
    hint: `print the view of a folder with --schema duckdb: Spark, Trino and BigQuery run it over an external table of the files, and DuckDB writes to PostgreSQL.`,
  });
}

/** New rows have no end, so that only a format of lines can show them, and no file is ever complete. */
export function requireFollowAlone(options: Options<"ask">): void {
  const { follow, format, confirmations, pages, out, sinceLast, block } = options;
  if (!follow) {
    if (confirmations === undefined || pages) return;
    throw new UsageError({ sentence: "--confirmations needs --follow or --pages." });
  }
  refuseBeside("--follow", { pages, out, sinceLast, block });
  if (format !== undefined && format !== "ndjson") {
    throw new UsageError({ sentence: `--follow prints NDJSON, not ${format}.`, hint: "omit --format." });
  }
}

/** Renders the statement of `--schema` for the file or folder of `--out`. Sends no request. */
export function renderSchema(
  { operation, fields, columns, chainKey }: Asked,
  { out, format, flat, isFolder }: SinkOptions,
): string {
  if (out === undefined) {
    throw new UsageError({
      sentence: "--schema describes a file or folder, so it needs --out.",
      hint: "add --schema to the command that writes it.",
    });
  }
  const path = out.replace(/(?<=.)[/\\]+$/, "");
  const files = { path, format, fields, columns, isFlat: flat };
  if (isFolder) {
    describeColumns(fields, columns, operation);
    return renderView(files, { operation, chainKey: chainKey ?? "chain" });
  }
  if (format === "csv" || format === "ndjson") return renderLoad(files);
  throw new UsageError({
    sentence:
      format === "parquet"
        ? "--schema is for folders, and CSV and NDJSON files: Parquet files have their types already."
        : `--schema is for folders, and CSV and NDJSON files, not for ${format}.`,
    hint: "add --format csv or --format ndjson, or name a folder.",
  });
}
