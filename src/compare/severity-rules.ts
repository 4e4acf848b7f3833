import { type ApiSchema, baseTypeName, EXECUTABLE_LOCATIONS, nullableType } from "../dialects/api-schema.ts";
import { parseCoordinate } from "../dialects/locate.ts";
import type { Change, ChangeKind } from "../dialects/members.ts";
import type { Severity } from "../report/finding.ts";
import type { ConfirmedRename } from "./find-api-renames.ts";
import { type IndexedSchema, indexSchema } from "./indexed-schema.ts";

/** Options for the severity of differences. */
export type DiffOptions = {
  /** Whether clients handle every value of an enum exhaustively, so that a new one breaks them. */
  readonly exhaustiveEnums: boolean;
  /** Renames that are certain in the other style. @default none */
  readonly renames?: readonly ConfirmedRename[] | undefined;
};

/** Creates a function that returns the severity of a change for an unknown client, by the GraphQL specification. */
export function createJudge(
  before: ApiSchema,
  after: ApiSchema,
  { exhaustiveEnums }: DiffOptions,
): (change: Change) => Severity {
  const context: JudgeContext = {
    before: indexSchema(before),
    after: indexSchema(after),
    executableDirectives: new Set(
      [...before.directives, ...after.directives]
        .filter(({ locations }) => locations.some((location) => EXECUTABLE_LOCATIONS.has(location)))
        .map(({ name }) => `@${name}`),
    ),
    exhaustiveEnums,
  };
  return (change) => {
    const rule = RULES[change.kind];
    return typeof rule === "string" ? rule : rule(change, context);
  };
}

type JudgeContext = DiffOptions & {
  readonly before: IndexedSchema;
  readonly after: IndexedSchema;
  readonly executableDirectives: ReadonlySet<string>;
};

type Rule = (change: Change, context: JudgeContext) => Severity;

/** The rule of every kind of change. */
export const RULES: Readonly<Record<ChangeKind, Severity | Rule>> = {
  "root-added": "additive",
  "root-removed": "breaking",
  // Documents contain `query`, not the name of the type.
  "root-renamed": "cosmetic",
  "type-added": "additive",
  "type-removed": ({ coordinate }, { before }) =>
    before.isOutput(coordinate) || before.isInput(coordinate) ? "breaking" : "cosmetic",
  "type-kind-changed": ({ before, after }) => (isLeaf(before) && isLeaf(after) ? "risky" : "breaking"),
  // Values of the scalar have another format now.
  "scalar-specification-changed": "risky",
  "interface-added": "risky",
  "interface-removed": "breaking",
  "member-added": "risky",
  "member-removed": "breaking",
  "field-added": "additive",
  "field-removed": "breaking",
  "field-type-changed": judgeOutputType,
  "field-deprecation-changed": "cosmetic",
  // Existing operations do not send it.
  "argument-added": ({ after }) => (isRequired(after) ? "breaking" : "additive"),
  "argument-removed": "breaking",
  "argument-type-changed": judgeInputType,
  "argument-default-changed": "risky",
  "input-one-of-added": "breaking",
  "input-one-of-removed": "additive",
  "input-field-added": ({ after }) =>
    isRequired(after) ? "breaking" : hasDefault(after) ? "risky" : "additive",
  "input-field-removed": "breaking",
  "input-field-type-changed": judgeInputType,
  "input-field-default-changed": "risky",
  "enum-value-added": judgeNewEnumValue,
  "enum-value-removed": judgeRemovedEnumValue,
  "enum-value-deprecation-changed": "cosmetic",
  "enum-value-renamed": judgeRemovedEnumValue,
  "directive-added": executable("additive"),
  "directive-removed": executable("breaking"),
  "directive-location-added": ({ after }) =>
    EXECUTABLE_LOCATIONS.has(after ?? "") ? "additive" : "cosmetic",
  "directive-location-removed": ({ before }) =>
    EXECUTABLE_LOCATIONS.has(before ?? "") ? "breaking" : "cosmetic",
  "directive-argument-added": executable(({ after }) => (isRequired(after) ? "breaking" : "additive")),
  "directive-argument-removed": executable("breaking"),
  "directive-argument-type-changed": executable(judgeInputType),
  "directive-argument-default-changed": executable("risky"),
  "description-changed": "cosmetic",
  "field-renamed": "breaking",
  "type-renamed": "breaking",
  // Their effects are reported with the changes that follow from them.
  "platform-feature-added": "cosmetic",
  "platform-feature-removed": "cosmetic",
  "platform-feature-changed": "cosmetic",
  "platform-release-changed": "cosmetic",
  // Code that relies on the model expects something else.
  "change-missing": "risky",
};

