import { print } from "graphql";
import { renderSdl } from "../../src/dialects/render-sdl.ts";
import { STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import type { DocumentsSource } from "../../src/generate/declare-types.ts";
import { renderPortable } from "../../src/generate/portable/render-portable.ts";
import { prepareDocuments } from "../../src/generate/prepare-documents.ts";
import { renderClient } from "../../src/generate/render-client.ts";
import { renderDocuments } from "../../src/generate/render-documents.ts";
import { renderTesting } from "../../src/generate/render-testing.ts";
import { type ContextOptions, compileText, contextOf } from "../operations/portable/compile-text.ts";

/** The inputs of portable modules in a test. */
export type Given = {
  readonly entities: string;
  readonly operations: string;
  readonly context?: ContextOptions;
  readonly scalars?: Readonly<Record<string, string>>;
  /** The chains on which an operation cannot run in a style. */
  readonly missing?: readonly (readonly [operation: string, style: StyleName, chains: readonly string[]])[];
};

/** Queries with all kinds of variables, for the entities of `SCHEMA`. */
export const SHIP_QUERIES = `
  # The ships under a flag,
  # largest first.
  query ShipsByFlag($flag: Bytes!, $moods: [Mood!]!, $min: BigInt!, $name: String! = "a", $first: Int! = 25, $skip: Int) {
    ships(
      where: { flag: $flag, mood_not_in: $moods, tonnage_gte: $min, name_contains: $name }
      first: $first
      skip: $skip
      orderBy: tonnage
      orderDirection: desc
    ) { id chainId tonnage home { id } }
  }
  query FindShips($where: Ship_filter, $by: Ship_orderBy, $d: OrderDirection = desc, $inner: Ship_orderBy = name, $port: Port_filter! = {}, $or: [Ship_filter!]!) {
    ships(where: $where, orderBy: $by, orderDirection: $d) { id }
    ports(where: { ships_: { or: $or } }) { id ships(orderBy: $inner) { id } }
    others: ships(where: { home_: $port }) { id }
  }
  query Ship($id: ID!) { ship(id: $id) { id chainId } }
`;

/** Generates the modules of a custom protocol and the modules that they import, by path. */
export async function portableModules(given: Given): Promise<Record<string, string>> {
  const { entities, operations, scalars = {}, missing = [] } = given;
  const context = contextOf(entities, given.context);
  const compiled = compileText(operations, context);
  if (compiled.findings.some(({ severity }) => severity === "breaking")) {
    throw new TypeError(compiled.findings.map(({ code, message }) => `${code}: ${message}`).join("\n"));
  }
  const enums = context.schemas.subgraph.model.definitions.filter((definition) => definition.kind === "enum");
  const prepare = (style: StyleName): DocumentsSource => {
    const { api, model } = context.schemas[style];
    const prepared = prepareDocuments({
      snapshot: {
        protocol: "auctions",
        style,
        base: { path: "schema.graphql", text: renderSdl(api), hash: "" },
        variants: [],
      },
      compiled: null,
      definition: context.definition,
      sources: [
        {
          path: "operations.graphql",
          text: [
            ...compiled.operations.map(({ documents }) => documents[style].node),
            ...compiled.fragments[style],
          ]
            .map(print)
            .join("\n\n"),
        },
      ],
      inCode: [],
      scalars,
      enums,
      models: [model, ...Object.values(context.schemas).map((schema) => schema.model)],
      rows: [],
    });
    if (!prepared.documents) throw new TypeError(prepared.findings.map(({ message }) => message).join("\n"));
    return prepared.documents;
  };
  const documents = { multichain: prepare("multichain"), subgraph: prepare("subgraph") };
  const coverage = (style: StyleName) =>
    missing.flatMap(([operation, of, chains]) =>
      of === style ? [{ operation, chains: [], missing: chains }] : [],
    );
  const source = {
    styles: STYLE_NAMES,
    documents,
    coverage: { multichain: coverage("multichain"), subgraph: coverage("subgraph") },
    context,
  };
  const files = [
    ...STYLE_NAMES.flatMap((style) =>
      renderDocuments(documents[style], {
        importExtension: ".js",
        documentMode: "both",
        portable: new Set(),
      }),
    ),
    renderPortable(compiled.operations, source),
    renderTesting(compiled.operations, source),
    renderClient({ importExtension: ".js", runtime: "package" }, false),
  ];
  return {
    ...Object.fromEntries(files.map(({ path, content }) => [path, content])),
    "manifest.ts": MANIFEST,
    "routes.ts": ROUTES,
  };
}

/** The routes of a project, for the client. */
const ROUTES = `
import { type Routes, routeEndpoint } from "lockflow-client/manifest";
const chains = ["base", "ethereum"];
const url = { env: "URL", read: () => undefined };
export const routes: Routes = {
  chains: {
    base: { chainId: 8453, secondsPerBlock: 2 },
    ethereum: { chainId: 1, secondsPerBlock: 12 },
  },
  protocols: {
    auctions: {
      brand: "",
      values: {},
      deployments: [
        { style: "multichain", name: "auctions", chains, environments: ["production"] },
        { style: "subgraph", name: "auctions-{suffix}", chains: ["base"], environments: ["production"] },
      ],
      endpoints: { "multichain production": { url }, "subgraph production": { url } },
    },
  },
  endpoint: routeEndpoint,
};
`;

/** The types of a manifest that the client uses. */
const MANIFEST = `
export const chains = { base: { chainId: 8453 }, ethereum: { chainId: 1 } } as const;
export type ChainKey = keyof typeof chains;
export type Protocol = "auctions";
export type StyleChains = { readonly auctions: { readonly multichain: ChainKey; readonly subgraph: "base" } };
export type EndpointRequest = {
  readonly protocol: Protocol;
  readonly style: "multichain" | "subgraph";
  readonly chain?: ChainKey | undefined;
};
`;
