import type {
  ArgumentNode,
  EnumValueNode,
  FieldNode,
  ObjectValueNode,
  ValueNode,
  VariableNode,
} from "graphql";
import type { ApiField, ApiSchema } from "./api-schema.ts";
import type { QueryReader, QueryWriter, ReadTestName, WrittenTest } from "./foreign-query.ts";
import type { IdForms } from "./id-forms.ts";
import type { NodeLocation } from "./make-node.ts";
import type { StyleName } from "./surface.ts";

/** A comparison of a column with a value, independent of the dialect. */
export type Test = Exclude<ReadTestName, "null"> | "like-nocase" | "bytes-like";

/** A filter, independent of the dialect. Its values are already in the form of the target dialect. */
export type Condition = { readonly loc: NodeLocation } & (
  | {
      /** Conditions in one filter object, which are combined with "and". */
      readonly kind: "beside";
      readonly of: readonly Condition[];
    }
  | {
      readonly kind: "and" | "or";
      /** The conditions, or a variable with a list of them. */
      readonly of: readonly Condition[] | VariableNode;
    }
  | { readonly kind: "not"; readonly of: Condition }
  | {
      /** True if any row of a relation matches. */
      readonly kind: "related";
      readonly field: string;
      readonly of: Condition;
    }
  | { readonly kind: "null"; readonly column: Column; readonly isNull: boolean }
  | {
      /** Never true for null, negated or not. */
      readonly kind: "test";
      readonly column: Column;
      readonly test: Test;
      readonly isNegated: boolean;
      readonly value: ValueNode;
    }
  | {
      /** A whole comparison of a column from a variable: with a value, or with null. */
      readonly kind: "compared";
      readonly column: Column;
      readonly value: VariableNode;
    }
  | {
      /** A filter, or a part of one, from a variable. */
      readonly kind: "given";
      readonly value: VariableNode;
    }
);

/** A stored field: a value, or the id of a referenced row. */
export type Column = { readonly name: string; readonly isReference: boolean };

/** A path of references from a row to the field that rows are ordered by, and the direction. */
export type OrderTerm = {
  readonly path: readonly string[];
  readonly direction: ValueNode;
  readonly loc: NodeLocation;
};

/** The style of authored portable operations. */
export const AUTHORED_STYLE: StyleName = "subgraph";

/** A list that a cursor can page: ordered by a column, and filtered by it with a variable. */
export type PagedList = {
  /** The variable of the page size. */
  readonly first: string;
  /** The column that rows are ordered by. */
  readonly column: string;
  readonly direction: "asc" | "desc";
  /** The variable of the cursor, which the column of all rows comes after. */
  readonly after: string;
};

/** Support of a style for portable operations. */
export type PortableStyle = PortableForm & {
  /** Reads a list at the root of an operation; null if a cursor cannot page it. */
  readonly readPagedList: (node: FieldNode) => PagedList | null;
};

/** The form of portable operations in a style: as authored, or rewritten. */
export type PortableForm =
  | { readonly kind: "authored"; readonly grammar: PortableGrammar; readonly queries: QueryWriter }
  | {
      readonly kind: "written";
      readonly createWriter: (schema: ApiSchema) => PortableWriter;
      readonly queries: QueryReader;
    };

/** The grammar of the dialect in which portable operations are written. */
export type PortableGrammar = {
  readonly readRoot: (field: ApiField) => "list" | "lookup" | "other";
  /** Reads the arguments of a list or a lookup. `others` exist only in this dialect. */
  readonly readArguments: (field: FieldNode) => AuthoredArguments;
  /** Returns every reading of a name in a filter: a field of the entity, and an operator. */
  readonly readFilterName: (name: string) => readonly AuthoredTest[];
  /** Returns the connective of a name in a filter; "other" for a filter that only this dialect has; else null. */
  readonly readFilterWord: (name: string) => "and" | "or" | "other" | null;
  /** Returns whether a filter on a field with this name could be read as a filter on another field. */
  readonly isAmbiguous: (field: string) => boolean;
  /** Returns the field that rows are ordered by, and for a reference the field of the referenced entity. */
  readonly readOrder: (name: string) => { readonly field: string; readonly child: string | null };
  /** The types of variables for a filter or an order. */
  readonly typeNames: {
    readonly filter: (entity: string) => string;
    readonly order: (entity: string) => string;
  };
  /** The default and the maximum number of rows of a list, and the maximum number of skipped rows. */
  readonly limits: { readonly rows: number; readonly mostRows: number; readonly mostSkipped: number };
  /** The argument of root fields for a block height, and its variable. */
  readonly height: { readonly argument: string; readonly variable: string; readonly type: string };
  /** The root field that returns the progress of the indexer, and the types below it. */
  readonly progress: { readonly root: string; readonly types: readonly string[] };
};

