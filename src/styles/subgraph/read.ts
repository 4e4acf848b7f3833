import { cached } from "../../base/cached.ts";
import { compareCodeUnits, sortByName } from "../../base/compare-code-units.ts";
import { findNamed } from "../../base/find-named.ts";
import { baseTypeName, isList } from "../../base/type-expression.ts";
import type { ApiInputValue, ApiSchema } from "../../schema/api-schema.ts";
import type {
  Definition,
  Described,
  DirectiveDefinition,
  EntityField,
  EntityModel,
  IdleType,
  InputValue,
} from "../../schema/entity-model.ts";
import { normalizeDescription } from "../../schema/normalize-description.ts";
import { normalizeValue } from "../../schema/normalize-value.ts";
import { STANDARD_DIRECTIVES } from "../../schema/standard-names.ts";
import { PLATFORM_DIRECTIVE_NAMES } from "./derive/platform-types.ts";
import { type ReadableType, type RecognizedTypes, recognizeTypes } from "./read/recognize-types.ts";

/** Reads what an API of any release shows of its model; any other schema gives a poor model, never an error. */
export function readSubgraph(schema: ApiSchema): EntityModel {
  const recognized = recognizeTypes(schema);
  const references = new Map<ReadableType, ReadonlyMap<string, readonly string[]>>();
  const types: Reading = {
    ...recognized,
    storedReferences: (type, name) =>
      cached(references, type, () => indexStoredReferences(type, recognized)).get(name) ?? [],
  };
  const definitions: Definition[] = [];
  for (const type of types.rowTypes.values()) definitions.push(readRowType(type, types));
  for (const type of types.enums) {
    definitions.push({
      kind: "enum",
      ...named(type, types),
      values: sortByName(type.values.map((value) => named(value, types))),
    });
  }
  for (const type of types.inputs) {
    definitions.push({ kind: "input", ...named(type, types), fields: readInputs(type.fields, types) });
  }
  for (const { name, type } of types.searches) {
    definitions.push({ kind: "fulltext", name, entity: baseTypeName(type) });
  }
  const idle = types.idle.map((type): IdleType => {
    if (type.kind === "SCALAR") return { kind: "scalar", ...named(type, types) };
    const members = [...type.possibleTypes].sort(compareCodeUnits);
    return { kind: "union", ...named(type, types), members };
  });
  return {
    definitions: sortByName(definitions),
    directives: readDirectives(schema, types),
    ...(idle.length > 0 ? { idle: sortByName(idle) } : {}),
  };
}

/** What is read from, with what is asked of a type many times. */
type Reading = RecognizedTypes & {
  /** The stored fields of a type that refer to another by its name: two at most, because the only one is asked for. */
  readonly storedReferences: (type: ReadableType, name: string) => readonly string[];
};

function indexStoredReferences(type: ReadableType, types: RecognizedTypes): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const field of type.fields) {
    const base = baseTypeName(field.type);
    const target = types.rowTypes.get(base);
    if (target === undefined || isDerived(type, field.name, target, types)) continue;
    const others = index.get(base);
    if (others === undefined) index.set(base, [field.name]);
    else if (others.length === 1 && others[0] !== field.name) others.push(field.name);
  }
  return index;
}

function readRowType(type: ReadableType, types: Reading): Definition {
  const fields = readFields(type, types);
  if (types.aggregations.has(type.name)) {
    return { kind: "aggregation", ...named(type, types), fields, intervals: [] };
  }
  if (type.kind === "INTERFACE") return { kind: "interface", ...named(type, types), fields };
  const interfaces = [...type.interfaces].sort(compareCodeUnits);
  return { kind: "entity", ...named(type, types), interfaces, fields };
}

function readFields(owner: ReadableType, types: Reading): EntityField[] {
  const aggregation = types.aggregations.has(owner.name);
  const fields = new Map<string, EntityField>();
  for (const field of owner.fields) {
    if (fields.has(field.name)) continue;
    const target = types.rowTypes.get(baseTypeName(field.type));
    const derived = !aggregation && isDerived(owner, field.name, target, types);
    const { name, description, quoted } = named(field, types);
    const read: EntityField = {
      name,
      description,
      type: field.type,
      args: target && isList(field.type) ? [] : readInputs(field.args, types),
      derived,
      derivedFrom: derived && target ? findDerivedFrom(owner, field.name, target, types) : null,
      aggregate: aggregation && !types.hasFilter(owner.name, field.name),
      precise: false,
    };
    // Spelled out, because to spread what is named takes many times as long, for every field there is.
    fields.set(name, quoted ? { ...read, quoted } : read);
  }
  return sortByName([...fields.values()]);
}

/** A stored reference is filtered by id; `f` and `f_not` are asked for, since either may be another's operator. */
function isDerived(
  owner: ReadableType,
  field: string,
  target: ReadableType | undefined,
  types: RecognizedTypes,
): boolean {
  if (target === undefined) return false;
  return !(types.hasFilter(owner.name, field) && types.hasFilter(owner.name, `${field}_not`));
}

/** The only stored field of the target that leads back to the owner or its interface; null for none or several. */
function findDerivedFrom(
  owner: ReadableType,
  field: string,
  target: ReadableType,
  types: Reading,
): string | null {
  const names = new Set([owner.name]);
  for (const name of owner.interfaces) {
    const parent = types.rowTypes.get(name);
    if (parent !== undefined && findNamed(parent.fields, field) !== undefined) names.add(name);
  }
  const candidates = new Set([...names].flatMap((name) => types.storedReferences(target, name)));
  const [only] = candidates;
  return candidates.size === 1 && only !== undefined ? only : null;
}

function readInputs(inputs: readonly ApiInputValue[], types: RecognizedTypes): InputValue[] {
  return sortByName(
    inputs.map((input) => ({
      ...named(input, types),
      type: input.type,
      defaultValue: input.defaultValue === null ? null : normalizeValue(input.defaultValue),
    })),
  );
}

function readDirectives(schema: ApiSchema, types: RecognizedTypes): DirectiveDefinition[] {
  return sortByName(
    schema.directives
      .filter(({ name }) => !PLATFORM_DIRECTIVE_NAMES.has(name) && !STANDARD_DIRECTIVES.has(name))
      .map((directive) => ({
        ...named(directive, types),
        locations: [...directive.locations].sort(compareCodeUnits),
        args: readInputs(directive.args, types),
        // Introspection does not say.
        repeatable: false,
      })),
  );
}

function named(
  { name, description }: { readonly name: string; readonly description: string | null },
  { lineFeeds }: RecognizedTypes,
): Described {
  const base = { name, description: normalizeDescription(description) };
  const quoted = lineFeeds && base.description !== null && !description?.endsWith("\n");
  return quoted ? { ...base, quoted } : base;
}
