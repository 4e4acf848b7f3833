import {
  type CompiledOperations,
  compileOperations,
  type PortableContext,
} from "../portable/compile-operations.ts";
import type { ResolvedProtocol } from "../project/protocols/resolve-protocols.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import type { Fragment, Operation, OperationSet } from "./operation-set.ts";
import type { PortableInputs } from "./read-portable.ts";
import type { SchemaCache } from "./schema-cache.ts";

/** Compiles the operations of a set that is written once for both styles. */
export function compileSet(
  { protocol, operations, fragments }: Pick<OperationSet, "protocol" | "operations" | "fragments">,
  context: PortableContext,
): CompiledOperations {
  const sources = {
    protocol,
    operations: operations.map(withPath),
    fragments: [...fragments.values()].map(withPath),
  };
  return compileOperations(sources, context);
}

function withPath<T extends Operation | Fragment>({ file, ...item }: T): Omit<T, "file"> & { path: string } {
  return { ...item, path: file.path };
}

/** Builds what operations are compiled with, of the snapshots of both styles. */
export function buildContext(
  definition: ResolvedProtocol,
  { multichain, subgraph }: PortableInputs["snapshots"],
  schemas: SchemaCache,
): PortableContext {
  const schemasOf = (snapshot: Snapshot) => {
    const { base } = snapshot;
    return { api: schemas.api(base), graphql: schemas.graphql(base), model: schemas.model(snapshot) };
  };
  return { definition, schemas: { multichain: schemasOf(multichain), subgraph: schemasOf(subgraph) } };
}
