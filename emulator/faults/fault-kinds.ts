import type { FaultKind } from "./fault.ts";

/** The fields of a fault besides its kind, in the order the command line has it. */
export type FaultField = {
  readonly name: string;
  readonly isRequired: boolean;
  readonly value: FieldValue;
};

/** What may be written there. */
export type FieldValue =
  | { readonly type: "number"; readonly least: number; readonly most: number }
  /** From 0 to 1. */
  | { readonly type: "share" }
  | { readonly type: "choice"; readonly of: readonly string[] }
  /** `Stream.sender` */
  | { readonly type: "member" }
  | { readonly type: "name" }
  | { readonly type: "text" };

/** Every kind of fault with its fields. */
export const FAULT_KINDS: Readonly<Record<FaultKind, readonly FaultField[]>> = {
  latency: [needs("milliseconds", number(1, 3_600_000))],
  refused: [],
  reset: [may("at", { type: "choice", of: ["start", "body"] })],
  "401": [],
  "402": [],
  "403": [],
  "404": [],
  "429": [may("retryAfter", number(0, 9_999_999))],
  "500": [],
  "502": [],
  "truncated-json": [may("length", { type: "choice", of: ["cut", "whole"] })],
  "errors-beside-data": [may("message", { type: "text" })],
  "introspection-off": [],
  "indexing-error": [may("block", number(0, Number.MAX_SAFE_INTEGER))],
  "wrong-chain": [needs("chain", { type: "text" })],
  "missing-chain": [needs("chain", { type: "text" })],
  "wrong-protocol": [],
  "stuck-head": [may("chain", { type: "text" })],
  "lagging-head": [needs("blocks", number(1, Number.MAX_SAFE_INTEGER)), may("chain", { type: "text" })],
  "drop-field": [needs("field", { type: "member" })],
  "rename-field": [needs("field", { type: "member" }), needs("to", { type: "name" })],
  "retype-field": [needs("field", { type: "member" }), needs("type", { type: "text" })],
  "add-field": [needs("field", { type: "member" }), needs("type", { type: "text" })],
  "add-enum-member": [needs("member", { type: "member" })],
  release: [needs("release", { type: "text" })],
  flapping: [needs("first", { type: "text" }), needs("second", { type: "text" })],
  "huge-body": [needs("megabytes", number(1, 4096))],
  "deep-body": [needs("levels", number(1, 10_000_000))],
};

/** Whether there is a kind of this name. */
export function isFaultKind(name: string): name is FaultKind {
  return Object.hasOwn(FAULT_KINDS, name);
}

function needs(name: string, value: FieldValue): FaultField {
  return { name, isRequired: true, value };
}

function may(name: string, value: FieldValue): FaultField {
  return { name, isRequired: false, value };
}

function number(least: number, most: number): FieldValue {
  return { type: "number", least, most };
}
