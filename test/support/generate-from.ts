import type { EntityModel } from "../../src/dialects/entity-model.ts";
import { styles } from "../../src/dialects/index.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import { type PreparedDocuments, prepareDocuments } from "../../src/generate/prepare-documents.ts";
import { renderDocuments } from "../../src/generate/render-documents.ts";

/** What documents are generated from in a test: any schema at all, without a project around it. */
export type Given = {
  readonly sdl: string;
  readonly operations: string;
  readonly style?: StyleName;
  readonly scalars?: Readonly<Record<string, string>>;
  /** Entity models, that of the schema first. */
  readonly models?: readonly EntityModel[];
};

/** Prepares documents of lockup. */
export function prepareFrom({
  sdl,
  operations,
  style = "subgraph",
  scalars = {},
  models = [],
}: Given): PreparedDocuments {
  return prepareDocuments({
    snapshot: {
      protocol: "lockup",
      style,
      base: { path: "schema.graphql", text: sdl, hash: "" },
      variants: [],
    },
    compiled: null,
    style: styles[style],
    protocol: { cursors: {}, identity: { protocol: null, chain: null } },
    sources: [{ path: "operations.graphql", text: operations }],
    inCode: [],
    scalars,
    enums: [],
    models,
    rows: [],
  });
}

/** Generates the module of typed documents and that of strings. */
export async function generateFrom(
  given: Given,
): Promise<{ readonly nodes: string; readonly strings: string }> {
  const { documents, findings } = prepareFrom(given);
  if (!documents) throw new Error(findings.map(({ message }) => message).join("\n"));
  const [nodes, strings] = renderDocuments(documents, {
    importExtension: ".js",
    documentMode: "both",
    portable: new Set(),
  });
  return { nodes: nodes?.content ?? "", strings: strings?.content ?? "" };
}
