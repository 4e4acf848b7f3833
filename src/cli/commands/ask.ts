import { extname, resolve } from "node:path";
import { groupBy } from "../../base/collections.ts";
import { UsageError } from "../../base/errors.ts";
import { capitalize, displayText } from "../../base/text.ts";
import { requireWritable } from "../../base/write-files.ts";
import type { AskedChain } from "../../tasks/ask/asked-rows.ts";
import { createExport } from "../../tasks/ask/export/create-export.ts";
import { statePath } from "../../tasks/ask/export/export-state.ts";
import { parsePartition } from "../../tasks/ask/export/partition.ts";
import { createFormat, type FormatName } from "../../tasks/ask/formats.ts";
import {
  createFileSink,
  createParquetSink,
  createStreamSink,
  type Delivery,
  deliverRows,
  type RowSink,
} from "../../tasks/ask/sink.ts";
import { parseVariables } from "../../tasks/ask/variables.ts";
import { type Asked, type AskOptions, ask } from "../../tasks/ask.ts";
import {
  isFolderPath,
  requireFollowAlone,
  requireIds,
  requireParquet,
  requireResumable,
  type SinkOptions,
} from "../ask-options.ts";
import { type CommandContext, type ExitCode, INTERRUPTED } from "../context.ts";
import { FORMAT_NAMES, type Options } from "../options.ts";
import { projectOptions, readFile } from "../task-options.ts";

/** `lockflow ask`: runs an operation and prints its rows. */
export async function runAsk(context: CommandContext, options: Options<"ask">): Promise<ExitCode> {
  const { cwd, env, err, positionals, width, isTerminal } = context;
  const { config, concurrency, timeout, protocol, style, pages, out, maxLag, environment, emulator } =
    options;
  const { follow, confirmations } = options;
  requireFollowAlone(options);
  const isFolder = isFolderPath(options);
  const format = options.format ?? (isFolder ? "parquet" : follow ? "ndjson" : defaultFormat(out, width));
  if (!isFolder) requireSameFormat(format, out);
  requireResumable(format, options);
  requireParquet(format, { ...options, isFolder });
  const [operation = ""] = positionals;
  const asked = await ask({
    ...projectOptions(context, { config, concurrency, timeout }),
    ...{ env, operation, protocol, style, pages, follow, confirmations },
    tracksChanges: pages && out !== undefined && format !== "table",
    ...{ maxLag, environment, emulator },
    chains: options.chain,
    texts: options.var,
    variables: options.variables === undefined ? {} : await readVariables(cwd, options.variables),
    block: options.block === undefined ? undefined : parseBlock(options.block),
    onNotice: (notice) => err(`${notice.trimEnd()}\n`),
  });
  const sink = await createSink(asked, context, { ...options, format, isFolder });
  const stop = new AbortController();
  void context.untilStopped().then(() => stop.abort());
  // Progress must not be drawn between rows on the same terminal.
  const isDrawn = isTerminal && pages && (out !== undefined || format === "table" || width === undefined);
  const draw = (text: string) => isDrawn && err(`\r\u001b[2K${text}`);
  const { ended, chains } = await deliverRows(asked, sink, {
    signal: stop.signal,
    onRows: (chain) => draw(`${chain}: ${countRows(sink.rows())} so far`),
  });
  draw("");
  const isKept = pages && format !== "table" && sink.rows() > 0;
  const { canBePaged, isOfAllChains } = asked;
  err(renderEnd({ ended, chains, rows: sink.rows(), out, isKept, canBePaged, isOfAllChains }));
  return EXIT_CODES[ended];
}

type QuestionKind = Pick<Asked, "canBePaged" | "isOfAllChains">;

/** Renders how the run ended, and how to continue. */
function renderEnd({
  ended,
  chains,
  rows,
  out,
  isKept,
  ...kind
}: Delivery & {
  readonly rows: number;
  readonly out: string | undefined;
  /** Whether --resume can continue the export. */
  readonly isKept: boolean;
} & QuestionKind): string {
  const count = countRows(rows);
  if (ended === "unread") return "";
  if (ended === "interrupted") {
    const kept = out !== undefined && isKept ? " They are kept: continue with --resume." : "";
    return `Interrupted after ${count}.${kept}\n`;
  }
  const results = describeChains(chains, kind);
  if (out === undefined || ended === "nothing") return results;
  const lacksBlock = chains.some(({ error }) => error?.code === "pruned" || error?.code === "behind");
  const block = lacksBlock
    ? ` at the block of the pages. If no indexer has that block any more, delete ${statePath(out)} to start again`
    : "";
  const rest = `: --resume fetches the missing rows${block}`;
  return `${results}${capitalize(count)} in ${out}${ended === "some" && isKept ? rest : ""}.\n`;
}

