import { indexByName, memoize } from "../base/collections.ts";
import type { DirectiveDefinition, EnumValue, InputValue } from "./entity-model.ts";

/** An API schema in the server's order, as the classic introspection query returns it. */
export type ApiSchema = {
  readonly queryType: string;
  readonly mutationType: string | null;
  readonly subscriptionType: string | null;
  readonly types: readonly ApiType[];
  readonly directives: readonly ApiDirective[];
};

/** Indexes the types of a schema by name, once per object. The first of two types with one name wins. */
export const indexTypes = memoize(({ types }: ApiSchema): ReadonlyMap<string, ApiType> => indexByName(types));

/** The names of the root types. Documents use `query` for any name. */
export type RootNames = Pick<ApiSchema, "queryType" | "mutationType" | "subscriptionType">;

export type ApiType = ApiScalar | ApiObject | ApiInterface | ApiUnion | ApiEnum | ApiInputObject;

type Named = { readonly name: string; readonly description: string | null };

export type ApiScalar = Named & {
  readonly kind: "SCALAR";
  /** The URL of its specification. Only files have it: the classic introspection query does not select it. */
  readonly specifiedBy?: string;
};

export type ApiObject = Named & {
  readonly kind: "OBJECT";
  readonly interfaces: readonly string[];
  readonly fields: readonly ApiField[];
};

export type ApiInterface = Named & {
  readonly kind: "INTERFACE";
  readonly interfaces: readonly string[];
  /** The implementing object types in the server's order, if known. The `interfaces` of those types are authoritative. */
  readonly possibleTypes?: readonly string[];
  readonly fields: readonly ApiField[];
};

export type ApiUnion = Named & {
  readonly kind: "UNION";
  readonly possibleTypes: readonly string[];
};

export type ApiEnum = Named & {
  readonly kind: "ENUM";
  readonly values: readonly ApiEnumValue[];
};

export type ApiInputObject = Named & {
  readonly kind: "INPUT_OBJECT";
  readonly fields: readonly ApiInputValue[];
  /** Set if exactly one member must be sent. Only files have it: the classic introspection query does not select it. */
  readonly oneOf?: true;
};

export type ApiField = Named & {
  readonly args: readonly ApiInputValue[];
  readonly type: string;
  readonly deprecationReason: string | null;
};

export type ApiEnumValue = EnumValue & { readonly deprecationReason: string | null };

export type ApiInputValue = InputValue & {
  /** Set if it is deprecated. Only files have it: the classic introspection query does not select it. */
  readonly deprecationReason?: string;
};

/** A directive. The classic introspection query does not select whether it is repeatable. */
export type ApiDirective = Omit<DirectiveDefinition, "repeatable">;

// GraphQL type expressions such as `"[Stream!]!"` stay text, because they are mostly compared and reported.

/** Returns the named type of a type expression: `"[Stream!]!"` gives `"Stream"`. */
export function baseTypeName(type: string): string {
  // Called for every member of large schemas. Slicing is several times faster than replacing.
  let start = 0;
  let end = type.length;
  while (type[start] === "[") start++;
  while (type[end - 1] === "!" || type[end - 1] === "]") end--;
  return start === 0 && end === type.length ? type : type.slice(start, end);
}

/** Returns whether a type is required: `"Stream!"` and `"[Stream]!"` are, `"[Stream!]"` is not. */
export function isRequired(type: string): boolean {
  return type.endsWith("!");
}

/** Returns whether a type is a list, required or not. */
export function isList(type: string): boolean {
  return type.startsWith("[");
}

/** Returns a type without its outermost `!`. */
export function nullableType(type: string): string {
  return isRequired(type) ? type.slice(0, -1) : type;
}

/** Returns the type of the items of a list: `"[Stream!]!"` gives `"Stream!"`. Throws if the type is not a list. */
export function itemType(type: string): string {
  const inner = nullableType(type);
  if (!isList(inner)) throw new TypeError(`"${type}" is not a list type.`);
  return inner.slice(1, -1);
}

