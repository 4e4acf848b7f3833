import { extname, relative, resolve } from "node:path";
import { type AskedQuestion, type AskOptions, type AskTogetherOptions, askTogether } from "../../ask/ask.ts";
import type { AskedRows, LogBatch } from "../../ask/asked-rows.ts";
import { type DeliveredQuestion, type Delivery, deliverRows } from "../../ask/deliver-rows.ts";
import { describeColumns } from "../../ask/export/columns.ts";
import { createLog, type LogSink } from "../../ask/export/create-log.ts";
import { readLogTime } from "../../ask/export/log-state.ts";
import { timeText } from "../../ask/find-block.ts";
import { createFormat, type FormatName } from "../../ask/formats.ts";
import { type ListedBlock, parseBlockTable } from "../../ask/past-blocks.ts";
import { createFileSink, createStreamSink, type RowSink } from "../../ask/sink.ts";
import { parseVariables } from "../../ask/variables.ts";
import { UsageError } from "../../base/errors.ts";
import { displayText } from "../../base/text.ts";
import { followLink, requireWritable } from "../../base/write-files.ts";
import {
  isFolderPath,
  parseReread,
  renderSchema,
  requireDuckdb,
  requireFolder,
  requireFollowAlone,
  requireIds,
  requireParquet,
  requirePastAlone,
  requireSinceLast,
  type SinkOptions,
} from "../ask-options.ts";
import { type CommandContext, type ExitCode, INTERRUPTED } from "../context.ts";
import { countRows, describeEnd, describeTogether } from "../describe-answers.ts";
import { FORMAT_NAMES, type Options } from "../options.ts";
import { projectOptions, readFile } from "../task-options.ts";

/** `lockflow ask`: runs operations and prints or exports their rows. */
export async function runAsk(context: CommandContext, parsed: Options<"ask">): Promise<ExitCode> {
  const { cwd, env, err, asIs, positionals: operations, width, isTerminal } = context;
  const isSeveral = operations.length > 1;
  // Only all rows fill the folder of an operation.
  const options = isSeveral ? { ...parsed, pages: true } : parsed;
  const { config, concurrency, timeout, pages, follow, out } = options;
  requireFollowAlone(options);
  requirePastAlone(options);
  requireFolder(options, isSeveral);
  if (options.schema !== undefined) requireDuckdb(options.schema);
  const isFolder = isFolderPath(options, isSeveral);
  const format = options.format ?? (isFolder ? "parquet" : follow ? "ndjson" : defaultFormat(out, width));
  if (!isFolder) requireSameFormat(format, out);
  requireSinceLast(options);
  requireParquet(format, { ...options, isFolder });
  const request: AskTogetherOptions = {
    ...options,
    ...projectOptions(context, { config, concurrency, timeout }),
    env,
    operations,
    isLogged: isFolder,
    chains: options.chain,
    texts: options.var,
    variables: options.variables === undefined ? {} : await readVariables(cwd, options.variables),
    block: options.block === undefined ? undefined : parseBlock(options.block),
    blocks: options.blocks === undefined ? undefined : await readBlocks(cwd, options.blocks),
    onNotice: (notice) => err(`${notice.trimEnd()}\n`),
  };
  const placeOf = ({ operation }: AskedQuestion) => (isFolder ? folderOf(out ?? "", operation) : out);
  let { asked: all, open } = await askTogether(request);
  const question = options.sinceLast ? all.find(({ identity }) => identity["now"] !== undefined) : undefined;
  const log = question && placeOfOutput(cwd, placeOf(question) ?? "");
  const began = log ? readLogTime(log.path, log.shownPath) : null;
  if (began !== null) {
    ({ asked: all, open } = await askTogether({ ...request, now: began }));
    err(`Times such as -7d count from ${timeText(began / 1000)}, when the export began.\n`);
  }
  if (options.schema !== undefined) {
    const sinkOptions = { ...options, format, isFolder };
    asIs.out(all.map((asked) => renderSchema(asked, { ...sinkOptions, out: placeOf(asked) })).join("\n"));
    return 0;
  }
  if (out !== undefined) await context.tune?.("export");
  const questions: AskedInto[] = [];
  try {
    for (const asked of all) {
      const place = placeOf(asked);
      const sinkOptions = { ...options, format, out: place, isFolder };
      const delivered = isFolder
        ? await createLogged(asked, context, sinkOptions)
        : await createUnlogged(asked, context, sinkOptions);
      questions.push({ asked, out: place, delivered });
    }
  } catch (error) {
    for (const { delivered } of questions) delivered.sink.stop();
    throw error;
  }
  const stop = new AbortController();
  void context.untilStopped().then(() => stop.abort());
  // Progress must not be drawn between rows on the same terminal.
  const isDrawn = isTerminal && pages && (out !== undefined || format === "table" || width === undefined);
  const draw = (text: string) => isDrawn && err(`\r\u001b[2K${text}`);
  const countAll = () => questions.reduce((sum, { delivered }) => sum + delivered.sink.rows(), 0);
  const close = await open();
  let deliveries: readonly Delivery[];
  try {
    deliveries = await deliverRows(
      questions.map(({ delivered }) => delivered),
      { signal: stop.signal, onRows: (chain) => draw(`${chain}: ${countRows(countAll())} so far`) },
    );
  } finally {
    await close();
  }
  draw("");
  const ends = questions.flatMap(({ asked, delivered: { sink }, out: place }, index) => {
    const { operation, canBePaged, isOfAllChains } = asked;
    const end = { rows: sink.rows(), out: place, isFolder, canBePaged, isOfAllChains };
    const delivery = deliveries[index];
    return delivery ? [{ operation, ...end, ...delivery }] : [];
  });
  err(isSeveral ? describeTogether(ends, out ?? "") : ends.map(describeEnd).join(""));
  return Math.max(0, ...ends.map(({ ended }) => EXIT_CODES[ended])) as ExitCode;
}

