import type { Protocol, StyleName } from "../../dialects/surface.ts";
import type { Verdict } from "../../report/outcome.ts";

/** The entities and enums of a project, or those that a subject selects. */
export type DescribedData = ProtocolData & {
  /** How the subject was understood. The names of entities, fields and enums are case-sensitive. */
  readonly match: "all" | "entity" | "field" | "enum" | "word";
  /** Similar names if nothing was found, at most five. */
  readonly nearest: readonly string[];
};

/** The entities and enums of protocols. */
export type ProtocolData = {
  /** By protocol, then in code-unit order of name. Each has only the selected fields. */
  readonly entities: readonly DescribedEntity[];
  /** With a word: those that have it. Else: those that were selected, and those of the fields above. */
  readonly enums: readonly DescribedEnum[];
};

/** An entity of one protocol. */
export type DescribedEntity = {
  /** The key of its protocol. */
  readonly protocol: Protocol;
  /** Its name, which is the same in both styles. */
  readonly name: string;
  /** Interfaces and aggregations are in the API of subgraphs only. */
  readonly kind: "entity" | "interface" | "aggregation";
  /** The description of its authors; null without one. */
  readonly description: string | null;
  /** The styles that have it. */
  readonly styles: readonly StyleName[];
  /** Whether the subject selected the entity itself, and not only some of its fields. */
  readonly isSelected: boolean;
  /** In code-unit order of name. */
  readonly fields: readonly DescribedField[];
  /** The operations of the project that select it, in code-unit order of name. */
  readonly operations: readonly SelectingOperation[];
};

/** A field of an entity. Its type is by style; null for a style without the field. */
export type DescribedField = { readonly [S in StyleName]: FieldType | null } & {
  /** Its name, which is the same in both styles. */
  readonly name: string;
  /** The description of its authors; null without one. */
  readonly description: string | null;
  /** How the styles compare, as in reports; null if the project has one style, and for interfaces and aggregations. */
  readonly verdict: Verdict | null;
  /** The difference between the styles in words; null without one. */
  readonly difference: string | null;
  /** The entity that it leads to; null if it is not a relation. */
  readonly relation: Relation | null;
  /** The name of its enum; null if it has none. */
  readonly enum: string | null;
  /** Whether it is a time in seconds since 1970, according to the definition of the protocol. */
  readonly isTime: boolean;
  /** The operations of the project that select it, in code-unit order of name. */
  readonly operations: readonly SelectingOperation[];
};

/** The type of a field in the API of one style. */
export type FieldType = {
  /** As in GraphQL: `[Action!]!`. */
  readonly type: string;
  /** Whether it can be null. */
  readonly nullable: boolean;
};

/** The target of a field that is a relation. */
export type Relation = {
  /** The name of the other entity. */
  readonly entity: string;
  /** Whether there are many rows of it. */
  readonly isList: boolean;
  /** The field of the other entity that leads back; null for a stored relation, or if it is unknown. */
  readonly through: string | null;
};

/** An enum of one protocol. */
export type DescribedEnum = { readonly [S in StyleName]: string | null } & {
  /** The key of its protocol. */
  readonly protocol: Protocol;
  /** The name that its authors gave it. The name in the API is by style; null for a style without it. */
  readonly name: string;
  /** The description of its authors; null without one. */
  readonly description: string | null;
  /** In the order of the schema; null if no schema shows them. */
  readonly members: readonly EnumMember[] | null;
};

/** A member of an enum. */
export type EnumMember = {
  /** As in queries and answers. */
  readonly name: string;
  /** The description of its authors; null without one. */
  readonly description: string | null;
};

/** An operation of the project that selects an entity or a field. */
export type SelectingOperation = {
  /** Its name. */
  readonly name: string;
  /** Its file, from the root of the project. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Whether one text is compiled for both styles. */
  readonly isPortable: boolean;
  /** The styles in which it selects the field. */
  readonly styles: readonly StyleName[];
};
