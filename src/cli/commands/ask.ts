import { extname, relative, resolve } from "node:path";
import { UsageError } from "../../base/errors.ts";
import { followLink, requireWritable } from "../../base/write-files.ts";
import { type Delivery, deliverRows, deliverTogether } from "../../tasks/ask/deliver-rows.ts";
import { createExport } from "../../tasks/ask/export/create-export.ts";
import { readExportTime } from "../../tasks/ask/export/export-state.ts";
import { parsePartition } from "../../tasks/ask/export/partition.ts";
import { timeText } from "../../tasks/ask/find-block.ts";
import { createFormat, type FormatName } from "../../tasks/ask/formats.ts";
import { createFileSink, createParquetSink, createStreamSink, type RowSink } from "../../tasks/ask/sink.ts";
import { parseVariables } from "../../tasks/ask/variables.ts";
import { type Asked, type AskOptions, askTogether } from "../../tasks/ask.ts";
import {
  isFolderPath,
  requireFolder,
  requireFollowAlone,
  requireIds,
  requireParquet,
  requireResumable,
  type SinkOptions,
} from "../ask-options.ts";
import { readBlocks, requirePastAlone } from "../ask-past.ts";
import { renderSchema } from "../ask-schema.ts";
import { type CommandContext, type ExitCode, INTERRUPTED } from "../context.ts";
import { countRows, describeEnd, describeTogether } from "../describe-answers.ts";
import { FORMAT_NAMES, type Options } from "../options.ts";
import { projectOptions, readFile } from "../task-options.ts";

/** `lockflow ask`: runs operations and prints or exports their rows. */
export async function runAsk(context: CommandContext, given: Options<"ask">): Promise<ExitCode> {
  const { cwd, env, err, asIs, positionals: operations, width, isTerminal } = context;
  const isSeveral = operations.length > 1;
  // Only all rows fill the folder of an operation.
  const options = isSeveral ? { ...given, pages: true } : given;
  const { config, concurrency, timeout, protocol, style, pages, out, maxLag, environment, emulator } =
    options;
  const { follow, confirmations } = options;
  requireFollowAlone(options);
  requirePastAlone(options);
  requireFolder(options, isSeveral);
  const isFolder = isSeveral || isFolderPath(options);
  const format = options.format ?? (isFolder ? "parquet" : follow ? "ndjson" : defaultFormat(out, width));
  if (!isFolder) requireSameFormat(format, out);
  requireResumable(format, options);
  requireParquet(format, { ...options, isFolder });
  const [first = ""] = operations;
  const earlier = (options.resume || options.sinceLast) && out !== undefined;
  const began = earlier ? await readBeginning(cwd, isSeveral ? folderOf(out, first) : out) : null;
  const { asked: all, open } = await askTogether({
    ...projectOptions(context, { config, concurrency, timeout }),
    ...{ env, operations, protocol, style, pages, follow, confirmations },
    tracksChanges: pages && out !== undefined && format !== "table",
    ...{ maxLag, environment, emulator, units: options.units, now: began ?? undefined },
    chains: options.chain,
    texts: options.var,
    variables: options.variables === undefined ? {} : await readVariables(cwd, options.variables),
    block: options.block === undefined ? undefined : parseBlock(options.block),
    at: options.at,
    blocks: options.blocks === undefined ? undefined : await readBlocks(context, options.blocks),
    onNotice: (notice) => err(`${notice.trimEnd()}\n`),
  });
  if (began !== null && all.some(({ identity }) => identity["now"] !== undefined)) {
    err(`Times such as -7d count from ${timeText(began / 1000)}, when the export began.\n`);
  }
  const placeOf = ({ operation }: Asked) => (isSeveral ? folderOf(out ?? "", operation) : out);
  const { schema } = options;
  if (schema !== undefined) {
    const texts = all.map((asked) =>
      renderSchema(asked, context, { ...options, schema, format, isFolder, out: placeOf(asked) }),
    );
    asIs.out(texts.join("\n"));
    return 0;
  }
  if (out !== undefined) await context.tune?.("export");
  const questions: AskedInto[] = [];
  try {
    for (const asked of all) {
      const place = placeOf(asked);
      const sinkOptions = { ...options, format, out: place, isFolder, isSeveral };
      questions.push({ asked, out: place, sink: await createSink(asked, context, sinkOptions) });
    }
  } catch (error) {
    for (const { sink } of questions) sink.stop();
    throw error;
  }
  const stop = new AbortController();
  void context.untilStopped().then(() => stop.abort());
  // Progress must not be drawn between rows on the same terminal.
  const isDrawn = isTerminal && pages && (out !== undefined || format === "table" || width === undefined);
  const draw = (text: string) => isDrawn && err(`\r\u001b[2K${text}`);
  const countAll = () => questions.reduce((sum, { sink }) => sum + sink.rows(), 0);
  const delivery = {
    signal: stop.signal,
    onRows: (chain: string | null) => draw(`${chain}: ${countRows(countAll())} so far`),
  };
  const [only] = questions;
  const close = await open();
  let deliveries: readonly Delivery[];
  try {
    deliveries =
      isSeveral || !only ? await deliverTogether(questions, delivery) : [await deliverRows(only, delivery)];
  } finally {
    await close();
  }
  draw("");
  const ends = questions.flatMap(({ asked, sink, out: place }, index) => {
    const isKept = pages && format !== "table" && sink.rows() > 0;
    const { operation, canBePaged, isOfAllChains } = asked;
    const continues = options.sinceLast ? "--since-last" : "--resume";
    const end = { rows: sink.rows(), out: place, isKept, continues, canBePaged, isOfAllChains };
    const found = deliveries[index];
    return found ? [{ operation, ...end, ...found }] : [];
  });
  err(isSeveral ? describeTogether(ends, out ?? "") : ends.map(describeEnd).join(""));
  return ends.reduce<ExitCode>((worst, { ended }) => worseOf(worst, EXIT_CODES[ended]), 0);
}

