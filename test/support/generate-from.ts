import type { EntityModel } from "../../src/dialects/entity-model.ts";
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
    definition: { cursors: {}, identity: { protocol: null, chain: null }, ids: {} },
    sources: [{ path: "operations.graphql", text: operations }],
    inCode: [],
    scalars,
    enums: [],
    models,
    rows: [],
  });
}

/** Generates the modules of a surface: types, parsed documents and strings. */
export async function generateFrom(
  given: Given,
): Promise<{ readonly types: string; readonly documents: string; readonly strings: string }> {
  const { style = "subgraph" } = given;
  const { documents, findings } = prepareFrom(given);
  if (!documents) throw new Error(findings.map(({ message }) => message).join("\n"));
  const files = renderDocuments(documents, {
    importExtension: ".js",
    documentMode: "both",
    portable: new Set(),
  });
  const contentOf = (end: string) => files.find(({ path }) => path === `lockup/${style}${end}`)?.content;
  return {
    types: contentOf(".ts") ?? "",
    documents: contentOf(".documents.ts") ?? "",
    strings: contentOf(".strings.ts") ?? "",
  };
}
