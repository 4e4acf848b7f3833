import { messages } from "./messages.ts";
import { refuse } from "./query-error.ts";
import { NULL, type QueryValue } from "./query-value.ts";
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
 * @throws QueryError for `{}` and for a key without a value.
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
