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
import {
  type Change,
  type ChangeKind,
  type InputNoun,
  inputSignature,
  KEYWORDS,
} from "../dialects/members.ts";

/** Compares canonical schemas. A type that was added or removed is one change, without its members. */
export function compareSchemas(before: ApiSchema, after: ApiSchema): Change[] {
  const changes: Change[] = [];
  const add: AddChange = (kind, coordinate, { before: was, after: is }) =>
    changes.push({ kind, coordinate, before: was, after: is });
  // Names of types that the change of a root already reports.
  const reported = new Set<string>();
  for (const role of ROOTS) {
    const [from, to] = [before[`${role}Type`], after[`${role}Type`]];
    if (from === to) continue;
    const kind = from === null ? "root-added" : to === null ? "root-removed" : "root-renamed";
    add(kind, role, { before: from, after: to });
    const was = findType(before, from);
    const is = findType(after, to);
    // A type that is also used elsewhere is compared like any other.
    if ((was && findType(after, from)) || (is && findType(before, to))) continue;
    for (const type of [was, is]) if (type) reported.add(type.name);
    if (was && is) compareTypes(was, is, add);
  }
  const isOther = ({ name }: ApiType) => !reported.has(name);
  const types = { before: before.types.filter(isOther), after: after.types.filter(isOther) };
  join("type", types, {
    add,
    coordinateOf: (name) => name,
    show: ({ kind }) => KEYWORDS[kind],
    both: (a, b) => compareTypes(a, b, add),
  });
  join(
    "directive",
    { before: before.directives, after: after.directives },
    {
      add,
      coordinateOf: (name) => `@${name}`,
      show: () => "directive",
      both: (a, b) => compareDirectives(a, b, add),
    },
  );
  return changes;
}

type Sides<T> = { readonly before: T; readonly after: T };

type AddChange = (kind: ChangeKind, coordinate: string, shown: Sides<string | null>) => void;

function findType(schema: ApiSchema, name: string | null): ApiType | undefined {
  return name === null ? undefined : indexTypes(schema).get(name);
}

