import { compareCodeUnits, findNamed, memoize, sortByName } from "../../base/collections.ts";
import {
  type ApiEnum,
  type ApiField,
  type ApiInputObject,
  type ApiInputValue,
  type ApiInterface,
  type ApiObject,
  type ApiScalar,
  type ApiSchema,
  type ApiType,
  type ApiUnion,
  baseTypeName,
  indexTypes,
  isList,
  mapReferences,
  rootTypeNames,
  STANDARD_DIRECTIVES,
} from "../api-schema.ts";
import { normalizeDescription, normalizeValue } from "../canonicalize.ts";
import type {
  Definition,
  Described,
  DirectiveDefinition,
  EntityField,
  EntityModel,
  IdleType,
  InputValue,
} from "../entity-model.ts";
import { dedent } from "../values.ts";
import { LOG_TYPE_NAMES, PLATFORM_DIRECTIVE_NAMES, PLATFORM_TYPE_NAMES } from "./platform-types.ts";

/** Reads the model that an API of any release shows. For a schema of another platform it returns an incomplete model. */
export function readSubgraph(schema: ApiSchema): EntityModel {
  const recognized = recognizeTypes(schema);
  const storedReferences = memoize((type: ReadableType) =>
    mapReferences(
      type.fields.filter(
        ({ name, type: fieldType }) =>
          recognized.rowTypes.has(baseTypeName(fieldType)) && !isDerived(type, name, recognized),
      ),
    ),
  );
  const types: Reading = { ...recognized, storedReferences };
  const definitions: Definition[] = [];
  for (const type of types.rowTypes.values()) definitions.push(readRowType(type, types));
  for (const type of types.enums) {
    definitions.push({
      kind: "enum",
      ...named(type),
      values: sortByName(type.values.map(named)),
    });
  }
  for (const type of types.inputs) {
    definitions.push({ kind: "input", ...named(type), fields: readInputs(type.fields) });
  }
  for (const { name, type } of types.searches) {
    definitions.push({ kind: "fulltext", name, entity: baseTypeName(type) });
  }
  const idle = types.idle.map((type): IdleType => {
    if (type.kind === "SCALAR") return { kind: "scalar", ...named(type) };
    const members = [...type.possibleTypes].sort(compareCodeUnits);
    return { kind: "union", ...named(type), members };
  });
  return {
    definitions: sortByName(definitions),
    directives: readDirectives(schema),
    ...(idle.length > 0 ? { idle: sortByName(idle) } : {}),
  };
}

/** The recognized types, and the stored fields of a type by the types that they refer to. */
type Reading = RecognizedTypes & {
  readonly storedReferences: (type: ReadableType) => ReadonlyMap<string, string | null>;
};

function readRowType(type: ReadableType, types: Reading): Definition {
  const fields = readFields(type, types);
  if (types.aggregations.has(type.name)) {
    return { kind: "aggregation", ...named(type), fields, intervals: [] };
  }
  if (type.kind === "INTERFACE") return { kind: "interface", ...named(type), fields };
  const interfaces = [...type.interfaces].sort(compareCodeUnits);
  return { kind: "entity", ...named(type), interfaces, fields };
}

function readFields(owner: ReadableType, types: Reading): EntityField[] {
  const aggregation = types.aggregations.has(owner.name);
  const fields = new Map<string, EntityField>();
  for (const field of owner.fields) {
    if (fields.has(field.name)) continue;
    const target = types.rowTypes.get(baseTypeName(field.type));
    const derived = !aggregation && target !== undefined && isDerived(owner, field.name, types);
    // Built without spread, because spread is many times slower and this runs for every field.
    fields.set(field.name, {
      name: field.name,
      description: normalizeDescription(field.description),
      type: field.type,
      args: target && isList(field.type) ? [] : readInputs(field.args),
      derived,
      derivedFrom: derived && target ? findDerivedFrom(owner, field.name, target, types) : null,
      aggregate: aggregation && !types.hasFilter(owner.name, field.name),
      precise: false,
    });
  }
  return sortByName([...fields.values()]);
}

/** Returns whether a reference is derived. Stored ones have the filters `f` and `f_not`; one alone may belong to another field. */
function isDerived(owner: ReadableType, field: string, types: RecognizedTypes): boolean {
  return !(types.hasFilter(owner.name, field) && types.hasFilter(owner.name, `${field}_not`));
}

/** Returns the only stored field of the target that refers to the owner or its interface; null if there are none or several. */
function findDerivedFrom(
  owner: ReadableType,
  field: string,
  target: ReadableType,
  types: Reading,
): string | null {
  const parents = owner.interfaces.filter((name) => findNamed(types.rowTypes.get(name)?.fields ?? [], field));
  const references = types.storedReferences(target);
  const fields = [owner.name, ...parents]
    .map((name) => references.get(name))
    .filter((field) => field !== undefined);
  const [only = null, ...others] = new Set(fields);
  return others.length > 0 ? null : only;
}

