import { resolve } from "node:path";
import { UsageError } from "../base/errors.ts";
import { loadStatement } from "../tasks/ask/export/load-files.ts";
import type { Database } from "../tasks/ask/export/load-statement.ts";
import { parsePartition } from "../tasks/ask/export/partition.ts";
import type { Asked } from "../tasks/ask.ts";
import type { SinkOptions } from "./ask-options.ts";
import type { CommandContext } from "./context.ts";

type SchemaOptions = Omit<SinkOptions, "isSeveral"> & { readonly schema: Database };

/** Renders the statements of `--schema`, which load the file or folder of `--out`. Sends no request. */
export function renderSchema(
  { fields, columns, chainKey }: Asked,
  { cwd }: CommandContext,
  { schema, out, format, partition, isFolder }: SchemaOptions,
): string {
  if (out === undefined) {
    throw new UsageError({
      sentence: "--schema describes a file, so it needs --out.",
      hint: "add --schema to the command that writes the file.",
    });
  }
  if (format !== "csv" && format !== "ndjson") {
    throw new UsageError({
      sentence:
        format === "parquet"
          ? "--schema is for CSV and NDJSON: Parquet files have their types already."
          : `--schema is for CSV and NDJSON, not for ${format}.`,
      hint: "add --format csv or --format ndjson.",
    });
  }
  return loadStatement(
    {
      ...{ path: resolve(cwd, out), shownPath: out.replace(/(?<=.)[/\\]+$/, ""), format },
      ...{ fields, columns, chainKey },
      partition: isFolder ? parsePartition(partition ?? [], { columns, chainKey }) : null,
    },
    schema,
  );
}