function compareTypes(a: ApiType, b: ApiType, add: AddChange): void {
  compareDescriptions(a.name, { before: a, after: b }, add);
  if (a.kind !== b.kind) {
    add("type-kind-changed", a.name, { before: KEYWORDS[a.kind], after: KEYWORDS[b.kind] });
  }
  if (a.kind === "ENUM" && b.kind === "ENUM") {
    compareEnumValues(a.name, { before: a.values, after: b.values }, add);
  } else if (a.kind === "INPUT_OBJECT" && b.kind === "INPUT_OBJECT") {
    if (!a.oneOf && b.oneOf) add("input-one-of-added", a.name, { before: null, after: "oneOf" });
    if (a.oneOf && !b.oneOf) add("input-one-of-removed", a.name, { before: "oneOf", after: null });
    compareInputs(
      "input-field",
      { before: a.fields, after: b.fields },
      {
        add,
        coordinateOf: (name) => `${a.name}.${name}`,
      },
    );
  } else if (a.kind === "SCALAR" && b.kind === "SCALAR") {
    // If one side was not introspected for it, no change is known.
    if (a.specifiedBy !== undefined && b.specifiedBy !== undefined && a.specifiedBy !== b.specifiedBy) {
      add("scalar-specification-changed", a.name, { before: a.specifiedBy, after: b.specifiedBy });
    }
  } else if (a.kind === "UNION" && b.kind === "UNION") {
    compareNames("member", { before: a.possibleTypes, after: b.possibleTypes }, { add, coordinate: a.name });
  } else if ("interfaces" in a && "interfaces" in b) {
    compareNames("interface", { before: a.interfaces, after: b.interfaces }, { add, coordinate: a.name });
    join(
      "field",
      { before: a.fields, after: b.fields },
      {
        add,
        coordinateOf: (name) => `${a.name}.${name}`,
        show: ({ type }) => type,
        both: (field, other) => {
          // Most fields are unchanged, so their coordinates are not built.
          if (!sameFields(field, other)) {
            compareFields(`${a.name}.${field.name}`, { before: field, after: other }, add);
          }
        },
      },
    );
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

function compareFields(coordinate: string, fields: Sides<ApiField>, add: AddChange): void {
  const { before: a, after: b } = fields;
  compareDescriptions(coordinate, fields, add);
  if (a.type !== b.type) add("field-type-changed", coordinate, { before: a.type, after: b.type });
  if (a.deprecationReason !== b.deprecationReason) {
    const reasons = { before: a.deprecationReason, after: b.deprecationReason };
    add("field-deprecation-changed", coordinate, reasons);
  }
  if (a.args.length > 0 || b.args.length > 0) {
    compareInputs(
      "argument",
      { before: a.args, after: b.args },
      {
        add,
        coordinateOf: (name) => `${coordinate}(${name}:)`,
      },
    );
  }
}

function compareEnumValues(type: string, values: Sides<readonly ApiEnumValue[]>, add: AddChange): void {
  join("enum-value", values, {
    add,
    coordinateOf: (name) => `${type}.${name}`,
    show: ({ name }) => name,
    both: (a, b) => {
      if (a.description === b.description && a.deprecationReason === b.deprecationReason) return;
      const coordinate = `${type}.${a.name}`;
      compareDescriptions(coordinate, { before: a, after: b }, add);
      if (a.deprecationReason !== b.deprecationReason) {
        const reasons = { before: a.deprecationReason, after: b.deprecationReason };
        add("enum-value-deprecation-changed", coordinate, reasons);
      }
    },
  });
}

function compareInputs(
  noun: InputNoun,
  inputs: Sides<readonly ApiInputValue[]>,
  { add, coordinateOf }: { readonly add: AddChange; readonly coordinateOf: (name: string) => string },
): void {
  join(noun, inputs, {
    add,
    coordinateOf,
    show: inputSignature,
    both: (a, b) => {
      if (sameInputs(a, b)) return;
      const coordinate = coordinateOf(a.name);
      compareDescriptions(coordinate, { before: a, after: b }, add);
      // A new default must not hide a looser type. An input that became required because its default was removed has a
      // different type for clients.
      const required = b.type.endsWith("!") && b.defaultValue === null;
      if (a.type !== b.type || (required && a.defaultValue !== null)) {
        add(`${noun}-type-changed`, coordinate, { before: inputSignature(a), after: inputSignature(b) });
      }
      if (a.defaultValue !== b.defaultValue) {
        add(`${noun}-default-changed`, coordinate, { before: a.defaultValue, after: b.defaultValue });
      }
    },
  });
}

function compareDirectives(a: ApiDirective, b: ApiDirective, add: AddChange): void {
  const coordinate = `@${a.name}`;
  compareDescriptions(coordinate, { before: a, after: b }, add);
  compareNames("directive-location", { before: a.locations, after: b.locations }, { add, coordinate });
  compareInputs(
    "directive-argument",
    { before: a.args, after: b.args },
    {
      add,
      coordinateOf: (name) => `${coordinate}(${name}:)`,
    },
  );
}

type Described = { readonly description: string | null };

function compareDescriptions(coordinate: string, described: Sides<Described>, add: AddChange): void {
  if (described.before.description === described.after.description) return;
  // Platforms differ in trailing white space, and authors in how they wrap lines.
  const before = described.before.description?.trimEnd() || null;
  const after = described.after.description?.trimEnd() || null;
  if (unwrap(before) !== unwrap(after)) add("description-changed", coordinate, { before, after });
}

/** Returns a text without the line breaks within its paragraphs. */
function unwrap(text: string | null): string | null {
  if (text === null) return null;
  const paragraphs = text.split(/\n\s*\n/);
  return paragraphs.map((paragraph) => paragraph.replaceAll(/\s+/g, " ").trim()).join("\n\n");
}

function compareNames(
  noun: "member" | "interface" | "directive-location",
  { before, after }: Sides<readonly string[]>,
  { add, coordinate }: { readonly add: AddChange; readonly coordinate: string },
): void {
  if (before.length === 0 && after.length === 0) return;
  const [old, now] = [new Set(before), new Set(after)];
  for (const name of old) {
    if (!now.has(name)) add(`${noun}-removed`, coordinate, { before: name, after: null });
  }
  for (const name of now) {
    if (!old.has(name)) add(`${noun}-added`, coordinate, { before: null, after: name });
  }
}

/** Joins two lists that are in code-unit order of name, as all lists of canonical schemas are. */
function join<T extends { readonly name: string }>(
  noun: "type" | "directive" | "field" | "enum-value" | InputNoun,
  { before, after }: Sides<readonly T[]>,
  {
    add,
    coordinateOf,
    show,
    both,
  }: {
    readonly add: AddChange;
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
      add(`${noun}-removed`, coordinateOf(a.name), { before: show(a), after: null });
      left++;
    } else if (b !== undefined && (a === undefined || b.name < a.name)) {
      add(`${noun}-added`, coordinateOf(b.name), { before: null, after: show(b) });
      right++;
    } else if (a !== undefined && b !== undefined) {
      both(a, b);
      left++;
      right++;
    }
  }
}
