import {
  type ApiDirective,
  type ApiEnumValue,
  type ApiField,
  type ApiInputValue,
  type ApiSchema,
  type ApiType,
  indexTypes,
  ROOTS,
} from "../dialects/api-schema.ts";
import { type Change, type InputNoun, inputSignature, KEYWORDS } from "../dialects/members.ts";

/** Compares canonical schemas. A type that was added or removed is one change, without its members. */
export function compareSchemas(before: ApiSchema, after: ApiSchema): Change[] {
  return [...compare(before, after)];
}

type Changes = Iterable<Change>;

function* compare(before: ApiSchema, after: ApiSchema): Changes {
  // Names of types that the change of a root already reports.
  const reported = new Set<string>();
  for (const role of ROOTS) {
    const [from, to] = [before[`${role}Type`], after[`${role}Type`]];
    if (from === to) continue;
    const kind = from === null ? "root-added" : to === null ? "root-removed" : "root-renamed";
    yield { kind, coordinate: role, before: from, after: to };
    const was = findType(before, from);
    const is = findType(after, to);
    // A type that is also used elsewhere is compared like any other.
    if ((was && findType(after, from)) || (is && findType(before, to))) continue;
    for (const type of [was, is]) if (type) reported.add(type.name);
    if (was && is) yield* compareTypes(was, is);
  }
  const isOther = ({ name }: ApiType) => !reported.has(name);
  yield* join("type", [before.types.filter(isOther), after.types.filter(isOther)], {
    coordinateOf: (name) => name,
    show: ({ kind }) => KEYWORDS[kind],
    both: compareTypes,
  });
  yield* join("directive", [before.directives, after.directives], {
    coordinateOf: (name) => `@${name}`,
    show: () => "directive",
    both: compareDirectives,
  });
}

function findType(schema: ApiSchema, name: string | null): ApiType | undefined {
  return name === null ? undefined : indexTypes(schema).get(name);
}

function* compareTypes(a: ApiType, b: ApiType): Changes {
  const coordinate = a.name;
  const coordinateOf = (member: string) => `${coordinate}.${member}`;
  yield* compareDescriptions(coordinate, a, b);
  if (a.kind !== b.kind) {
    yield { kind: "type-kind-changed", coordinate, before: KEYWORDS[a.kind], after: KEYWORDS[b.kind] };
  }
  if (a.kind === "ENUM" && b.kind === "ENUM") {
    yield* join("enum-value", [a.values, b.values], {
      coordinateOf,
      show: ({ name }) => name,
      both: (was, is) => (isUnchanged(was, is) ? [] : compareValues(coordinateOf(was.name), was, is)),
    });
  } else if (a.kind === "INPUT_OBJECT" && b.kind === "INPUT_OBJECT") {
    if (!a.oneOf && b.oneOf) yield { kind: "input-one-of-added", coordinate, before: null, after: "oneOf" };
    if (a.oneOf && !b.oneOf) yield { kind: "input-one-of-removed", coordinate, before: "oneOf", after: null };
    yield* compareInputs("input-field", [a.fields, b.fields], coordinateOf);
  } else if (a.kind === "SCALAR" && b.kind === "SCALAR") {
    const [before, after] = [a.specifiedBy, b.specifiedBy];
    // If one side was not introspected for it, no change is known.
    if (before !== undefined && after !== undefined && before !== after) {
      yield { kind: "scalar-specification-changed", coordinate, before, after };
    }
  } else if (a.kind === "UNION" && b.kind === "UNION") {
    yield* compareNames("member", [a.possibleTypes, b.possibleTypes], coordinate);
  } else if ("interfaces" in a && "interfaces" in b) {
    yield* compareNames("interface", [a.interfaces, b.interfaces], coordinate);
    yield* join("field", [a.fields, b.fields], {
      coordinateOf,
      show: ({ type }) => type,
      both: (was, is) => (isUnchanged(was, is) ? [] : compareFields(coordinateOf(was.name), was, is)),
    });
  }
}

/** Returns whether a member is unchanged, as most are: their coordinates are not built. */
function isUnchanged(a: Member, b: Member): boolean {
  const [args = [], others = []] = [a.args, b.args];
  return (
    a.type === b.type &&
    a.description === b.description &&
    a.defaultValue === b.defaultValue &&
    a.deprecationReason === b.deprecationReason &&
    args.length === others.length &&
    args.every((arg, at) => arg.name === others[at]?.name && isUnchanged(arg, others[at]))
  );
}

type Member = Partial<ApiField & Pick<ApiInputValue, "defaultValue">>;

