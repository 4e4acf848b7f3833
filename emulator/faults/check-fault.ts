import { ENVIRONMENTS, STYLE_NAMES } from "../../src/dialects/surface.ts";
import { type Fault, type FaultKind, hintOf, invalidFault } from "./fault.ts";

/**
 * Checks that a value is a fault: a known kind with exactly its own members.
 *
 * @throws EmulatorError `EMULATOR_INVALID_FAULT`
 */
export function checkFault(value: unknown): Fault {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidFault(
      "A fault is an object with a `kind`.",
      'for example { kind: "latency", milliseconds: 200 }.',
    );
  }
  const given = value as Readonly<Record<string, unknown>>;
  const kind = checkKind(given["kind"]);
  const fields: readonly FaultField[] = [
    ...FAULT_KINDS[kind],
    ...SCOPE,
    ...(kind === "refused" ? [] : TIMING),
  ];
  checkNames(kind, given, fields);
  for (const field of fields) {
    const own = given[field.name];
    if (own === undefined && field.isRequired) {
      throw invalidFault(`A fault "${kind}" needs "${field.name}", ${describe(field.value)}.`);
    }
    if (own !== undefined && !accepts(field.value, own)) {
      throw invalidFault(
        `"${field.name}" of a fault "${kind}" is ${describe(field.value)}, not ${JSON.stringify(own)}.`,
      );
    }
  }
  if (given["probability"] !== undefined && given["next"] !== undefined) {
    throw invalidFault(
      `A fault "${kind}" has a "probability" or a number of "next" requests, not both.`,
      "set two faults.",
    );
  }
  // All its members were checked above.
  return { ...given } as Fault;
}

const SCOPE: readonly FaultField[] = [
  { name: "deployment", isRequired: false, value: { type: "text" } },
  { name: "environment", isRequired: false, value: { type: "choice", of: ENVIRONMENTS } },
  { name: "style", isRequired: false, value: { type: "choice", of: STYLE_NAMES } },
  // The served protocols are checked later.
  { name: "protocol", isRequired: false, value: { type: "text" } },
];

const TIMING: readonly FaultField[] = [
  { name: "probability", isRequired: false, value: { type: "share" } },
  { name: "next", isRequired: false, value: { type: "number", least: 1, most: Number.MAX_SAFE_INTEGER } },
];

function checkKind(kind: unknown): Fault["kind"] {
  if (typeof kind === "string" && isFaultKind(kind)) return kind;
  throw invalidFault(
    `There is no fault of kind ${JSON.stringify(kind) ?? "undefined"}.`,
    hintOf(String(kind), Object.keys(FAULT_KINDS)),
  );
}

function checkNames(
  kind: string,
  given: Readonly<Record<string, unknown>>,
  fields: readonly FaultField[],
): void {
  const names = fields.map((field) => field.name);
  for (const name of Object.keys(given)) {
    if (name === "kind" || names.includes(name)) continue;
    throw invalidFault(`A fault "${kind}" has no "${name}".`, hintOf(name, names));
  }
}

function accepts(value: FieldValue, given: unknown): boolean {
  switch (value.type) {
    case "number":
      return Number.isSafeInteger(given) && Number(given) >= value.least && Number(given) <= value.most;
    case "share":
      return typeof given === "number" && given >= 0 && given <= 1;
    case "choice":
      return value.of.some((one) => one === given);
    case "member":
      return typeof given === "string" && /^[A-Za-z_]\w*\.[A-Za-z_]\w*$/.test(given);
    case "name":
      return typeof given === "string" && /^[A-Za-z_]\w*$/.test(given);
    case "text":
      return typeof given === "string" && given !== "";
  }
}

/** Describes the accepted values, for messages. */
export function describe(value: FieldValue): string {
  switch (value.type) {
    case "number":
      return value.most === Number.MAX_SAFE_INTEGER
        ? `a whole number from ${value.least}`
        : `a whole number from ${value.least} to ${value.most}`;
    case "share":
      return "a number from 0 to 1";
    case "choice":
      return value.of.map((one) => `"${one}"`).join(" or ");
    case "member":
      return 'two names with a dot between them, like "Stream.sender"';
    case "name":
      return "a name";
    case "text":
      return "a text";
  }
}

/** The fields of a fault except its kind, in the order of the command line. */
type FaultField = {
  readonly name: string;
  readonly isRequired: boolean;
  readonly value: FieldValue;
};

type FieldValue =
  | { readonly type: "number"; readonly least: number; readonly most: number }
  /** From 0 to 1. */
  | { readonly type: "share" }
  | { readonly type: "choice"; readonly of: readonly string[] }
  /** `Stream.sender` */
  | { readonly type: "member" }
  | { readonly type: "name" }
  | { readonly type: "text" };

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
