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