/** Describes the results of chains: rows, styles that replaced a failed one, and failures. */
export function describeChains(
  chains: readonly AskedChain[],
  { canBePaged, isOfAllChains }: QuestionKind,
): string {
  const failed = chains.filter(({ error }) => error !== null);
  const answered = chains.filter(({ error }) => error === null);
  const lines = [...describeAnswers(answered, isOfAllChains)];
  const capped = answered.find(({ cappedAt }) => cappedAt !== null);
  if (capped) {
    const next = canBePaged
      ? "Read all with --pages"
      : "Raise the limit, or order the list by a cursor to use --pages";
    lines.push(`There may be more rows: a list has at most ${capped.cappedAt}. ${next}.`);
  }
  const standIns = answered.flatMap(({ chain, style, tried }) =>
    tried.map((failure) => ({
      chain,
      text: `answered by ${style}, because ${failure.style} failed: ${describeFailure(failure.error)}`,
    })),
  );
  for (const [text, some] of groupBy(standIns, (one) => one.text)) {
    lines.push(`${namesOf(some)} ${some.length === 1 ? "was" : "were"} ${text}`);
  }
  if (failed.length > 0) {
    lines.push(
      failed.length === chains.length
        ? failed.length === 1
          ? `${failed[0]?.chain} failed:`
          : `All ${failed.length} chains failed:`
        : `${failed.length === 1 ? "One" : failed.length} of ${chains.length} chains failed, so rows are missing:`,
    );
  }
  // Equal failures of several chains are described once.
  for (const [text, some] of groupBy(failed, describeFailed)) lines.push(`  ${namesOf(some)}${text}`);
  return lines.map((line) => `${line}\n`).join("");
}

function countRows(rows: number): string {
  return rows === 1 ? "one row" : `${rows} rows`;
}

function describeAnswers(answered: readonly AskedChain[], isOfAllChains: boolean): string[] {
  const [only, ...others] = answered;
  if (!only) return [];
  const total = answered.reduce((sum, { rows }) => sum + rows, 0);
  const count = capitalize(countRows(total));
  if (others.length > 0) return [`${count} of ${answered.length} chains.`];
  const { chain, style, head } = only;
  const by = style === null ? "" : `, from its ${style} indexer`;
  const at = head === null ? "" : ` at block ${head.block}`;
  const lag = head?.lag == null || head.isEstimate ? "" : `, ${describeAge(head.lag)} old`;
  return [`${count} of ${isOfAllChains ? "all chains" : chain}${by}${at}${lag}.`];
}

/** Renders seconds in a readable unit. */
function describeAge(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}

function describeFailed({ rows, error, tried }: AskedChain): string {
  const after = rows === 0 ? ":" : ` after ${countRows(rows)}:`;
  if (error !== null && tried.length < 2) return `${after} ${describeFailure(error)}`;
  return [after, ...tried.map((failure) => `    ${failure.style}: ${describeFailure(failure.error)}`)].join(
    "\n",
  );
}

function namesOf(chains: readonly { readonly chain: string }[]): string {
  return chains.map(({ chain }) => chain).join(", ");
}

function describeFailure({ code, message }: NonNullable<AskedChain["error"]>): string {
  return `${code}: ${displayText(message, [])}`;
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
  { format, out, pages, resume, sinceLast, latest, partition, flat, isFolder }: SinkOptions,
): Promise<RowSink> {
  const { columns, fields, chainKey, isRecord, identity } = asked;
  if (out === undefined || format === "table") {
    const text = createFormat(format === "parquet" ? "json" : format, {
      columns,
      isRecord,
      width: out === undefined ? (width ?? null) : null,
    });
    if (out !== undefined) return createFileSink(resolve(cwd, out), out, text);
    return createStreamSink(text, async (part) => {
      const shown = width === undefined ? part : withoutControls(part);
      if (deliver) return deliver(shown);
      asIs.out(shown);
      return true;
    });
  }
  const path = resolve(cwd, out);
  if (!isFolder) requireWritable(path, out);
  const target = {
    ...{ path, format, fields, columns, chainKey, isFlat: flat },
    shownPath: out.replace(/(?<=.)\/+$/, ""),
    partition: isFolder ? parsePartition(partition ?? [], { columns, chainKey }) : null,
  };
  if (!pages) {
    if (format === "parquet") return createParquetSink({ ...target, format });
    return createFileSink(path, out, createFormat(format, { columns, isRecord, width: null }));
  }
  const question = {
    ...identity,
    format: [format, ...(flat ? ["flat"] : []), ...(target.partition ?? [])].join(" "),
  };
  if (sinceLast) requireIds(asked);
  return createExport({
    ...{ target, question, chains: asked.chains },
    ...{ resumes: resume, renews: sinceLast, isLatest: latest },
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
    hint: `add --format ${FORMAT_NAMES.join(", ")}, or name the file .json, .ndjson or .csv.`,
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
