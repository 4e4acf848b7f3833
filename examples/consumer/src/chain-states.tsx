import type { ReactNode } from "react";
import { chains } from "../generated/manifest";
import { formatAge } from "./amounts";
import type { ChainResult } from "./queries";

/** Seconds. Do not decide on data of an indexer with a larger lag. */
const LATE = 600;

/** Shows every queried chain: the age of its answer, or why it has none. */
export function ChainStates({
  title,
  results,
}: {
  title: string;
  results: readonly ChainResult[];
}): ReactNode {
  if (results.length === 0) return null;
  const states = results.map(stateOf).sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
  const failed = states.filter(({ kind }) => kind === "failed").length;
  const late = states.filter(({ kind }) => kind === "late").length;
  return (
    <details className="chain-states" open={failed > 0}>
      <summary>
        {title}: {states.length - failed} of {states.length} {states.length === 1 ? "chain" : "chains"}{" "}
        answered
        {late > 0 && `, ${late} of them late`}
        {failed > 0 && <strong> · streams of {failed} are missing here</strong>}
      </summary>
      <ul aria-label={`Chains of ${title.toLowerCase()}`}>
        {states.map(({ name, kind, said, title }) => (
          <li key={name} className={kind} title={title}>
            <span>{name}</span> <span className="said">{said}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

type State = {
  readonly name: string;
  readonly kind: "failed" | "late" | "ok";
  readonly said: string;
  readonly title: string;
};

function stateOf(result: ChainResult): State {
  const { name, secondsPerBlock } = chains[result.chain];
  const tried = result.tried.map(({ style, error }) => `${style}: ${error.message}`);
  if (result.status === "failed")
    return { name, kind: "failed", said: result.error.code, title: tried.join("\n") || result.error.message };
  const { head, style } = result;
  const blocks = head?.behindBlocks ?? null;
  const age = head?.lag ?? (blocks === null || secondsPerBlock === null ? null : blocks * secondsPerBlock);
  const said = age === null ? (blocks === null ? "" : `${blocks} blocks`) : formatAge(age);
  const title = [`${style}, block ${head?.block ?? "unknown"}`, ...tried].join("\n");
  return { name, kind: age !== null && age > LATE ? "late" : "ok", said, title };
}

function rank({ kind }: State): number {
  return kind === "failed" ? 0 : kind === "late" ? 1 : 2;
}
