import type { ReactNode } from "react";
import { type ChainKey, chains } from "../generated/manifest";
import type { Head } from "../generated/proxied";
import { formatAge } from "./format";

/** Seconds. Do not decide on data of an indexer with a larger lag. */
const LATE = 600;

/** The chains of a list: their last blocks, and the errors of those without an answer. */
export type Answers = {
  readonly heads: { readonly [Chain in ChainKey]?: Head | null };
  readonly errors: { readonly [Chain in ChainKey]?: Failure };
};

type Failure = { readonly code: string; readonly message: string };

/** Shows every queried chain: the age of its answer, or why it has none. */
export function ChainStates({ title, heads, errors }: Answers & { readonly title: string }): ReactNode {
  const keys = [...new Set([...Object.keys(heads), ...Object.keys(errors)])] as ChainKey[];
  if (keys.length === 0) return null;
  const states = keys
    .map((key) => stateOf(key, heads[key] ?? null, errors[key]))
    .sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
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

function stateOf(key: ChainKey, head: Head | null, error: Failure | undefined): State {
  const { name } = chains[key];
  if (error) return { name, kind: "failed", said: error.code, title: error.message };
  const lag = head?.lag ?? null;
  const kind = lag !== null && lag > LATE ? "late" : "ok";
  return { name, kind, said: lag === null ? "" : formatAge(lag), title: `Block ${head?.block ?? "unknown"}` };
}

function rank({ kind }: State): number {
  return kind === "failed" ? 0 : kind === "late" ? 1 : 2;
}