function readInputs(inputs: readonly ApiInputValue[]): InputValue[] {
  return sortByName(
    inputs.map(({ name, description, type, defaultValue }) => ({
      name,
      description: normalizeDescription(description),
      type,
      defaultValue: defaultValue === null ? null : normalizeValue(defaultValue),
    })),
  );
}

function readDirectives(schema: ApiSchema): DirectiveDefinition[] {
  return sortByName(
    schema.directives
      .filter(({ name }) => !PLATFORM_DIRECTIVE_NAMES.has(name) && !STANDARD_DIRECTIVES.has(name))
      .map((directive) => ({
        ...named(directive),
        locations: [...directive.locations].sort(compareCodeUnits),
        args: readInputs(directive.args),
        // Introspection does not show it.
        repeatable: false,
      })),
  );
}

function named({ name, description }: Described): Described {
  return { name, description: normalizeDescription(description) };
}

/** An object or an interface with fields to read. */
export type ReadableType = ApiObject | ApiInterface;

/** The types of an API schema by their roles, which are recognized by names and references. */
export type RecognizedTypes = {
  readonly rowTypes: ReadonlyMap<string, ReadableType>;
  readonly aggregations: ReadonlySet<string>;
  readonly enums: readonly ApiEnum[];
  readonly inputs: readonly ApiInputObject[];
  /** Scalars and unions of the authors, which releases before 0.35 show. */
  readonly idle: readonly (ApiScalar | ApiUnion)[];
  readonly searches: readonly ApiField[];
  /** Returns whether rows of `type` have the filter `name`, such as `asset_not`. */
  readonly hasFilter: (type: string, name: string) => boolean;
};

/** Finds the authors' types: entities have a filter and an order, aggregations are listed by interval. */
export function recognizeTypes(schema: ApiSchema): RecognizedTypes {
  const types = indexTypes(schema);
  const query = types.get(schema.queryType);
  const rootFields = query?.kind === "OBJECT" ? query.fields : [];
  const made = new Set([...PLATFORM_TYPE_NAMES, ...rootTypeNames(schema)]);
  // Before 0.44 an author could call an enum `LogLevel`.
  if (!rootFields.some((field) => field.name === "_logs")) {
    for (const name of LOG_TYPE_NAMES) made.delete(name);
  }

  const byInterval = listedByInterval(types.values());
  const aggregations = new Set<string>();
  const rowTypes = new Map<string, ReadableType>();
  for (const type of types.values()) {
    if (!hasFields(type) || made.has(type.name) || !filterOf(type.name)) continue;
    const aggregation = type.kind === "OBJECT" && byInterval.has(type.name);
    if (aggregation) aggregations.add(type.name);
    if (aggregation || types.get(`${type.name}_orderBy`)?.kind === "ENUM") rowTypes.set(type.name, type);
  }
  for (const name of rowTypes.keys()) {
    made.add(`${name}_filter`);
    made.add(`${name}_orderBy`);
  }

  function filterOf(name: string): ApiInputObject | undefined {
    const filter = types.get(`${name}_filter`);
    return filter?.kind === "INPUT_OBJECT" ? filter : undefined;
  }

  const authored = [...types.values()].filter(({ name }) => !made.has(name) && !name.startsWith("__"));
  return {
    rowTypes,
    aggregations,
    enums: authored.filter((type) => type.kind === "ENUM"),
    inputs: authored.filter((type) => type.kind === "INPUT_OBJECT"),
    idle: authored.filter((type) => type.kind === "SCALAR" || type.kind === "UNION"),
    searches: rootFields.filter(
      (field) => rowTypes.has(baseTypeName(field.type)) && field.args.some((arg) => arg.name === "text"),
    ),
    hasFilter: (type, name) => findNamed(filterOf(type)?.fields ?? [], name) !== undefined,
  };
}

function hasFields(type: ApiType): type is ReadableType {
  return type.kind === "OBJECT" || type.kind === "INTERFACE";
}

function listedByInterval(types: Iterable<ApiType>): Set<string> {
  const names = new Set<string>();
  for (const type of types) {
    if (!hasFields(type)) continue;
    for (const field of type.fields) {
      if (field.args.some((arg) => baseTypeName(arg.type) === "Aggregation_interval")) {
        names.add(baseTypeName(field.type));
      }
    }
  }
  return names;
}

/** Reads a block string like graph-node, which does not trim blank lines shorter than the common indentation. */
export function readBlockString(body: string): string {
  const cut = (line: string, indent: number) => (line.length < indent ? line : line.slice(indent));
  return dedent(body.split(/\r?\n/), /\S/, cut).replaceAll('\\"""', '"""');
}
