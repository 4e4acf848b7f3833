import type { Asked } from "../ask/ask.ts";
import { renderLoad, renderView } from "../ask/export/load-statement.ts";
import { describeColumns } from "../ask/export/log-columns.ts";
import { UsageError } from "../base/errors.ts";
import type { SinkOptions } from "./ask-options.ts";

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
