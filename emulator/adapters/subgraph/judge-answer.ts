import type { AnswerError } from "../../indexers/create-indexers.ts";
import { dependsOnNode, isAttestable } from "./judge-errors.ts";

/** What the gateway makes of an answer with errors. */
export type Verdict =
  /** Every indexer would have said this: the client gets it as it is. */
  | { readonly passes: true }
  | { readonly badQuery: string }
  /** Why it does not take this indexer's word. */
  | { readonly reason: string };

/** Judges an answer as the gateway does, by the words of its errors (C.6). */
export function judgeAnswer(errors: readonly AnswerError[], startBlock: number): Verdict {
  for (const { message } of errors) {
    if (!message.includes("Failed to decode `block")) continue;
    const missing = numberAfter("and data for block number ", message);
    if (missing !== null && missing < startBlock) {
      return {
        badQuery: `requested block ${missing}, before minimum \`startBlock\` of manifest ${startBlock}`,
      };
    }
    const latest = numberAfter("has only indexed up to block number ", message);
    const numbers = `${missing === null ? "" : `: ${missing}`}${latest === null ? "" : `, latest: ${latest}`}`;
    return { reason: `Unavailable(missing block${numbers})` };
  }
  const dependent = errors.find(({ message }) => dependsOnNode(message));
  if (dependent) return { reason: `BadResponse(unattestable response: ${dependent.message})` };
  if (isAttestable(errors)) return { passes: true };
  return { reason: `BadResponse(no attestation: ${errors.map(({ message }) => message).join("; ")})` };
}

function numberAfter(words: string, message: string): number | null {
  const start = message.indexOf(words);
  const digits = start < 0 ? null : /^-?\d+/.exec(message.slice(start + words.length));
  return digits === null ? null : Number(digits[0]);
}
