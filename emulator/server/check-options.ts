import { EmulatorError } from "../../src/base/errors.ts";
import { isObject } from "../../src/base/parse-json.ts";
import { nearestName } from "../../src/base/text.ts";
import { BYTES_TYPES } from "../../src/dialects/protocol.ts";
import { ENVIRONMENTS, STYLE_NAMES } from "../../src/dialects/surface.ts";

/** The required form of a value, worded to follow "must be", and its test. */
type Rule = readonly [what: string, holds: (value: unknown) => boolean];

/**
 * Checks the form of the emulator's options, for calls without types. Their content, such as the name of a release, is
 * checked where it is used.
 *
 * @throws EmulatorError `EMULATOR_BAD_OPTION` with the option and its required form.
 */
export function checkOptions(options: unknown): void {
  if (!isObject(options)) throw badOption("The options", "an object", options);
  checkMembers(options, OPTIONS, "");
}

function checkMembers(
  members: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, Rule>>,
  place: string,
): void {
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) throw unknownOption(`${place}${name}`, name, Object.keys(rules));
    const [what, holds] = rule;
    if (!holds(value)) throw badOption(`"${place}${name}"`, what, value);
  }
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isWhole = (least: number, most: number) => (value: unknown) =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
const isList = (holds: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(holds);
const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
const isTime = (value: unknown) =>
  value === "now" || (typeof value === "string" && TIME.test(value) && !Number.isNaN(Date.parse(value)));
/** A day, or a time with its zone: without one it would depend on the machine. */
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;
const isOneOf = (names: readonly string[]) => (value: unknown) => names.some((name) => name === value);
const isChainId = isWhole(1, Number.MAX_SAFE_INTEGER);

const flag: Rule = ["true or false", (value) => typeof value === "boolean"];
const text: Rule = ["a text", (value) => typeof value === "string"];
const name: Rule = ["a text that is not empty", isText];
const object: Rule = ["an object", isObject];
const texts: Rule = ["a list of texts", isList(isText)];
const limit: Rule = [
  "a whole number, or null for none",
  (value) => value === null || isWhole(0, Number.MAX_SAFE_INTEGER)(value),
];
const choice = (names: readonly string[]): Rule => [
  names.map((option) => `"${option}"`).join(" or "),
  isOneOf(names),
];
const style = choice(STYLE_NAMES);

const SETTINGS: Readonly<Record<string, Rule>> = {
  aggregates: ["a list of entities", isList(isText)],
  rowCap: limit,
  perChainEntities: flag,
  postgresDefault: flag,
  bytesType: choice(BYTES_TYPES),
  boolFilters: flag,
  childSorting: flag,
  strictValidation: flag,
  maxComplexity: limit,
};

function membersAt(rules: Readonly<Record<string, Rule>>, place: string): Rule {
  return [
    "an object",
    (value) => {
      if (!isObject(value)) return false;
      checkMembers(value, rules, `${place}.`);
      return true;
    },
  ];
}

const API_KEY: Readonly<Record<string, Rule>> = {
  key: name,
  domains: texts,
  deployments: texts,
  exhausted: choice(["queries", "spend-limit"]),
};

/** The members of an entry, and the required ones. */
type Entry = { readonly rules: Readonly<Record<string, Rule>>; readonly needs: readonly string[] };

const DEPLOYMENT: Entry = {
  rules: {
    // A deployment with null has its own rows, and gets a specific error.
    protocol: ["the key of a protocol", (value) => value === null || isText(value)],
    name,
    style,
    chainIds: ["a list of chain ids", (value) => isList(isChainId)(value) && !isEmpty(value)],
    environments: ['a list of "production" and "testing"', isList(isOneOf(ENVIRONMENTS))],
    release: text,
    settings: membersAt(SETTINGS, "deployments[].settings"),
  },
  needs: ["name", "protocol", "style", "chainIds", "environments"],
};

const INDEXER: Entry = {
  rules: {
    name: text,
    style,
    entities: text,
    rows: ["an object or a list of blocks", (value) => typeof value === "object" && value !== null],
    release: text,
    settings: membersAt(SETTINGS, "indexers[].settings"),
    chainId: ["the id of a chain", isChainId],
  },
  needs: ["style", "entities"],
};

const byEntity: Rule = [
  "an object of texts by entity",
  (value) => isObject(value) && Object.values(value).every(isText),
];

const byStyle = (place: string) =>
  membersAt(Object.fromEntries(STYLE_NAMES.map((styleName) => [styleName, text])), place);

const PROTOCOL: Entry = {
  rules: {
    entities: [
      "a text, or an object with one for each style",
      (value) => isText(value) || byStyle("protocols[].entities")[1](value),
    ],
    styles: ["a list of styles", isList(isOneOf(STYLE_NAMES))],
    chains: ["a list of chains by key, id or name", isList((value) => isText(value) || isChainId(value))],
    rows: INDEXER.rules["rows"] ?? object,
    identity: membersAt({ protocol: text, chain: text }, "protocols[].identity"),
    chainPath: byEntity,
    cursors: byEntity,
    ids: [
      "an object of texts by entity, or of objects with one for each style",
      (value) =>
        isObject(value) &&
        Object.values(value).every((template) => isText(template) || byStyle("protocols[].ids")[1](template)),
    ],
    places: membersAt({ entities: byStyle("protocols[].places.entities"), rows: text }, "protocols[].places"),
  },
  needs: ["entities"],
};

const OPTIONS: Readonly<Record<string, Rule>> = {
  port: ["a whole number from 0 to 65535", isWhole(0, 65_535)],
  host: ['"127.0.0.1": the emulator listens on this machine only', (value) => value === "127.0.0.1"],
  seed: text,
  streams: ["a whole number from 0 to 1000000", isWhole(0, 1_000_000)],
  asOf: ['"now" or a time such as "2026-01-31T12:00:00Z"', isTime],
  apiKeys: ["a list of keys", (value) => Array.isArray(value) && value.every(checkKey)],
  multichainKeys: texts,
  dailyQueries: ["a whole number from 0", isWhole(0, Number.MAX_SAFE_INTEGER)],
  live: flag,
  now: ["a function", (value) => typeof value === "function"],
  // Each is checked when it is set.
  faults: ["a list of faults", Array.isArray],
  deployments: [
    "a list of deployments, or of their names",
    (value) =>
      Array.isArray(value) &&
      value.every(
        (deployment, index) =>
          isText(deployment) || isEntry(deployment, DEPLOYMENT, `deployments[${index}].`),
      ),
  ],
  indexers: [
    "a list of indexers",
    (value) =>
      Array.isArray(value) &&
      value.every((indexer, index) => isEntry(indexer, INDEXER, `indexers[${index}].`)),
  ],
  protocols: [
    "an object of protocols by key",
    (value) =>
      isObject(value) &&
      Object.entries(value).every(
        ([key, protocol]) => KEY.test(key) && isEntry(protocol, PROTOCOL, `protocols.${key}.`),
      ),
  ],
  fleet: [
    "an object of releases by name",
    (value) => isObject(value) && Object.values(value).every((release) => typeof release === "string"),
  ],
  settings: membersAt(SETTINGS, "settings"),
  engine: choice(["emulator", "graph-node"]),
  root: name,
  chains: ["a list of chains", isList(isObject)],
  places: object,
};

function checkKey(value: unknown): boolean {
  if (!isObject(value)) return isText(value);
  checkMembers(value, API_KEY, "apiKeys.");
  return isText(value["key"]);
}

/** Keys are part of URLs. */
const KEY = /^[a-z][a-z0-9-]*$/;

function isEntry(value: unknown, { rules, needs }: Entry, place: string): boolean {
  if (!isObject(value)) return false;
  checkMembers(value, rules, place);
  for (const need of needs) {
    if (value[need] === undefined) throw badOption(`"${place}${need}"`, rules[need]?.[0] ?? "", undefined);
  }
  return true;
}

function badOption(subject: string, what: string, value: unknown): EmulatorError {
  const verb = subject === "The options" ? "have to be" : "must be";
  return new EmulatorError({
    code: "EMULATOR_BAD_OPTION",
    sentence: `${subject} ${verb} ${what}, but ${subject === "The options" ? "are" : "is"} ${describe(value, what)}.`,
    hint: "docs/emulator.md has every option of startEmulator and its form.",
  });
}

/** Renders a value for a message. A text may be a key, so it is not shown. */
function describe(value: unknown, what: string): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) {
    if (value.length === 0) return "an empty list";
    return what.startsWith("a list") ? "a list with an invalid item" : "a list";
  }
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return /^(a text|")/.test(what) ? "another text" : "a text";
  if (typeof value !== "object") return `a ${typeof value}`;
  return what.startsWith("an object") ? "an object with an invalid value" : "an object";
}

function unknownOption(place: string, name: string, names: readonly string[]): EmulatorError {
  const nearest = nearestName(name, names);
  return new EmulatorError({
    code: "EMULATOR_BAD_OPTION",
    sentence: `startEmulator has no option "${place}".`,
    hint: nearest === null ? `there are ${names.join(", ")}.` : `did you mean "${nearest}"?`,
  });
}
