import type {
  ApiDirective,
  ApiEnumValue,
  ApiField,
  ApiInputValue,
  ApiSchema,
  ApiType,
} from "../schema/api-schema.ts";
import type { Change, ChangeKind, InputNoun } from "../schema/change.ts";
import { inputSignature, KEYWORDS } from "../schema/members.ts";
import { ROOTS } from "../schema/roots.ts";

/**
 * Compares two canonical schemas: roots first, then types, then directives, each in code-unit order. What came or went
 * as a whole (a root, a type, a directive) is one change without its members.
 *
 * Documents say `query`, so a root type of another name is the same root.
 */
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
  join(before.types, after.types, {
    removed: (type) => {
      if (!reported.has(type.name)) add("type-removed", type.name, KEYWORDS[type.kind], null);
    },
    added: (type) => {
      if (!reported.has(type.name)) add("type-added", type.name, null, KEYWORDS[type.kind]);
    },
    both: (a, b) => compareTypes(a, b, add),
  });
  join(before.directives, after.directives, {
    removed: ({ name }) => add("directive-removed", `@${name}`, "directive", null),
    added: ({ name }) => add("directive-added", `@${name}`, null, "directive"),
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
    compareNames(a.possibleTypes, b.possibleTypes, {
      removed: (name) => add("member-removed", a.name, name, null),
      added: (name) => add("member-added", a.name, null, name),
    });
  } else if ("interfaces" in a && "interfaces" in b) {
    compareNames(a.interfaces, b.interfaces, {
      removed: (name) => add("interface-removed", a.name, name, null),
      added: (name) => add("interface-added", a.name, null, name),
    });
    join(a.fields, b.fields, {
      removed: (field) => add("field-removed", `${a.name}.${field.name}`, field.type, null),
      added: (field) => add("field-added", `${a.name}.${field.name}`, null, field.type),
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
  join(before, after, {
    removed: ({ name }) => add("enum-value-removed", `${type}.${name}`, name, null),
    added: ({ name }) => add("enum-value-added", `${type}.${name}`, null, name),
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
  join(before, after, {
    removed: (input) => add(`${noun}-removed`, coordinateOf(input.name), inputSignature(input), null),
    added: (input) => add(`${noun}-added`, coordinateOf(input.name), null, inputSignature(input)),
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
  compareNames(a.locations, b.locations, {
    removed: (name) => add("directive-location-removed", coordinate, name, null),
    added: (name) => add("directive-location-added", coordinate, null, name),
  });
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
  before: readonly string[],
  after: readonly string[],
  sides: { readonly removed: (name: string) => void; readonly added: (name: string) => void },
): void {
  if (before.length === 0 && after.length === 0) return;
  const [old, now] = [new Set(before), new Set(after)];
  for (const name of before) if (!now.has(name)) sides.removed(name);
  for (const name of after) if (!old.has(name)) sides.added(name);
}

/** Joins two lists in code-unit order of name, which is how canonical schemas have everything. */
function join<T extends { readonly name: string }>(
  before: readonly T[],
  after: readonly T[],
  sides: {
    readonly removed: (one: T) => void;
    readonly added: (one: T) => void;
    readonly both: (a: T, b: T) => void;
  },
): void {
  let left = 0;
  let right = 0;
  while (left < before.length || right < after.length) {
    const a = before[left];
    const b = after[right];
    if (a !== undefined && (b === undefined || a.name < b.name)) {
      sides.removed(a);
      left++;
    } else if (b !== undefined && (a === undefined || b.name < a.name)) {
      sides.added(b);
      right++;
    } else if (a !== undefined && b !== undefined) {
      sides.both(a, b);
      left++;
      right++;
    }
  }
}
