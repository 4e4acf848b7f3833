import type { Asked } from "../ask/ask.ts";
import type { AskedChain } from "../ask/asked-rows.ts";
import { addCapped } from "../ask/capped-lists.ts";
import type { Delivery } from "../ask/deliver-rows.ts";
import { groupBy } from "../base/collections.ts";
import { capitalize, displayText } from "../base/text.ts";

type QuestionKind = Pick<Asked, "canBePaged" | "isOfAllChains">;

/** How a run of an operation ended. */
export type AskedEnd = Delivery &
  QuestionKind & {
    readonly operation: string;
    /** The rows that the run has written. */
    readonly rows: number;
    /** The file or folder; undefined for standard output. */
    readonly out: string | undefined;
    /** Whether `out` is a folder that grows. */
    readonly isFolder: boolean;
  };

/** Describes how the run of an operation ended, and how to continue. */
export function describeEnd({ ended, chains, rows, out, isFolder, ...kind }: AskedEnd): string {
  const count = countRows(rows);
  if (ended === "unread") return "";
  if (ended === "interrupted") {
    const kept = out !== undefined && isFolder ? " They are kept: continue with --since-last." : "";
    return `Interrupted after ${count}.${kept}\n`;
  }
  const results = describeChains(chains, kind);
  if (out === undefined || ended === "nothing") return results;
  const rest =
    ended === "some" && isFolder ? ": the next run with --since-last requests the missing rows" : "";
  return `${results}${capitalize(count)} ${isFolder ? "added to" : "in"} ${out}${rest}.\n`;
}

/** Describes how the runs of several operations ended: each, and in total. */
export function describeTogether(ends: readonly AskedEnd[], out: string): string {
  const each = ends.map((end) => `${end.operation}:\n${describeEnd(end).replaceAll(/^(?=.)/gm, "  ")}`);
  const results = ends.flatMap(({ chains }) => chains);
  const fetched = countRows(results.reduce((sum, { rows }) => sum + rows, 0));
  const chains = new Set(results.map(({ chain }) => chain)).size;
  const failures = results.filter(({ error }) => error !== null).length;
  const kept = countRows(ends.reduce((sum, { rows }) => sum + rows, 0));
  const total = [
    `${ends.length} operations: ${fetched} of ${chains === 1 ? "one chain" : `${chains} chains`}`,
    failures === 0 ? "no failures" : failures === 1 ? "one failure" : `${failures} failures`,
    `${kept} added to ${out}`,
  ];
  return `${each.join("")}${total.join(", ")}.\n`;
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
  const lists = chains.map(({ cappedLists }) => cappedLists).reduce(addCapped, []);
  for (const { name, limit, count } of lists) {
    const where = count === 1 ? "one row" : `${count} rows`;
    lines.push(`There may be more ${name} in ${where}: a list has at most ${limit}. Raise its limit.`);
  }
  const standIns = answered.flatMap(({ chain, style, tried }) =>
    tried.map((failure) => ({
      chain,
      text: `answered by ${style}, because ${failure.style} failed: ${describeFailure(failure.error)}`,
    })),
  );
  for (const [text, some] of groupBy(standIns, (standIn) => standIn.text)) {
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

/** Renders a number of rows. */
export function countRows(rows: number): string {
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
