import type {
  ArgumentNode,
  EnumValueNode,
  FieldNode,
  ObjectValueNode,
  ValueNode,
  VariableNode,
} from "graphql";
import type { ApiField, ApiSchema } from "./api-schema.ts";
import type { IdForms } from "./id-forms.ts";
import type { Origin } from "./make-node.ts";
import type { StyleName } from "./surface.ts";

/** What a column is held against a value with, in words that are no dialect's. */
export type Test =
  | "equal"
  | "greater"
  | "greater-or-equal"
  | "less"
  | "less-or-equal"
  | "in"
  | "like"
  | "like-nocase"
  | "bytes-like"
  | "has-all";

/** What rows have to be, in words that are no dialect's; its values are written for the dialect already. */
export type Condition = { readonly loc: Origin } & (
  | {
      /** Conditions that stand beside each other: all of them hold. */
      readonly kind: "beside";
      readonly of: readonly Condition[];
    }
  | {
      readonly kind: "and" | "or";
      /** Or the variable that holds the list. */
      readonly of: readonly Condition[] | VariableNode;
    }
  | { readonly kind: "not"; readonly of: Condition }
  | {
      /** Some row that a relation leads to is so. */
      readonly kind: "related";
      readonly field: string;
      readonly of: Condition;
    }
  | { readonly kind: "null"; readonly column: Column; readonly isNull: boolean }
  | {
      /** Of a null it is never true, whether it is negated or not. */
      readonly kind: "test";
      readonly column: Column;
      readonly test: Test;
      readonly isNegated: boolean;
      readonly value: ValueNode;
    }
  | {
      /** A whole filter, or a part of one, that is given when the operation is run. */
      readonly kind: "given";
      readonly value: VariableNode;
    }
);

/** A field that is stored with a row: a value, or the id of the row it refers to. */
export type Column = { readonly name: string; readonly isReference: boolean };

/** A path of references from a row to what rows are ordered by, and the direction. */
export type OrderTerm = {
  readonly path: readonly string[];
  readonly direction: ValueNode;
  readonly loc: Origin;
};

/** The style whose GraphQL they are written in. */
export const AUTHORED_STYLE: StyleName = "subgraph";

/** A list of which every row comes after the one before it, by a column and a variable. */
export type PagedList = {
  /** The variable of the most rows. */
  readonly first: string;
  /** What rows are ordered by. */
  readonly column: string;
  readonly direction: "asc" | "desc";
  /** The variable that the column of all rows comes after. */
  readonly after: string;
};

/** What a style needs to have operations that are written once for all styles. */
export type PortableStyle = PortableForm & {
  /** Reads a list at the root of an operation; null if a cursor cannot page it. */
  readonly readPagedList: (node: FieldNode) => PagedList | null;
};

/** What a portable operation is in a style: the author's own text, or what is written of it. */
export type PortableForm =
  | { readonly kind: "authored"; readonly grammar: PortableGrammar }
  | { readonly kind: "written"; readonly createWriter: (schema: ApiSchema) => PortableWriter };

/** The words of the dialect that portable operations are written in. */
export type PortableGrammar = {
  readonly readRoot: (field: ApiField) => "list" | "lookup" | "other";
  /** The arguments of a list or a lookup by what they mean; `others` are those without a meaning elsewhere. */
  readonly readArguments: (field: FieldNode) => AuthoredArguments;
  /** Everything that a name in a filter can mean: a field of the entity, and what is asked of it. */
  readonly readFilterName: (name: string) => readonly AuthoredTest[];
  /** Whether a name in a filter joins conditions, or asks for what only this dialect knows. */
  readonly readFilterWord: (name: string) => "and" | "or" | "other" | null;
  /** Whether filters on a field of this name are read as filters on another. */
  readonly isAmbiguous: (field: string) => boolean;
  /** The field that rows are ordered by, and for a reference the field of its entity. */
  readonly readOrder: (name: string) => { readonly field: string; readonly child: string | null };
  /** The types of variables that hold a filter, an order or a direction. */
  readonly typeNames: {
    readonly filter: (entity: string) => string;
    readonly order: (entity: string) => string;
  };
  /** Rows a list has where nobody says how many, and the most it can have and can pass over. */
  readonly limits: { readonly rows: number; readonly mostRows: number; readonly mostSkipped: number };
  /** What every root field takes to be asked at one height, and the type of the variable. */
  readonly height: { readonly argument: string; readonly variable: string; readonly type: string };
};

/** The arguments of a list or a lookup; null where one is not given. */
export type AuthoredArguments = {
  readonly [Name in "id" | "first" | "skip" | "filter" | "order" | "direction"]: ArgumentNode | null;
} & { readonly others: readonly ArgumentNode[] };

/** What a name in a filter asks of a field. */
export type AuthoredTest = { readonly field: string; readonly operator: AuthoredOperator };

/** An operator of the authors' dialect, taken apart. */
export type AuthoredOperator = {
  readonly name:
    | "equal"
    | "greater"
    | "greater-or-equal"
    | "less"
    | "less-or-equal"
    | "in"
    | "contains"
    | "starts-with"
    | "ends-with"
    | "related";
  readonly isNegated: boolean;
  readonly ignoresCase: boolean;
};

/** Writes what portable operations ask in another dialect, for one schema of it. */
export type PortableWriter = {
  /** The name of the root field that lists an entity; null where there is none. */
  readonly listName: (entity: string) => string | null;
  readonly writeList: (list: WrittenList) => readonly ArgumentNode[];
  /** The root field that looks up a row by its id, and whether it takes the chain too; null where there is none. */
  readonly lookup: (entity: string) => { readonly name: string; readonly takesChain: boolean } | null;
  readonly writeLookup: (id: ValueNode, chain: ValueNode | null) => readonly ArgumentNode[];
  readonly writeCondition: (condition: Condition) => ObjectValueNode;
  readonly writeOrder: (terms: readonly OrderTerm[], loc: ValueNode["loc"]) => ValueNode;
  readonly writeMember: (member: EnumValueNode) => ValueNode;
  /** The name of the field that holds a column. */
  readonly columnName: (column: Column) => string;
  /** What stands around the digits of bytes in a pattern that finds them on whole bytes only. */
  readonly bytesPattern: { readonly before: string; readonly after: string };
  /** How a type stands to an authored one: its answers are the same, or conditions on it mean the same at least. */
  readonly fit: (authored: AuthoredType, type: string) => "answers" | "conditions" | "neither";
  /** How the styles write values of a column, if they write them differently; null if not. */
  readonly formsOf: (authored: Pick<AuthoredType, "name">, type: string) => IdForms | null;
  /** The type of a value as it stands in lists of numbers: their items are text in some releases. */
  readonly itemsAreText: (type: string) => boolean;
};

/** What a column is by the authors' schema, without whether it may be null. */
export type AuthoredType = {
  readonly name: string;
  readonly isList: boolean;
  readonly isEnum: boolean;
  /** Whether it is the id of a row, with bytes among its parts. */
  readonly isIdWithBytes: boolean;
  /** The pattern of the id of a row that contains its chain, which is the group; absent for other values. */
  readonly chainInId?: string | null;
  /** How the styles write it, if it is the id of a row, or bytes, and they write it differently. */
  readonly forms: IdForms | null;
};

/** A list as it is to be written. */
export type WrittenList = {
  readonly first: ValueNode;
  readonly skip: ValueNode | null;
  readonly filter: ValueNode | null;
  readonly order: ValueNode;
};