function* compareValues(coordinate: string, a: ApiEnumValue, b: ApiEnumValue): Changes {
  yield* compareDescriptions(coordinate, a, b);
  const [before, after] = [a.deprecationReason, b.deprecationReason];
  if (before !== after) yield { kind: "enum-value-deprecation-changed", coordinate, before, after };
}

function* compareFields(coordinate: string, a: ApiField, b: ApiField): Changes {
  yield* compareDescriptions(coordinate, a, b);
  if (a.type !== b.type) yield { kind: "field-type-changed", coordinate, before: a.type, after: b.type };
  const [before, after] = [a.deprecationReason, b.deprecationReason];
  if (before !== after) yield { kind: "field-deprecation-changed", coordinate, before, after };
  yield* compareInputs("argument", [a.args, b.args], (name) => `${coordinate}(${name}:)`);
}

type Pair<T> = readonly [before: T, after: T];

function* compareInputs(
  noun: InputNoun,
  inputs: Pair<readonly ApiInputValue[]>,
  coordinateOf: (name: string) => string,
): Changes {
  yield* join(noun, inputs, {
    coordinateOf,
    show: inputSignature,
    both: (a, b) => (isUnchanged(a, b) ? [] : compareInput(noun, coordinateOf(a.name), [a, b])),
  });
}

function* compareInput(noun: InputNoun, coordinate: string, [a, b]: Pair<ApiInputValue>): Changes {
  const [before, after] = [a.defaultValue, b.defaultValue];
  yield* compareDescriptions(coordinate, a, b);
  // A new default must not hide a looser type. An input that became required because its default was removed has a
  // different type for clients.
  const required = b.type.endsWith("!") && after === null;
  if (a.type !== b.type || (required && before !== null)) {
    const kind = `${noun}-type-changed` as const;
    yield { kind, coordinate, before: inputSignature(a), after: inputSignature(b) };
  }
  if (before !== after) yield { kind: `${noun}-default-changed`, coordinate, before, after };
}

function* compareDirectives(a: ApiDirective, b: ApiDirective): Changes {
  const coordinate = `@${a.name}`;
  yield* compareDescriptions(coordinate, a, b);
  yield* compareNames("directive-location", [a.locations, b.locations], coordinate);
  yield* compareInputs("directive-argument", [a.args, b.args], (name) => `${coordinate}(${name}:)`);
}

type Described = { readonly description: string | null };

function* compareDescriptions(coordinate: string, a: Described, b: Described): Changes {
  if (a.description === b.description) return;
  // Platforms differ in trailing white space, and authors in how they wrap lines.
  const before = a.description?.trimEnd() || null;
  const after = b.description?.trimEnd() || null;
  if (unwrap(before) !== unwrap(after)) yield { kind: "description-changed", coordinate, before, after };
}

/** Returns a text without the line breaks within its paragraphs. */
function unwrap(text: string | null): string | undefined {
  const paragraphs = text?.split(/\n\s*\n/);
  return paragraphs?.map((paragraph) => paragraph.replaceAll(/\s+/g, " ").trim()).join("\n\n");
}

function* compareNames(
  noun: "member" | "interface" | "directive-location",
  [before, after]: Pair<readonly string[]>,
  coordinate: string,
): Changes {
  const [old, now] = [new Set(before), new Set(after)];
  for (const name of old) {
    if (!now.has(name)) yield { kind: `${noun}-removed`, coordinate, before: name, after: null };
  }
  for (const name of now) {
    if (!old.has(name)) yield { kind: `${noun}-added`, coordinate, before: null, after: name };
  }
}

/** Joins two lists that are in code-unit order of name, as all lists of canonical schemas are. */
function* join<T extends { readonly name: string }>(
  noun: "type" | "directive" | "field" | "enum-value" | InputNoun,
  [before, after]: Pair<readonly T[]>,
  {
    coordinateOf,
    show,
    both,
  }: {
    readonly coordinateOf: (name: string) => string;
    readonly show: (part: T) => string;
    readonly both: (a: T, b: T) => Changes;
  },
): Changes {
  let left = 0;
  let right = 0;
  while (left < before.length || right < after.length) {
    const a = before[left];
    const b = after[right];
    if (a !== undefined && (b === undefined || a.name < b.name)) {
      yield { kind: `${noun}-removed`, coordinate: coordinateOf(a.name), before: show(a), after: null };
      left++;
    } else if (b !== undefined && (a === undefined || b.name < a.name)) {
      yield { kind: `${noun}-added`, coordinate: coordinateOf(b.name), before: null, after: show(b) };
      right++;
    } else if (a !== undefined && b !== undefined) {
      yield* both(a, b);
      left++;
      right++;
    }
  }
}