/** A question, and where its rows go. */
type AskedInto = {
  readonly asked: AskedQuestion;
  // The batches of a question go to its own sink only.
  readonly delivered: DeliveredQuestion<never>;
  /** The file or folder; undefined for standard output. */
  readonly out: string | undefined;
};

/** Returns the folder of an operation. */
function folderOf(out: string, operation: string): string {
  return `${out.replace(/[/\\]+$/, "")}/${operation}/`;
}

/** Returns the file or folder that an export goes to. Symbolic links are followed, so that a rename does not replace them. */
function placeOfOutput(cwd: string, out: string) {
  const shown = out.replace(/(?<=.)[/\\]+$/, "");
  const named = resolve(cwd, shown);
  const path = followLink(named);
  return { path, shownPath: path === named ? shown : relative(cwd, path) };
}

const EXIT_CODES: Readonly<Record<Delivery["ended"], ExitCode>> = {
  all: 0,
  some: 1,
  // A closed pipe is not an error, but not all rows were written.
  unread: 1,
  nothing: 2,
  interrupted: INTERRUPTED,
};

/** Creates a question whose rows are added to a folder. */
async function createLogged(
  asked: AskedQuestion,
  { cwd }: CommandContext,
  { format, out = "", sinceLast, reread, flat, bom }: SinkOptions,
): Promise<DeliveredQuestion<never>> {
  const { columns, fields, chainKey, identity, operation, chains } = asked;
  if (chainKey === null) throw new UsageError({ sentence: `${operation} has no chains for a folder.` });
  const types = describeColumns(fields, columns, operation);
  if (sinceLast) requireIds(asked);
  const rereads = parseReread(reread, chains);
  const sink: LogSink = await createLog({
    ...placeOfOutput(cwd, out),
    format,
    fields,
    columns,
    isFlat: flat,
    hasMark: bom,
    chainKey,
    types,
    isCursor: asked.isCursor,
    continues: sinceLast,
    question: { ...identity, format, ...(flat && { flat: "yes" }) },
  });
  const rows: DeliveredQuestion<LogBatch>["rows"] = (options) =>
    asked.log({ ...options, known: sink.chains, reread: rereads });
  return { chains, rows, sink } as DeliveredQuestion<LogBatch> as never;
}

/** Creates a question whose rows go to a file, a terminal or a program. */
async function createUnlogged(
  asked: AskedQuestion,
  { cwd, asIs, deliver, width }: CommandContext,
  { format, out, flat, bom }: SinkOptions,
): Promise<DeliveredQuestion<never>> {
  const { columns, fields, isRecord, chains } = asked;
  // Only folders have several questions, which are asked chain by chain.
  const rows: DeliveredQuestion<AskedRows>["rows"] = ({ only: _, ...options }) => asked.rows(options);
  const deliverTo = (sink: RowSink<AskedRows>) =>
    ({ chains, rows, sink }) as DeliveredQuestion<AskedRows> as never;
  if (out !== undefined) {
    const { path, shownPath } = placeOfOutput(cwd, out);
    if (format !== "table") requireWritable(path, out);
    const options = { format, fields, columns, isFlat: flat, isRecord, hasMark: bom };
    return deliverTo(await createFileSink(path, shownPath, options));
  }
  const text = createFormat(format === "parquet" ? "json" : format, {
    columns,
    isRecord,
    width: width ?? null,
  });
  return deliverTo(
    createStreamSink(text, async (part) => {
      const shown = width === undefined ? part : withoutControls(part);
      if (deliver) return deliver(shown);
      asIs.out(shown);
      return true;
    }),
  );
}

/** Replaces control characters: text from an indexer must not move the cursor or change colours. */
function withoutControls(text: string): string {
  return text.replaceAll(/(?!\r?\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
}

/** Returns `table` for a terminal, `json` for programs, and for a file the format of its extension. */
function defaultFormat(out: string | undefined, width: number | undefined): FormatName {
  if (out === undefined) return width === undefined ? "json" : "table";
  const named = formatOfFile(out);
  if (named) return named;
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

async function readBlocks(cwd: string, path: string): Promise<readonly ListedBlock[]> {
  const text = await readFile(cwd, path, "pass a CSV file with the columns chain, block and timestamp.");
  return parseBlockTable(text, displayText(path, []));
}

function parseBlock(text: string): AskOptions["block"] {
  if (/^\d+$/.test(text) && Number(text) < 2 ** 31) return { number: Number(text) };
  if (/^0x[\da-f]{64}$/i.test(text)) return { hash: text as `0x${string}` };
  throw new UsageError({ sentence: `--block must be a block number or a block hash; got "${text}".` });
}