/** A question, and where its rows go. */
type AskedInto = {
  readonly asked: Asked;
  readonly sink: RowSink;
  /** The file or folder; undefined for standard output. */
  readonly out: string | undefined;
};

/** Returns the folder of one of several operations. */
function folderOf(out: string, operation: string): string {
  return `${out.replace(/[/\\]+$/, "")}/${operation}/`;
}

/** Reads when an export began; null if that does not matter for its rows. */
function readBeginning(cwd: string, out: string): Promise<number | null> {
  const { path, shownPath } = placeOfOutput(cwd, out);
  return readExportTime(path, shownPath);
}

/** Returns the file or folder that an export goes to. Symbolic links are followed, so that its state is beside it. */
function placeOfOutput(cwd: string, out: string) {
  const shown = out.replace(/(?<=.)[/\\]+$/, "");
  const named = resolve(cwd, shown);
  const path = followLink(named);
  return { path, shownPath: path === named ? shown : relative(cwd, path) };
}

function worseOf(a: ExitCode, b: ExitCode): ExitCode {
  return a > b ? a : b;
}

const EXIT_CODES: Readonly<Record<Delivery["ended"], ExitCode>> = {
  all: 0,
  some: 1,
  // A closed pipe is not an error, but not all rows were written.
  unread: 1,
  nothing: 2,
  interrupted: INTERRUPTED,
};

async function createSink(
  asked: Asked,
  { cwd, asIs, deliver, width }: CommandContext,
  { format, out, pages, resume, sinceLast, latest, partition, flat, isFolder, isSeveral }: SinkOptions,
): Promise<RowSink> {
  const { columns, fields, chainKey, isRecord, identity } = asked;
  if (out === undefined || format === "table") {
    const text = createFormat(format === "parquet" ? "json" : format, {
      columns,
      isRecord,
      width: out === undefined ? (width ?? null) : null,
    });
    if (out !== undefined) {
      const { path, shownPath } = placeOfOutput(cwd, out);
      return createFileSink(path, shownPath, text);
    }
    return createStreamSink(text, async (part) => {
      const shown = width === undefined ? part : withoutControls(part);
      if (deliver) return deliver(shown);
      asIs.out(shown);
      return true;
    });
  }
  const { path, shownPath } = placeOfOutput(cwd, out);
  if (!isFolder) requireWritable(path, out);
  const target = {
    ...{ path, shownPath, format, fields, columns, chainKey, isFlat: flat },
    partition: isFolder ? parsePartition(partition ?? [], { columns, chainKey }) : null,
  };
  if (!pages) {
    if (format === "parquet") return createParquetSink({ ...target, format });
    return createFileSink(path, shownPath, createFormat(format, { columns, isRecord, width: null }));
  }
  const question = {
    ...identity,
    format: [format, ...(flat ? ["flat"] : []), ...(target.partition ?? [])].join(" "),
  };
  if (sinceLast) requireIds(asked);
  return createExport({
    ...{ target, question, chains: asked.chains },
    ...{ resumes: resume, renews: sinceLast, isLatest: latest, isOneOfSeveral: isSeveral },
  });
}

/** Replaces control characters: text from an indexer must not move the cursor or change colours. */
function withoutControls(text: string): string {
  return text.replaceAll(/(?!\r?\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
}

/** Returns `table` for a terminal, `json` for programs, and for a file the format of its extension. */
function defaultFormat(out: string | undefined, width: number | undefined): FormatName {
  if (out === undefined) return width === undefined ? "json" : "table";
  const found = formatOfFile(out);
  if (found) return found;
  throw new UsageError({
    sentence: `The extension of "${out}" is not a known format.`,
    hint: `add --format ${FORMAT_NAMES.join(", ")}, name the file .json, .ndjson, .csv or .parquet, or end the name of a folder with /.`,
  });
}

/** Returns the format of a file by its extension; undefined if it has none. */
function formatOfFile(out: string): FormatName | undefined {
  const ending = extname(out).slice(1).toLowerCase();
  return FORMAT_NAMES.find((name) => name === (ending === "jsonl" ? "ndjson" : ending));
}

/** @throws UsageError if the extension of the file is that of another format. */
function requireSameFormat(format: FormatName, out: string | undefined): void {
  const named = out === undefined ? undefined : formatOfFile(out);
  if (named === undefined || named === format) return;
  throw new UsageError({
    sentence: `--format ${format} does not match "${out}", whose extension means ${named}.`,
    hint: "omit --format, or change the extension.",
  });
}

async function readVariables(cwd: string, path: string): Promise<Readonly<Record<string, unknown>>> {
  return parseVariables(await readFile(cwd, path, "pass a JSON file with the variables of the operation."));
}

function parseBlock(text: string): AskOptions["block"] {
  if (/^\d+$/.test(text) && Number(text) < 2 ** 31) return { number: Number(text) };
  if (/^0x[\da-f]{64}$/i.test(text)) return { hash: text as `0x${string}` };
  throw new UsageError({ sentence: `--block must be a block number or a block hash; got "${text}".` });
}
