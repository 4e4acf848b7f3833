import type { ASTNode, VariableDefinitionNode } from "graphql";
import type { ResolvedProtocol } from "../../project/protocols/resolve-protocols.ts";
import type { Finding } from "../../report/finding.ts";
import { placeOf } from "../../schema/place-of.ts";
import type { Pitfalls } from "../../styles/style.ts";
import type { Fragment, Operation } from "../operation-set.ts";

/** What decides where operations go wrong: the dialect, and what is known of the protocol's rows. */
export type Dialect = {
  readonly pitfalls: Pitfalls;
  readonly protocol: Pick<ResolvedProtocol, "cursors" | "identity">;
};

/** An operation, and the part of it that is looked at. */
export type Scope = Dialect & {
  readonly operation: Operation;
  /** The operation itself, or one of its fragments. */
  readonly owner: Operation | Fragment;
  /** By name. */
  readonly variables: ReadonlyMap<string, VariableDefinitionNode>;
};

/** A finding with the node that it is about, of which there is one. */
export type FoundAt = readonly [ASTNode, Finding];

/** The subject and the place of a finding about a node. */
export function at({ name, file }: Scope["owner"], node: ASTNode): Pick<Finding, "subject" | "place"> {
  return { subject: name, place: placeOf(file.path, node) };
}
