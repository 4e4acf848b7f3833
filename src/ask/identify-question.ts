import { hash } from "../base/hash.ts";
import type { BlockRef } from "../runtime/client/inquiry.ts";
import type { Question } from "./prepare-question.ts";

/** What a question is, by aspect, in words for people: two exports of which all are equal have the same rows. */
export function identifyQuestion(
  { operation, variables, chains, styles }: Question,
  {
    block,
    source,
  }: {
    readonly block: BlockRef | undefined;
    /** Who is asked. */
    readonly source: string;
  },
): Readonly<Record<string, string>> {
  const { name, protocol, multichain, subgraph } = operation;
  const values = Object.entries(variables).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    operation: `${name} of ${protocol}`,
    text: hash(`${multichain}\n${subgraph}`),
    variables: JSON.stringify(Object.fromEntries(values)),
    chains: chains.join(","),
    styles: styles.join(","),
    block: JSON.stringify(block ?? null),
    source,
  };
}
