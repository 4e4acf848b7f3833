import { setMaxListeners } from "node:events";
import { groupBy } from "../../base/collections.ts";
import { UsageError } from "../../base/errors.ts";
import { displayText } from "../../base/text.ts";
import type { StyleName } from "../../dialects/surface.ts";
import type { Client } from "../../runtime/client/client-options.ts";
import { each } from "../../runtime/client/each.ts";
import type { Head } from "../../runtime/client/heads.ts";
import { type Failure, IndexerError } from "../../runtime/client/indexer-error.ts";
import type { BlockRef } from "../../runtime/client/inquiry.ts";
import { knowsPast } from "../../runtime/client/map-variables.ts";
import { merged } from "../../runtime/client/merged.ts";
import { pages } from "../../runtime/client/pages.ts";
import { run } from "../../runtime/client/run.ts";
import type { Settled } from "../../runtime/client/settled.ts";
import type { Question } from "./prepare-question.ts";
import { buildRows, type Row } from "./rows.ts";

/** Rows as they come. */
export type AskedRows = {
  /** The key of their chain; null where they are of several. */
  readonly chain: string | null;
  /** What the operation selects, after the chain where several are asked. */
  readonly rows: readonly Row[];
  /** Where a page ends, to go on from; null where nothing is paged. */
  readonly place: PagePlace | null;
  /** Whether the chain has no more. */
  readonly isLast: boolean;
};

/** Where the next page of a chain begins. */
export type PagePlace = {
  /** Of the last row. */
  readonly cursor: string;
  readonly style: StyleName;
  /** The block that all pages are of; null where the indexer knows no past. */
  readonly block: BlockRef | null;
};

/** What came of a chain. */
export type AskedChain = {
  /** Its key. */
  readonly chain: string;
  /** How many rows it gave in this run. */
  readonly rows: number;
  /** The style that answered; null where none did. */
  readonly style: StyleName | null;
  /** The block that the last answer is of; null where nobody says. */
  readonly head: Head | null;
  /** Why there is no answer, or not all of it; null where there is. */
  readonly error: IndexerError | null;
  /** What failed before somebody answered, or until nobody did. */
  readonly tried: readonly Failure[];
};

/** How a question is asked. */
export type AskChainsOptions = {
  readonly signal: AbortSignal | undefined;
  /** The block that answers have to be of; undefined for the last one. */
  readonly block: BlockRef | undefined;
  /** Where chains go on that gave rows before. */
  readonly from: ReadonlyMap<string, PagePlace>;
  /** The chains that gave everything before. */
  readonly done: ReadonlySet<string>;
  /** Is told what came of each chain, in their order. */
  readonly onChain: (chain: AskedChain) => void;
};

/**
 * Asks a question of its chains, and gives their rows in the order of the chains or, where they are one list, of that.
 * A chain that fails spoils no other.
 *
 * @throws UsageError for variables that no indexer takes, and the reason of the signal where it is aborted.
 */
export async function* askChains(
  client: Client,
  question: Question,
  options: AskChainsOptions,
): AsyncGenerator<AskedRows, void, undefined> {
  // As many requests wait for one signal as there are chains.
  if (options.signal) setMaxListeners(0, options.signal);
  try {
    if (question.mode === "pages") yield* askPages(client, question, options);
    else if (question.mode === "merged") yield* askMerged(client, question, options);
    else yield* askEach(client, question, options);
  } catch (error) {
    if (!(error instanceof IndexerError) || error.code !== "invalid-variables") throw error;
    throw new UsageError({ sentence: `$${error.message}` });
  }
}

/** Chain after chain, page after page. */
async function* askPages(
  client: Client,
  { operation, given, chains, shape, chainKey }: Question,
  { signal, block, from, done, onChain }: AskChainsOptions,
): AsyncGenerator<AskedRows, void, undefined> {
  for (const chain of chains) {
    if (done.has(chain)) continue;
    let place = from.get(chain) ?? null;
    let last: Pick<AskedChain, "style" | "head"> = { style: place?.style ?? null, head: null };
    let count = 0;
    const tell = (error: IndexerError | null) =>
      onChain({ chain, rows: count, ...last, error, tried: error?.tried ?? [] });
    try {
      const read = pages(client, operation, given, {
        ...{ chain, signal, style: place?.style, after: place?.cursor },
        block: place?.block ?? block,
      });
      for await (const { rows, cursor, head, style } of read) {
        const built = buildRows(rows, shape.fields);
        if (built === null || cursor === null) throw unreadable(chain, style as StyleName);
        const isPinned = knowsPast(operation[style as StyleName]);
        place = {
          cursor,
          style: style as StyleName,
          block: isPinned ? (place?.block ?? block ?? (head && blockOf(head))) : null,
        };
        last = { style: place.style, head };
        count += built.length;
        yield { chain, rows: withChain(built, chain, chainKey), place, isLast: false };
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof IndexerError) || error.code === "invalid-variables") throw error;
      tell(error);
      continue;
    }
    tell(null);
    yield { chain, rows: [], place, isLast: true };
  }
}

