import type { DirectiveDefinition, EnumValue, InputValue } from "./entity-model.ts";

/** An API schema in the server's own order, as far as the classic introspection query can ask of all. */
export type ApiSchema = {
  readonly queryType: string;
  readonly mutationType: string | null;
  readonly subscriptionType: string | null;
  readonly types: readonly ApiType[];
  readonly directives: readonly ApiDirective[];
};

/** The names of the types behind the roots; documents say `query`, whatever the type is called. */
export type RootNames = Pick<ApiSchema, "queryType" | "mutationType" | "subscriptionType">;

export type ApiType = ApiScalar | ApiObject | ApiInterface | ApiUnion | ApiEnum | ApiInputObject;

type Named = { readonly name: string; readonly description: string | null };

export type ApiScalar = Named & {
  readonly kind: "SCALAR";
  /** Where its format is specified. Only files have it: the classic introspection query does not ask. */
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
  /** The object types that implement it, in the server's order where that is known; what counts is what they say. */
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
  /** Set when exactly one member has to be sent. Only files have it: the classic introspection query does not ask. */
  readonly oneOf?: true;
};

export type ApiField = Named & {
  readonly args: readonly ApiInputValue[];
  readonly type: string;
  readonly deprecationReason: string | null;
};

export type ApiEnumValue = EnumValue & { readonly deprecationReason: string | null };

export type ApiInputValue = InputValue & {
  /** Set when it is deprecated. Only files have it: the classic introspection query does not ask. */
  readonly deprecationReason?: string;
};

/** The classic introspection query does not ask whether a directive is repeatable. */
export type ApiDirective = Omit<DirectiveDefinition, "repeatable">;

// GraphQL type expressions such as `"[Stream!]!"` stay text, as people read, compare and report them.

/** The named type inside: `"[Stream!]!"` gives `"Stream"`. */
export function baseTypeName(type: string): string {
  // Asked of every member of large schemas, and cutting is several times faster than replacing.
  let start = 0;
  let end = type.length;
  while (type[start] === "[") start++;
  while (type[end - 1] === "!" || type[end - 1] === "]") end--;
  return start === 0 && end === type.length ? type : type.slice(start, end);
}

/** `"Stream!"` and `"[Stream]!"` are required, `"[Stream!]"` is not. */
export function isRequired(type: string): boolean {
  return type.endsWith("!");
}

/** Whether the type is a list, required or not. */
export function isList(type: string): boolean {
  return type.startsWith("[");
}

/** The type without its outermost `!`. */
export function nullableType(type: string): string {
  return isRequired(type) ? type.slice(0, -1) : type;
}

/** The type of a list's items: `"[Stream!]!"` gives `"Stream!"`. Throws when the type is no list. */
export function itemType(type: string): string {
  const inner = nullableType(type);
  if (!isList(inner)) throw new TypeError(`"${type}" is not a list type.`);
  return inner.slice(1, -1);
}

/** The operations a schema can have a root for. Documents name these, whatever the types behind them are called. */
export const ROOTS = ["query", "mutation", "subscription"] as const;

/** The names of the root types that a schema has. */
export function rootTypeNames(schema: RootNames): string[] {
  return ROOTS.map((root) => schema[`${root}Type`]).filter((name) => name !== null);
}

/** The fields of an object type by its name; none where it is no object type. */
export function fieldsOf({ types }: ApiSchema, name: string | null): readonly ApiField[] {
  const type = types.find((one) => one.name === name);
  return type?.kind === "OBJECT" ? type.fields : [];
}

/** The root fields that list the rows of a type by pages, and can be asked with the size of a page alone. */
export function listFields(schema: ApiSchema, typeName: string, pageSize: string): ApiField[] {
  return fieldsOf(schema, schema.queryType).filter(
    ({ type, args }) =>
      isList(type) &&
      baseTypeName(type) === typeName &&
      args.some(({ name }) => name === pageSize) &&
      args.every(({ type, defaultValue }) => !isRequired(type) || defaultValue !== null),
  );
}

/** The names of the fields of a type that hold one scalar each, and can be asked by their names alone. */
export function scalarFields(schema: ApiSchema, typeName: string): ReadonlySet<string> {
  // The standard scalars are not among the types.
  const others = new Set(schema.types.flatMap(({ name, kind }) => (kind === "SCALAR" ? [] : [name])));
  return new Set(
    fieldsOf(schema, typeName).flatMap(({ name, type, args }) =>
      isList(type) || others.has(baseTypeName(type)) || args.length > 0 ? [] : [name],
    ),
  );
}

/** Scalars every GraphQL implementation has. Whether a server lists them says nothing about its API. */
export const STANDARD_SCALARS: ReadonlySet<string> = new Set(["Boolean", "Float", "ID", "Int", "String"]);

/** Directives every GraphQL implementation has. */
export const STANDARD_DIRECTIVES: ReadonlySet<string> = new Set(
  "deprecated include oneOf skip specifiedBy".split(" "),
);

/** The types that introspection itself is written with. They are never part of a snapshot. */
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

/** Whether GraphQL reserves the name of a type: one that takes it would be dropped with the meta-types. */
export function isReserved(name: string): boolean {
  return name.startsWith("__") && !META_TYPES.has(name);
}

/** The places of a document, as against those of a schema, that a directive can stand at. */
export const EXECUTABLE_LOCATIONS: ReadonlySet<string> = new Set(
  "QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT VARIABLE_DEFINITION".split(
    " ",
  ),
);

/** All that the GraphQL specification has. */
export const DIRECTIVE_LOCATIONS: ReadonlySet<string> = new Set([
  ...EXECUTABLE_LOCATIONS,
  ..."SCHEMA SCALAR OBJECT FIELD_DEFINITION ARGUMENT_DEFINITION INTERFACE UNION ENUM ENUM_VALUE".split(" "),
  ..."INPUT_OBJECT INPUT_FIELD_DEFINITION".split(" "),
]);