/** The operations that a schema can have root types for. Documents use these words for any name of the root type. */
export const ROOTS = ["query", "mutation", "subscription"] as const;

/** Returns the names of the root types that a schema has. */
export function rootTypeNames(schema: RootNames): string[] {
  return ROOTS.map((root) => schema[`${root}Type`]).filter((name) => name !== null);
}

/** Returns the fields of an object type by its name; none for other types. */
export function fieldsOf(schema: ApiSchema, name: string | null): readonly ApiField[] {
  const type = name === null ? undefined : indexTypes(schema).get(name);
  return type?.kind === "OBJECT" ? type.fields : [];
}

/** Returns the root fields that list rows of a type in pages, and need no argument other than the page size. */
export function listFields(schema: ApiSchema, typeName: string, pageSize: string): ApiField[] {
  return fieldsOf(schema, schema.queryType).filter(
    ({ type, args }) =>
      isList(type) &&
      baseTypeName(type) === typeName &&
      args.some(({ name }) => name === pageSize) &&
      args.every(({ type, defaultValue }) => !isRequired(type) || defaultValue !== null),
  );
}

/** Returns the names of the scalar fields of a type that are not lists and have no arguments. */
export function scalarFields(schema: ApiSchema, typeName: string): ReadonlySet<string> {
  // The standard scalars are not among the types.
  const others = new Set(schema.types.flatMap(({ name, kind }) => (kind === "SCALAR" ? [] : [name])));
  return new Set(
    fieldsOf(schema, typeName).flatMap(({ name, type, args }) =>
      isList(type) || others.has(baseTypeName(type)) || args.length > 0 ? [] : [name],
    ),
  );
}

/** Maps types to the field that refers to them; null if several fields do. */
export function mapReferences(fields: readonly ApiField[]): ReadonlyMap<string, string | null> {
  const references = new Map<string, string | null>();
  for (const { name, type } of fields) {
    const target = baseTypeName(type);
    const other = references.get(target);
    references.set(target, other === undefined || other === name ? name : null);
  }
  return references;
}

/** The scalars of every GraphQL implementation. Some servers list them in introspection, others do not. */
export const STANDARD_SCALARS: ReadonlySet<string> = new Set(["Boolean", "Float", "ID", "Int", "String"]);

/** The directives of every GraphQL implementation. */
export const STANDARD_DIRECTIVES: ReadonlySet<string> = new Set(
  "deprecated include oneOf skip specifiedBy".split(" "),
);

/** The types of introspection itself. They are never part of a snapshot. */
export const META_TYPES: ReadonlyMap<string, "OBJECT" | "ENUM"> = new Map([
  ["__Directive", "OBJECT"],
  ["__DirectiveLocation", "ENUM"],
  ["__EnumValue", "OBJECT"],
  ["__Field", "OBJECT"],
  ["__InputValue", "OBJECT"],
  ["__Schema", "OBJECT"],
  ["__Type", "OBJECT"],
  ["__TypeKind", "ENUM"],
]);

/** Returns whether GraphQL reserves the name of a type. A type with such a name would be dropped with the meta-types. */
export function isReserved(name: string): boolean {
  return name.startsWith("__") && !META_TYPES.has(name);
}

/** The locations of directives in documents, as opposed to those in schemas. */
export const EXECUTABLE_LOCATIONS: ReadonlySet<string> = new Set(
  "QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT VARIABLE_DEFINITION".split(
    " ",
  ),
);

/** All locations of the GraphQL specification. */
export const DIRECTIVE_LOCATIONS: ReadonlySet<string> = new Set([
  ...EXECUTABLE_LOCATIONS,
  ..."SCHEMA SCALAR OBJECT FIELD_DEFINITION ARGUMENT_DEFINITION INTERFACE UNION ENUM ENUM_VALUE".split(" "),
  ..."INPUT_OBJECT INPUT_FIELD_DEFINITION".split(" "),
]);
