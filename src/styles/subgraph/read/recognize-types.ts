import { findNamed, indexByName } from "../../../base/find-named.ts";
import { baseTypeName } from "../../../base/type-expression.ts";
import type {
  ApiEnum,
  ApiField,
  ApiInputObject,
  ApiInterface,
  ApiObject,
  ApiScalar,
  ApiSchema,
  ApiType,
  ApiUnion,
} from "../../../schema/api-schema.ts";
import { rootTypeNames } from "../../../schema/roots.ts";
import { LOG_TYPE_NAMES, PLATFORM_TYPE_NAMES } from "../derive/platform-types.ts";

/** An object or an interface with fields to read. */
export type ReadableType = ApiObject | ApiInterface;

/** What the types of an API schema are, recognized by their names and references. */
export type RecognizedTypes = {
  readonly rowTypes: ReadonlyMap<string, ReadableType>;
  readonly aggregations: ReadonlySet<string>;
  readonly enums: readonly ApiEnum[];
  readonly inputs: readonly ApiInputObject[];
  /** Scalars and unions of the authors, which releases before 0.35 show (D.1). */
  readonly idle: readonly (ApiScalar | ApiUnion)[];
  readonly searches: readonly ApiField[];
  /** Whether a final line feed marks the descriptions that were block strings, as before 0.40.2 (D.1). */
  readonly lineFeeds: boolean;
  /** Whether rows of `type` can be filtered by `name`, e.g. `asset_not`. */
  readonly hasFilter: (type: string, name: string) => boolean;
};

/** Finds the authors' types: entities have a filter and an order, aggregations are listed by interval. */
export function recognizeTypes(schema: ApiSchema): RecognizedTypes {
  const types = indexByName(schema.types);
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
    lineFeeds: types.get("Int")?.description?.endsWith("\n") ?? false,
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
