import {
  type ApiDirective,
  type ApiEnumValue,
  type ApiField,
  type ApiInputValue,
  type ApiSchema,
  type ApiType,
  ROOTS,
} from "../dialects/api-schema.ts";
import {
  type Change,
  type ChangeKind,
  type InputNoun,
  inputSignature,
  KEYWORDS,
} from "../dialects/members.ts";

/** Compares canonical schemas; what came or went as a whole is one change without its members. */
export function compareSchemas(before: ApiSchema, after: ApiSchema): Change[] {
  const changes: Change[] = [];
  const add: Report = (kind, coordinate, from, to) =>
    changes.push({ kind, coordinate, before: from, after: to });
  // Names of types that a change of a root reports already.
  const reported = new Set<string>();
  for (const role of ROOTS) {
    const [from, to] = [before[`${role}Type`], after[`${role}Type`]];
    if (from === to) continue;
    add(from === null ? "root-added" : to === null ? "root-removed" : "root-renamed", role, from, to);
    const was = findType(before, from);
    const is = findType(after, to);
    // A type that stays for other uses is compared as any other.
    if ((was && findType(after, from)) || (is && findType(before, to))) continue;
    for (const type of [was, is]) if (type) reported.add(type.name);
    if (was && is) compareTypes(was, is, add);
  }
  const isOther = ({ name }: ApiType) => !reported.has(name);
  join("type", before.types.filter(isOther), after.types.filter(isOther), add, {
    coordinateOf: (name) => name,
    show: ({ kind }) => KEYWORDS[kind],
    both: (a, b) => compareTypes(a, b, add),
  });
  join("directive", before.directives, after.directives, add, {
    coordinateOf: (name) => `@${name}`,
    show: () => "directive",
    both: (a, b) => compareDirectives(a, b, add),
  });
  return changes;
}

type Report = (kind: ChangeKind, coordinate: string, before: string | null, after: string | null) => void;

function findType({ types }: ApiSchema, name: string | null): ApiType | undefined {
  return types.find((type) => type.name === name);
}

function compareTypes(a: ApiType, b: ApiType, add: Report): void {
  compareDescriptions(a.name, a, b, add);
  if (a.kind !== b.kind) add("type-kind-changed", a.name, KEYWORDS[a.kind], KEYWORDS[b.kind]);
  if (a.kind === "ENUM" && b.kind === "ENUM") {
    compareEnumValues(a.name, a.values, b.values, add);
  } else if (a.kind === "INPUT_OBJECT" && b.kind === "INPUT_OBJECT") {
    if (!a.oneOf && b.oneOf) add("input-one-of-added", a.name, null, "oneOf");
    if (a.oneOf && !b.oneOf) add("input-one-of-removed", a.name, "oneOf", null);
    compareInputs("input-field", (name) => `${a.name}.${name}`, a.fields, b.fields, add);
  } else if (a.kind === "SCALAR" && b.kind === "SCALAR") {
    // Where one side was not asked, nothing is known to have changed.
    if (a.specifiedBy !== undefined && b.specifiedBy !== undefined && a.specifiedBy !== b.specifiedBy) {
      add("scalar-specification-changed", a.name, a.specifiedBy, b.specifiedBy);
    }
  } else if (a.kind === "UNION" && b.kind === "UNION") {
    compareNames("member", a.name, a.possibleTypes, b.possibleTypes, add);
  } else if ("interfaces" in a && "interfaces" in b) {
    compareNames("interface", a.name, a.interfaces, b.interfaces, add);
    join("field", a.fields, b.fields, add, {
      coordinateOf: (name) => `${a.name}.${name}`,
      show: ({ type }) => type,
      both: (one, other) => {
        // Most of a schema stays, and the coordinates of that need not be written.
        if (!sameFields(one, other)) compareFields(`${a.name}.${one.name}`, one, other, add);
      },
    });
  }
}

function sameFields(a: ApiField, b: ApiField): boolean {
  return (
    a.type === b.type &&
    a.description === b.description &&
    a.deprecationReason === b.deprecationReason &&
    a.args.length === b.args.length &&
    a.args.every((arg, at) => sameInputs(arg, b.args[at]))
  );
}

function sameInputs(a: ApiInputValue, b: ApiInputValue | undefined): boolean {
  return (
    b !== undefined &&
    a.name === b.name &&
    a.type === b.type &&
    a.defaultValue === b.defaultValue &&
    a.description === b.description
  );
}

