import { Kind } from "graphql";
import { styles } from "../dialects/index.ts";
import type { OperationSet } from "../operations/operation-set.ts";
import type { PortableContext } from "../operations/portable/read-entities.ts";
import { declareTypes } from "./declare-types.ts";
import { resolveScalars } from "./scalars.ts";
import { createSchemaDocs } from "./schema-docs.ts";
import { renderTypeDeclarations } from "./type-tree.ts";

/** Renders the types of the results of operations, as `generate` does, without those of variables. */
export function renderResultTypes(
  { operations: all, fragments, ...surface }: OperationSet,
  { schemas }: PortableContext,
): string {
  const style = styles[surface.style];
  const { graphql } = schemas[surface.style];
  const operations = all.map((operation) => ({
    ...operation,
    node: { ...operation.node, variableDefinitions: [] },
  }));
  const used = new Set(operations.flatMap((operation) => operation.fragments));
  const definitions = [...operations.map(({ node }) => node), ...used];
  const set: OperationSet = {
    ...surface,
    files: [{ path: "", text: "", document: { kind: Kind.DOCUMENT, definitions } }],
    operations,
    fragments: new Map([...fragments].filter(([, { node }]) => used.has(node))),
  };
  const scalars = resolveScalars(set, graphql, { style, configured: {}, knownEnums: [] });
  const docs = createSchemaDocs(graphql, style, [schemas.subgraph.model, schemas.multichain.model]);
  const { declarations } = declareTypes({ set, schema: graphql, docs, scalars });
  const variables = new Set(operations.map(({ name }) => `${name}Variables`));
  return renderTypeDeclarations(declarations.filter(({ name }) => !variables.has(name)));
}
