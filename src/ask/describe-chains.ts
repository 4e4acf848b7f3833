import { displayText } from "../base/display-text.ts";
import { groupBy } from "../base/group-by.ts";
import type { IndexerError } from "../runtime/client/indexer-error.ts";
import type { AskedChain } from "./ask-chains.ts";

/** Tells people what came of the chains of a question: of whom the rows are, who stood in for whom, and what failed. */
export function describeChains(chains: readonly AskedChain[]): string {
  const failed = chains.filter(({ error }) => error !== null);
  const answered = chains.filter(({ error }) => error === null);
  const lines = [...describeAnswers(answered)];
  const standIns = answered.flatMap(({ chain, style, tried }) =>
    tried.map((failure) => ({
      chain,
      text: `answered by ${style}, because ${failure.style} failed: ${describe(failure.error)}`,
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
  if (error !== null && tried.length < 2) return `${after} ${describe(error)}`;
  return [after, ...tried.map((failure) => `    ${failure.style}: ${describe(failure.error)}`)].join("\n");
}

function namesOf(chains: readonly { readonly chain: string }[]): string {
  return chains.map(({ chain }) => chain).join(", ");
}

function describe({ code, message }: IndexerError): string {
  return `${code}: ${displayText(message, [])}`;
}