function compareFields(coordinate: string, a: ApiField, b: ApiField, add: Report): void {
  compareDescriptions(coordinate, a, b, add);
  if (a.type !== b.type) add("field-type-changed", coordinate, a.type, b.type);
  if (a.deprecationReason !== b.deprecationReason) {
    add("field-deprecation-changed", coordinate, a.deprecationReason, b.deprecationReason);
  }
  if (a.args.length > 0 || b.args.length > 0) {
    compareInputs("argument", (name) => `${coordinate}(${name}:)`, a.args, b.args, add);
  }
}

function compareEnumValues(
  type: string,
  before: readonly ApiEnumValue[],
  after: readonly ApiEnumValue[],
  add: Report,
): void {
  join("enum-value", before, after, add, {
    coordinateOf: (name) => `${type}.${name}`,
    show: ({ name }) => name,
    both: (a, b) => {
      if (a.description === b.description && a.deprecationReason === b.deprecationReason) return;
      const coordinate = `${type}.${a.name}`;
      compareDescriptions(coordinate, a, b, add);
      if (a.deprecationReason !== b.deprecationReason) {
        add("enum-value-deprecation-changed", coordinate, a.deprecationReason, b.deprecationReason);
      }
    },
  });
}

function compareInputs(
  noun: InputNoun,
  coordinateOf: (name: string) => string,
  before: readonly ApiInputValue[],
  after: readonly ApiInputValue[],
  add: Report,
): void {
  join(noun, before, after, add, {
    coordinateOf,
    show: inputSignature,
    both: (a, b) => {
      if (sameInputs(a, b)) return;
      const coordinate = coordinateOf(a.name);
      compareDescriptions(coordinate, a, b, add);
      // A new default must not hide a looser type. An input that has to be sent now, because its default is gone, has
      // another type for whoever sends it.
      const required = b.type.endsWith("!") && b.defaultValue === null;
      if (a.type !== b.type || (required && a.defaultValue !== null)) {
        add(`${noun}-type-changed`, coordinate, inputSignature(a), inputSignature(b));
      }
      if (a.defaultValue !== b.defaultValue) {
        add(`${noun}-default-changed`, coordinate, a.defaultValue, b.defaultValue);
      }
    },
  });
}

function compareDirectives(a: ApiDirective, b: ApiDirective, add: Report): void {
  const coordinate = `@${a.name}`;
  compareDescriptions(coordinate, a, b, add);
  compareNames("directive-location", coordinate, a.locations, b.locations, add);
  compareInputs("directive-argument", (name) => `${coordinate}(${name}:)`, a.args, b.args, add);
}

type Described = { readonly description: string | null };

function compareDescriptions(coordinate: string, a: Described, b: Described, add: Report): void {
  if (a.description === b.description) return;
  // Platforms differ in the white space that ends a description, and authors in how they wrap it: nobody reads that.
  const before = a.description?.trimEnd() || null;
  const after = b.description?.trimEnd() || null;
  if (unwrap(before) !== unwrap(after)) add("description-changed", coordinate, before, after);
}

/** A text without the line ends within its paragraphs. */
function unwrap(text: string | null): string | null {
  if (text === null) return null;
  const paragraphs = text.split(/\n\s*\n/);
  return paragraphs.map((paragraph) => paragraph.replaceAll(/\s+/g, " ").trim()).join("\n\n");
}

function compareNames(
  noun: "member" | "interface" | "directive-location",
  coordinate: string,
  before: readonly string[],
  after: readonly string[],
  add: Report,
): void {
  if (before.length === 0 && after.length === 0) return;
  const [old, now] = [new Set(before), new Set(after)];
  for (const name of before) if (!now.has(name)) add(`${noun}-removed`, coordinate, name, null);
  for (const name of after) if (!old.has(name)) add(`${noun}-added`, coordinate, null, name);
}

/** Joins two lists in code-unit order of name, which is how canonical schemas have everything. */
function join<T extends { readonly name: string }>(
  noun: "type" | "directive" | "field" | "enum-value" | InputNoun,
  before: readonly T[],
  after: readonly T[],
  add: Report,
  {
    coordinateOf,
    show,
    both,
  }: {
    readonly coordinateOf: (name: string) => string;
    readonly show: (one: T) => string;
    readonly both: (a: T, b: T) => void;
  },
): void {
  let left = 0;
  let right = 0;
  while (left < before.length || right < after.length) {
    const a = before[left];
    const b = after[right];
    if (a !== undefined && (b === undefined || a.name < b.name)) {
      add(`${noun}-removed`, coordinateOf(a.name), show(a), null);
      left++;
    } else if (b !== undefined && (a === undefined || b.name < a.name)) {
      add(`${noun}-added`, coordinateOf(b.name), null, show(b));
      right++;
    } else if (a !== undefined && b !== undefined) {
      both(a, b);
      left++;
      right++;
    }
  }
}
