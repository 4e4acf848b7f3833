import {
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
} from "graphql";
import { cached } from "../base/collections.ts";
import { capitalize } from "../base/text.ts";
import { fieldDefinition } from "../operations/collect-fields.ts";
import type { Operation, OperationSet } from "../operations/operation-set.ts";
import { always, collectObject } from "./selections.ts";

/** The names of a module's types. They are distinct, and none is a reserved word of TypeScript. */
export type TypeNames = {
  /** The name of an enum or input type of the schema. */
  readonly ofSchemaType: (name: string) => string;
  /** Reserves a name for another type, with underscores appended if it is in use. */
  readonly take: (requested: string) => string;
};

/** Creates the names of a surface. Operations have priority over types of the schema, which keep their names if possible. */
export function createTypeNames(set: OperationSet, schema: GraphQLSchema): TypeNames {
  const taken = new Set([
    ...RESERVED,
    ...set.operations.flatMap((operation) => {
      const result = resultName(operation);
      return [result, `${result}Variables`, `${operation.name}Document`];
    }),
    ...[...set.fragments.keys()].flatMap((name) => [fragmentTypeName(name), `${name}FragmentDoc`]),
  ]);
  // None of the others ends with an underscore, so two types never get the same name.
  const ofSchemaType = (name: string): string =>
    freeName(name, (free) => taken.has(free) || (free !== name && schema.getType(free) !== undefined));
  const takenTypes = new Set<string>();
  const isTaken = (name: string): boolean => {
    const type = schema.getType(name);
    return taken.has(name) || takenTypes.has(name) || isEnumType(type) || isInputObjectType(type);
  };
  return {
    ofSchemaType,
    take: (requested) => {
      const name = freeName(requested, isTaken);
      takenTypes.add(name);
      return name;
    },
  };
}

/** Appends underscores to a name until it is free. */
export function freeName(requested: string, isTaken: (name: string) => boolean): string {
  return isTaken(requested) ? freeName(`${requested}_`, isTaken) : requested;
}

/** Returns the name of the result type of an operation: `query Recent` → `RecentQuery`. */
export function resultName({ name, node }: Operation): string {
  return `${name}${capitalize(node.operation)}`;
}

/** Returns the name of the type of a fragment's selections. */
export function fragmentTypeName(fragment: string): string {
  return `${fragment}Fragment`;
}

/** Names that types cannot have: TypeScript's own types and words, and the names of every module. */
const RESERVED: readonly string[] = `
  any bigint boolean never null number object string symbol undefined unknown void
  abstract asserts async await break case catch class const continue debugger declare default delete do
  else enum export exports extends false finally for from function global if implements import in infer
  instanceof interface intrinsic is keyof let module namespace new of out package private
  protected public readonly require return satisfies static super switch this throw true try
  type typeof unique using var while with yield as
  Array OptionalVariables PropertyKey Record TypedDocumentNode TypedString
`
  .trim()
  .split(/\s+/);

/**
 * Names the rows of every operation, by response key: the objects of its lists or, without a list, all of its objects.
 * A single one is `StreamsBySenderRow`; several also have their key in the name.
 */
export function nameRows(
  { operations, fragments }: OperationSet,
  schema: GraphQLSchema,
  names: TypeNames,
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const keysOf = ({ node }: Operation): readonly string[] => {
    const root = schema.getRootType(node.operation);
    if (!root) return [];
    const collected = collectObject(root, always(node.selectionSet), { schema, fragments });
    const fields = [...collected].flatMap(([key, [use]]) => {
      const name = use?.node.name.value ?? "";
      const type = fieldDefinition(root, name)?.type;
      return type && isCompositeType(getNamedType(type)) ? [{ key, name, type: getNullableType(type) }] : [];
    });
    const lists = fields.filter(({ type }) => isListType(type));
    // Fields that begin with an underscore describe the indexer or the schema.
    const rows = lists.length > 0 ? lists : fields.filter(({ name }) => !name.startsWith("_"));
    return rows.map(({ key }) => key);
  };
  const keys = operations.flatMap((operation) =>
    keysOf(operation).map((key, _, { length }) => ({ name: operation.name, key, isOnly: length === 1 })),
  );
  // Names without a key first, so that the others cannot occupy them.
  keys.sort((a, b) => Number(b.isOnly) - Number(a.isOnly));
  const rows = new Map<string, Map<string, string>>();
  for (const { name, key, isOnly } of keys) {
    const row = names.take(isOnly ? `${name}Row` : `${name}${capitalize(key)}Row`);
    cached(rows, name, () => new Map<string, string>()).set(key, row);
  }
  return rows;
}
