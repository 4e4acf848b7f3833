import type { FragmentDefinitionNode, GraphQLSchema, OperationDefinitionNode } from "graphql";
import type { Surface, SurfaceId } from "../dialects/surface.ts";
import type { EntityFacts, Facts } from "../operations/portable/read-entities.ts";
import { findVariables } from "../operations/variable-types.ts";

/** An operation and the fragments it uses. */
export type Definitions = {
  readonly node: OperationDefinitionNode;
  readonly fragments: readonly FragmentDefinitionNode[];
};

/** Returns the names of the variables that an operation uses, with those of its fragments. */
export function usedVariables({ node, fragments }: Definitions): ReadonlySet<string> {
  return new Set([node, ...fragments].flatMap(findVariables));
}

/** Returns the entity that a reference or a list of an entity leads to; undefined for other fields. */
export function targetOf(
  entity: EntityFacts | undefined,
  field: string,
  facts: Facts,
): EntityFacts | undefined {
  const fieldFacts = entity?.fields.get(field);
  if (fieldFacts === undefined || fieldFacts.kind === "column") return undefined;
  return facts.entity(fieldFacts.target);
}

/** A surface that an operation may be for, with the schema of its snapshot. */
export type SurfaceSchema = { readonly surface: Surface; readonly schema: GraphQLSchema };

/** A statement about an operation. */
export type Reason = {
  /** A stable word for programs: `port/filter`, or the code of a finding. */
  readonly code: string;
  /** A sentence. */
  readonly message: string;
};

/** Returns each reason once. */
export function uniqueReasons(reasons: readonly Reason[]): Reason[] {
  return [...new Map(reasons.map((reason) => [`${reason.code} ${reason.message}`, reason])).values()];
}

/** A part of an operation in which the two copies of a project differ. */
export type Difference = {
  /** The response key, and the argument: `streams.where`. */
  readonly path: string;
  /** The part in the multichain document; empty if it is missing. */
  readonly multichain: string;
  /** The part in the subgraph document; empty if it is missing. */
  readonly subgraph: string;
};

/** A place of an operation in the project. */
export type Origin = {
  /** A path from the project's root. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The surface that it was written for, or the nearest one; null if none is near. */
  readonly surface: SurfaceId | null;
};

/** The result of porting an operation. The form of `lockflow port --json`. */
export type PortedOperation = {
  /** Its name in the project; of a refused one, its own or that of its constant or file. */
  readonly name: string;
  /** Sorted by file and line. */
  readonly from: readonly Origin[];
  /** Whether it is portable, kept for one style, or not written. */
  readonly result: "portable" | "style" | "refused";
  /** The file of the operation, a path from the project's root; null if it is refused. */
  readonly to: string | null;
  /** The variables that were values in code, with the code of each. */
  readonly holes: readonly { readonly variable: string; readonly code: string }[];
  /** The import of its generated code and its call, for the code that it was found in; empty for a file of operations. */
  readonly usage: readonly string[];
  /** Why it is not portable or refused, and notes on the translation. */
  readonly reasons: readonly Reason[];
  /** How its copies of both dialects differ; empty if they do not. */
  readonly differences: readonly Difference[];
  /** The number of sets of variables with which it was queried, and how often both answers were equal; null without a proof. */
  readonly proof: { readonly sets: number; readonly same: number } | null;
};

/** A query that `port` has nothing to do for, such as one of another API. */
export type OtherQuery = {
  /** A path from the project's root. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Its own, or that of its constant, its function or its file. */
  readonly name: string;
  /** Why it is not ported. */
  readonly code: "port/built" | "port/health" | "port/near" | "port/other-api";
  /** A sentence. */
  readonly message: string;
};