/** One list of all chains. */
async function* askMerged(
  client: Client,
  { operation, given, chains, shape, chainKey, chainIdKey }: Question,
  { signal, onChain }: AskChainsOptions,
): AsyncGenerator<AskedRows, void, undefined> {
  const { rows, results } = await merged(client, operation, given, { chains, signal });
  const keys = new Map(chains.map((chain) => [String(client.manifest.chains[chain]?.chainId), chain]));
  const chainOf = (row: unknown) => {
    const id = String((row as Row)[chainIdKey ?? ""]);
    return keys.get(id) ?? id;
  };
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(chainOf(row), (counts.get(chainOf(row)) ?? 0) + 1);
  const built = buildRows(rows, shape.fields);
  for (const result of results)
    onChain(describe(result, built === null ? null : (counts.get(result.chain) ?? 0)));
  if (built === null || results.every(({ status }) => status === "failed")) return;
  const told = built.flatMap((row, at) => withChain([row], chainOf(rows[at]), chainKey));
  yield { chain: null, rows: told, place: null, isLast: true };
}

/** Each chain by itself. */
async function* askEach(
  client: Client,
  { operation, given, chains, mode, shape, chainKey }: Question,
  { signal, block, onChain }: AskChainsOptions,
): AsyncGenerator<AskedRows, void, undefined> {
  const [first = ""] = chains;
  const results =
    mode === "run"
      ? [await settleRun(first, () => run(client, operation, given, { chain: first, signal, block }))]
      : await each(client, operation, given, { chains, signal });
  for (const result of results) {
    const rows = result.status === "ok" ? shape.readRows(result.data) : null;
    const told = describe(result, rows?.length ?? null);
    onChain(told);
    if (rows === null || told.error) continue;
    const { chain } = result;
    yield { chain, rows: withChain(rows, chain, chainKey), place: null, isLast: true };
  }
}

type Answer = Settled<Readonly<Record<string, unknown>>, string>;

async function settleRun(chain: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof IndexerError) || error.code === "invalid-variables") throw error;
    return { status: "failed", chain, error, tried: error.tried };
  }
}

/** @param rows null where the answer is of a form that it must not have. */
function describe(result: Answer, rows: number | null): AskedChain {
  const { chain, tried } = result;
  if (result.status === "failed") {
    return { chain, rows: 0, style: null, head: null, error: result.error, tried };
  }
  const style = result.style as StyleName;
  const error = rows === null ? unreadable(chain, style) : null;
  return { chain, rows: rows ?? 0, style, head: result.head, error, tried };
}

function unreadable(chain: string, style: StyleName): IndexerError {
  const sentence = `The ${style} indexer of ${chain} answers in another form than its schema says.`;
  return new IndexerError("inconsistent", sentence, { style });
}

function withChain(rows: readonly Row[], chain: string, key: string | null): readonly Row[] {
  return key === null ? rows : rows.map((row) => ({ [key]: chain, ...row }));
}

/** As the client pins its pages. */
function blockOf({ hash, block }: Head): BlockRef {
  return hash ? { hash } : { number: block };
}

/** Tells people what came of the chains of a question: of whom the rows are, who stood in for whom, and what failed. */
export function describeChains(chains: readonly AskedChain[]): string {
  const failed = chains.filter(({ error }) => error !== null);
  const answered = chains.filter(({ error }) => error === null);
  const lines = [...describeAnswers(answered)];
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
  // What befell many chains alike is said once.
  for (const [text, some] of groupBy(failed, describeFailed)) lines.push(`  ${namesOf(some)}${text}`);
  return lines.map((line) => `${line}\n`).join("");
}

/** How many rows there are. */
export function countRows(rows: number): string {
  return rows === 1 ? "one row" : `${rows} rows`;
}

function describeAnswers(answered: readonly AskedChain[]): string[] {
  const [only, ...others] = answered;
  if (!only) return [];
  const total = answered.reduce((sum, { rows }) => sum + rows, 0);
  const count = countRows(total).replace(/^o/, "O");
  if (others.length > 0) return [`${count} of ${answered.length} chains.`];
  const { chain, style, head } = only;
  const by = style === null ? "" : `, from its ${style} indexer`;
  const at = head === null ? "" : ` at block ${head.block}`;
  const lag = head?.lag == null ? "" : `, ${describeAge(head.lag)} old`;
  return [`${count} of ${chain}${by}${at}${lag}.`];
}

/** A time of so many seconds, in the unit that people would say. */
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

function describeFailure({ code, message }: IndexerError): string {
  return `${code}: ${displayText(message, [])}`;
}
