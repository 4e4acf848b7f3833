import type { ChainState } from "../../../model/rows.ts";
import { messages } from "./messages.ts";
import { NULL, type QueryValue } from "./query-value.ts";
import { refuse } from "./refusal.ts";
import { parseBytes } from "./scalars.ts";

/** The block a root field is answered at. */
export type BlockConstraint =
  | { readonly kind: "latest" }
  | { readonly kind: "hash"; readonly hash: string }
  | { readonly kind: "number"; readonly number: bigint }
  | { readonly kind: "number_gte"; readonly number: bigint };

/**
 * Reads a `block` argument: `hash` beats `number` beats `number_gte` (B.6).
 *
 * @throws Refusal for `{}` and for a key without a value.
 */
export function readBlockConstraint(value: QueryValue = NULL): BlockConstraint {
  if (value.kind === "Null") return { kind: "latest" };
  const entries: ReadonlyMap<string, QueryValue> = value.kind === "Object" ? value.entries : new Map();
  const hash = entries.get("hash");
  if (hash !== undefined) {
    const parsed = hash.kind === "String" ? parseBytes(hash.value) : null;
    return parsed !== null && "bytes" in parsed
      ? { kind: "hash", hash: parsed.bytes }
      : refuse(messages.invalidArgument("block", value));
  }
  for (const kind of ["number", "number_gte"] as const) {
    const number = entries.get(kind);
    if (number === undefined) continue;
    if (number.kind !== "Int") refuse(messages.invalidArgument("block", value));
    else return { kind, number: number.value };
  }
  return refuse(messages.invalidArgument("block", value));
}

/** Equal constraints have equal text; root fields are grouped by it. */
export function constraintKey(constraint: BlockConstraint): string {
  switch (constraint.kind) {
    case "latest":
      return "latest";
    case "hash":
      return `hash ${constraint.hash}`;
    case "number":
    case "number_gte":
      return `${constraint.kind} ${constraint.number}`;
  }
}

/**
 * Checks that the indexer has the block. Rows have no history, so every block it has gives the same rows.
 *
 * @throws Refusal for a block it has not indexed, or an unknown hash.
 */
export function checkConstraint(constraint: BlockConstraint, chain: ChainState, deployment: string): void {
  if (constraint.kind === "latest") return;
  const field = `block.${constraint.kind}`;
  if (constraint.kind === "hash") {
    if (constraint.hash !== chain.head.hash.toLowerCase()) {
      refuse(messages.undecodable(field, "no block with that hash found"));
    }
    return;
  }
  const { number } = constraint;
  if (number > BigInt(chain.head.number)) {
    refuse(
      messages.undecodable(
        field,
        `subgraph ${deployment} has only indexed up to block number ${chain.head.number} and data for block number ${number} is therefore not yet available`,
      ),
    );
  }
  if (constraint.kind === "number" && number < BigInt(chain.startBlock)) {
    refuse(
      messages.undecodable(
        field,
        `subgraph ${deployment} only has data starting at block number ${chain.startBlock} and data for block number ${number} is therefore not available`,
      ),
    );
  }
}

/** The value of `_meta`. What is not the number comes by hash, which a constraint by number does not give. */
export function metaValue(constraint: BlockConstraint, { head }: ChainState, deployment: string): unknown {
  const block =
    constraint.kind === "number"
      ? { number: Number(constraint.number), hash: null, timestamp: null, parentHash: null }
      : { number: head.number, hash: head.hash, timestamp: head.timestamp, parentHash: head.parentHash };
  return { block, deployment, hasIndexingErrors: false };
}