/** The arguments of a list or a lookup; null for those that are not given. */
export type AuthoredArguments = {
  readonly [Name in
    | "id"
    | "first"
    | "skip"
    | "filter"
    | "order"
    | "direction"
    | "block"
    | "errors"]: ArgumentNode | null;
} & { readonly others: readonly ArgumentNode[] };

/** A field and an operator, read from a name in a filter. */
export type AuthoredTest = { readonly field: string; readonly operator: AuthoredOperator };

/** A parsed operator of the authored dialect. */
export type AuthoredOperator = {
  readonly name: Exclude<WrittenTest["test"], "null">;
  readonly isNegated: boolean;
  readonly ignoresCase: boolean;
};

/** Writes portable operations in another dialect, for one schema. */
export type PortableWriter = {
  /** Returns the root field that lists an entity; null if there is none. */
  readonly listName: (entity: string) => string | null;
  readonly writeList: (list: WrittenList) => readonly ArgumentNode[];
  /** Returns the root field that looks up a row by its id, and whether it needs the chain; null if there is none. */
  readonly lookup: (entity: string) => { readonly name: string; readonly takesChain: boolean } | null;
  readonly writeLookup: (id: ValueNode, chain: ValueNode | null) => readonly ArgumentNode[];
  readonly writeCondition: (condition: Condition) => ObjectValueNode;
  readonly writeOrder: (terms: readonly OrderTerm[], loc: ValueNode["loc"]) => ValueNode;
  readonly writeMember: (member: EnumValueNode) => ValueNode;
  /** Returns the name of the field for a column. */
  readonly columnName: (column: Column) => string;
  /** The text around hexadecimal digits in a pattern that matches at byte boundaries only. */
  readonly bytesPattern: { readonly before: string; readonly after: string };
  /** Returns whether columns of a type have the same answers as an authored type, and the same conditions and orders. */
  readonly fit: (
    authored: AuthoredType,
    type: string,
  ) => { readonly answers: boolean; readonly conditions: boolean };
  /** Returns the name of the comparison with a value, and the comparison with null. */
  readonly comparison: (
    isNegated: boolean,
    loc: NodeLocation,
  ) => { readonly name: string; readonly ofNull: ValueNode };
  /** Returns the forms of values of a column in both styles; null if they are the same. */
  readonly formsOf: (authored: Pick<AuthoredType, "name">, type: string) => IdForms | null;
  /** Returns whether numbers in lists of this type are text, as in some releases. */
  readonly itemsAreText: (type: string) => boolean;
};

/** The type of a column in the authored schema, without nullability. */
export type AuthoredType = {
  readonly name: string;
  readonly isList: boolean;
  readonly isEnum: boolean;
  /** Whether it is the id of a row and contains bytes. */
  readonly isIdWithBytes: boolean;
  /** The pattern of an id that contains its chain, with the chain as its group; absent for other values. */
  readonly chainInId?: string | null;
  /** The forms of the value in both styles, if it is an id or bytes and they differ; else null. */
  readonly forms: IdForms | null;
};

/** The parts of a list to write. */
export type WrittenList = {
  readonly first: ValueNode;
  readonly skip: ValueNode | null;
  readonly filter: ValueNode | null;
  readonly order: ValueNode;
};