/** Limits a rule to executable directives: operations cannot contain the others. */
function executable(severity: Severity | ((change: Change) => Severity)): Rule {
  return (change, { executableDirectives }) => {
    if (!executableDirectives.has(parseCoordinate(change.coordinate).type)) return "cosmetic";
    return typeof severity === "string" ? severity : severity(change);
  };
}

function judgeOutputType({ before, after }: Change, context: JudgeContext): Severity {
  if (before === null || after === null) return "breaking";
  return judgeAnswerType(before, after, context.after.subtypes);
}

function judgeInputType({ before, after }: Change): Severity {
  if (before === null || after === null) return "breaking";
  const { renamed, reshaped, tightened } = describeTypeChange(typeOf(before), typeOf(after));
  if (renamed || reshaped || (isRequired(after) && !isRequired(before))) return "breaking";
  if (!tightened) return "additive";
  // With a default it may still be omitted; only an explicit null is an error.
  return hasDefault(after) ? "risky" : "breaking";
}

function judgeNewEnumValue({ coordinate }: Change, { after, exhaustiveEnums }: JudgeContext): Severity {
  if (!after.isOutput(parseCoordinate(coordinate).type)) return "additive";
  return exhaustiveEnums ? "breaking" : "risky";
}

function judgeRemovedEnumValue({ coordinate }: Change, { before }: JudgeContext): Severity {
  const owner = parseCoordinate(coordinate).type;
  if (before.isInput(owner)) return "breaking";
  return before.isOutput(owner) ? "risky" : "cosmetic";
}

function isLeaf(keyword: string | null): boolean {
  return keyword === "enum" || keyword === "scalar";
}

function isRequired(signature: string | null): boolean {
  return signature?.endsWith("!") === true;
}

function hasDefault(signature: string | null): boolean {
  return signature?.includes(" = ") === true;
}

function typeOf(signature: string): string {
  return signature.split(" = ")[0] ?? signature;
}

type TypeChange = {
  /** Another named type. */
  readonly renamed: boolean;
  /** Another number of list brackets. */
  readonly reshaped: boolean;
  /** A `!` was added at some level. */
  readonly tightened: boolean;
  /** A `!` was removed at some level. */
  readonly loosened: boolean;
};

/** Describes the change of a type expression. Compares nullability at each level that both types have. */
export function describeTypeChange(before: string, after: string): TypeChange {
  const a = levelsOf(before);
  const b = levelsOf(after);
  const changed = (was: boolean) => a.some((nonNull, level) => nonNull === was && b[level] === !was);
  return {
    renamed: baseTypeName(before) !== baseTypeName(after),
    reshaped: a.length !== b.length,
    tightened: changed(false),
    loosened: changed(true),
  };
}

/** Returns whether each level of a type is non-null, from the outermost list to the named type. */
function levelsOf(type: string): boolean[] {
  const inner = nullableType(type);
  return [inner !== type, ...(inner.startsWith("[") ? levelsOf(inner.slice(1, -1)) : [])];
}

/** Returns the number of nested lists of a type, plus one. */
export function listDepth(type: string): number {
  return type.split("[").length;
}

/** Returns the severity of a field's new type. A subtype of the old type is risky, any other type is breaking. */
export function judgeAnswerType(
  before: string,
  after: string,
  subtypes: IndexedSchema["subtypes"],
): Severity {
  const { renamed, reshaped, loosened } = describeTypeChange(before, after);
  if (reshaped || loosened) return "breaking";
  // A stricter type is not safe: fields that are merged in a selection must have the same type.
  if (!renamed) return "risky";
  return subtypes(baseTypeName(before)).has(baseTypeName(after)) ? "risky" : "breaking";
}
