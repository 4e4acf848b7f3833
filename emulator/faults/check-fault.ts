import { isObject } from "../../src/base/parse-json.ts";
import { ENVIRONMENTS, STYLE_NAMES } from "../../src/dialects/surface.ts";
import { type Fault, type FaultKind, hintOf, invalidFault } from "./fault.ts";

/**
 * Checks that a value is a fault: a known kind with exactly its own members.
 *
 * @throws EmulatorError `EMULATOR_INVALID_FAULT`
 */
export function checkFault(value: unknown): Fault {
  if (!isObject(value)) {
    throw invalidFault(
      "A fault is an object with a `kind`.",
      'for example { kind: "latency", milliseconds: 200 }.',
    );
  }
  const kind = checkKind(value["kind"]);
  const fields: readonly FaultField[] = [
    ...FAULT_KINDS[kind],
    ...SCOPE,
    ...(kind === "refused" ? [] : TIMING),
  ];
  const names = fields.map((field) => field.name);
  const unknown = Object.keys(value).find((name) => name !== "kind" && !names.includes(name));
  if (unknown !== undefined)
    throw invalidFault(`A fault "${kind}" has no "${unknown}".`, hintOf(unknown, names));
  for (const { name, isRequired, form, accepts } of fields) {
    const member = value[name];
    if (member === undefined && isRequired) throw invalidFault(`A fault "${kind}" needs "${name}", ${form}.`);
    if (member !== undefined && !accepts(member))
      throw invalidFault(`"${name}" of a fault "${kind}" is ${form}, not ${JSON.stringify(member)}.`);
  }
  if (value["probability"] !== undefined && value["next"] !== undefined) {
    throw invalidFault(
      `A fault "${kind}" has a "probability" or a number of "next" requests, not both.`,
      "set two faults.",
    );
  }
  // All its members were checked above.
  return { ...value } as Fault;
}

function checkKind(kind: unknown): Fault["kind"] {
  if (typeof kind === "string" && isFaultKind(kind)) return kind;
  throw invalidFault(
    `There is no fault of kind ${JSON.stringify(kind) ?? "undefined"}.`,
    hintOf(String(kind), Object.keys(FAULT_KINDS)),
  );
}

/** The accepted values of a field. */
type FieldValue = {
  /** Continues a sentence: `is …`. */
  readonly form: string;
  readonly accepts: (value: unknown) => boolean;
  /** Whether the command line has it in digits. */
  readonly isNumber?: true;
};

/** A field of a fault except its kind. */
type FaultField = FieldValue & { readonly name: string; readonly isRequired: boolean };

const TEXT = textLike("a text", /./s);
const NAME = textLike("a name", /^[A-Za-z_]\w*$/);
const MEMBER = textLike(
  'two names with a dot between them, like "Stream.sender"',
  /^[A-Za-z_]\w*\.[A-Za-z_]\w*$/,
);
const SHARE: FieldValue = {
  form: "a number from 0 to 1",
  accepts: (value) => typeof value === "number" && value >= 0 && value <= 1,
};

const SCOPE: readonly FaultField[] = [
  may("deployment", TEXT),
  may("environment", choice(ENVIRONMENTS)),
  may("style", choice(STYLE_NAMES)),
  // The served protocols are checked later.
  may("protocol", TEXT),
];

const TIMING: readonly FaultField[] = [may("probability", SHARE), may("next", number(1))];

/** The fields of each kind, in the order of the command line. */
export const FAULT_KINDS: Readonly<Record<FaultKind, readonly FaultField[]>> = {
  latency: [needs("milliseconds", number(1, 3_600_000))],
  refused: [],
  reset: [may("at", choice(["start", "body"]))],
  "401": [],
  "402": [],
  "403": [],
  "404": [],
  "429": [may("retryAfter", number(0, 9_999_999))],
  "500": [],
  "502": [],
  "truncated-json": [may("length", choice(["cut", "whole"]))],
  "errors-beside-data": [may("message", TEXT)],
  "introspection-off": [],
  "indexing-error": [may("block", number(0))],
  "wrong-chain": [needs("chain", TEXT)],
  "missing-chain": [needs("chain", TEXT)],
  "wrong-protocol": [],
  "stuck-head": [may("chain", TEXT)],
  "lagging-head": [needs("blocks", number(1)), may("chain", TEXT)],
  "drop-field": [needs("field", MEMBER)],
  "rename-field": [needs("field", MEMBER), needs("to", NAME)],
  "retype-field": [needs("field", MEMBER), needs("type", TEXT)],
  "add-field": [needs("field", MEMBER), needs("type", TEXT)],
  "add-enum-member": [needs("member", MEMBER)],
  release: [needs("release", TEXT)],
  flapping: [needs("first", TEXT), needs("second", TEXT)],
  "huge-body": [needs("megabytes", number(1, 4096))],
  "deep-body": [needs("levels", number(1, 10_000_000))],
};

export function isFaultKind(name: string): name is FaultKind {
  return Object.hasOwn(FAULT_KINDS, name);
}

function needs(name: string, value: FieldValue): FaultField {
  return { ...value, name, isRequired: true };
}

function may(name: string, value: FieldValue): FaultField {
  return { ...value, name, isRequired: false };
}

function textLike(form: string, pattern: RegExp): FieldValue {
  return { form, accepts: (value) => typeof value === "string" && pattern.test(value) };
}

function choice(names: readonly string[]): FieldValue {
  return {
    form: names.map((name) => `"${name}"`).join(" or "),
    accepts: (value) => names.some((name) => name === value),
  };
}

function number(least: number, most = Number.MAX_SAFE_INTEGER): FieldValue {
  const limit = most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most}`;
  return {
    form: `a whole number from ${least}${limit}`,
    accepts: (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
    isNumber: true,
  };
}
