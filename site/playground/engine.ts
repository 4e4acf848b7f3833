import { Kind } from "graphql";
import { createIndexers } from "../../emulator/indexers/create-indexers.ts";
import type { EmulatedDeployment } from "../../emulator/indexers/emulated-deployment.ts";
import { createProtocolDatasets } from "../../emulator/indexers/protocol-dataset.ts";
import { run } from "../../packages/client/src/calls/run.ts";
import type { Client } from "../../packages/client/src/client/client-types.ts";
import { createClient } from "../../packages/client/src/client/create-client.ts";
import { findRoute } from "../../packages/client/src/manifest/routes.ts";
import { cached } from "../../src/base/collections.ts";
import { styles } from "../../src/dialects/index.ts";
import { AUTHORED_STYLE } from "../../src/dialects/portable-style.ts";
import { type Protocol, STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import { declareTypes } from "../../src/generate/declare-types.ts";
import { buildPortableOperation } from "../../src/generate/portable/portable-operation.ts";
import { resolveScalars } from "../../src/generate/scalars.ts";
import { createSchemaDocs } from "../../src/generate/schema-docs.ts";
import { renderTypeDeclarations } from "../../src/generate/type-tree.ts";
import { findPitfalls } from "../../src/operations/find-pitfalls.ts";
import type { Operation, OperationSet } from "../../src/operations/operation-set.ts";
import { parseOperations } from "../../src/operations/parse-operations.ts";
import { compileMeant } from "../../src/operations/portable/compile-named.ts";
import type { CompiledOperation } from "../../src/operations/portable/compiled-operation.ts";
import { describeMeant, toRefusal } from "../../src/operations/portable/compiled-text.ts";
import { readFacts } from "../../src/operations/portable/read-entities.ts";
import { findPlaces } from "../../src/port/find-places.ts";
import { describeVariables, sampleRows } from "../../src/port/sample-rows.ts";
import { sampleValues } from "../../src/port/sample-values.ts";
import { buildRoutes } from "../../src/project/manifest-rows.ts";
import { resolveProject } from "../../src/project/project.ts";
import { isBreaking, uniqueFindings } from "../../src/report/finding.ts";
import { portableContext } from "../../src/workspace/snapshot-schema.ts";
import type { Answer, Answers, Compiled, Note, ProtocolFiles, Tasks } from "./protocol.ts";

/** The name of the text in findings. */
export const FILE = "operation.graphql";

const project = resolveProject({}, "/");
const routes = buildRoutes(project);
const datasets = createProtocolDatasets({ seed: "playground", streams: 12, asOf: null });

export type Engine = ReturnType<typeof createEngine>;

/** Compiles and runs the operations of a text with the rows of an emulator, without a server. */
export function createEngine(protocol: Protocol, { snapshots, fragments }: ProtocolFiles) {
  const definition = project.definitions.find(({ key }) => key === protocol);
  if (definition === undefined) throw new TypeError(`There is no definition of ${protocol}.`);
  const fileOf = (style: StyleName) => ({ path: `${protocol}/${style}.graphql`, text: snapshots[style] });
  const context = portableContext(definition, {
    multichain: fileOf("multichain"),
    subgraph: fileOf("subgraph"),
  });
  const { graphql } = context.schemas[AUTHORED_STYLE];
  const models = [context.schemas.subgraph.model, context.schemas.multichain.model];
  const docs = createSchemaDocs(graphql, styles[AUTHORED_STYLE], models);
  const chains = chainsOf(protocol);

  const sourcesOf = (text: string) => [
    { path: FILE, text },
    // A fragment of the text replaces that of the library.
    ...fragments.filter((one) => {
      const [, name] = /^fragment (\w+)/m.exec(one.text) ?? [];
      return !new RegExp(`\\bfragment\\s+${name}\\b`).test(text);
    }),
  ];
  const meantBy = (text: string) =>
    compileMeant({ protocol, sources: sourcesOf(text), context: () => context }, (_, file) => file === FILE);

  function compile(text: string): Compiled {
    const meant = meantBy(text);
    const compiled = meant.filter((one) => one.compiled !== null).map(({ name }) => name);
    const { set } = parseOperations(sourcesOf(text), { protocol, style: AUTHORED_STYLE });
    const authored = set.operations.filter(({ name }) => compiled.includes(name));
    const { pitfalls } = styles[AUTHORED_STYLE];
    const findings = [
      ...meant.flatMap((one) => one.findings),
      ...findPitfalls({ ...set, operations: authored }, graphql, { pitfalls, protocol: context.definition }),
    ];
    return {
      operations: meant.map((one) => describeMeant(one, STYLE_NAMES)),
      notes: uniqueFindings(findings)
        .map((one): Note => ({ ...toRefusal(one), severity: isBreaking(one) ? "error" : "warning" }))
        .sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)),
      types: compiled.length === meant.length ? renderTypes(set, authored) : "",
      chains,
    };
  }

  /** Renders the types of results, without those of variables. */
  function renderTypes(set: OperationSet, authored: readonly Operation[]): string {
    const operations = authored.map((one) => ({ ...one, node: { ...one.node, variableDefinitions: [] } }));
    const used = new Set(operations.flatMap((one) => one.fragments));
    const definitions = [...operations.map(({ node }) => node), ...used];
    const selected: OperationSet = {
      ...set,
      files: [{ path: FILE, text: "", document: { kind: Kind.DOCUMENT, definitions } }],
      operations,
      fragments: new Map([...set.fragments].filter(([, { node }]) => used.has(node))),
    };
    const source = { style: styles[AUTHORED_STYLE], configured: {}, knownEnums: [] };
    const scalars = resolveScalars(selected, graphql, source);
    const { declarations } = declareTypes({ set: selected, schema: graphql, docs, scalars });
    const names = new Set(operations.map(({ name }) => `${name}Variables`));
    return renderTypeDeclarations(declarations.filter(({ name }) => !names.has(name)));
  }

  /**
   * Returns the first operation of a text.
   *
   * @throws Error if it is refused.
   */
  function requireOperation(text: string): CompiledOperation {
    const compiled = meantBy(text)[0]?.compiled;
    if (compiled) return compiled;
    throw new Error("The operation is not portable: correct its errors first.");
  }

  async function sample(text: string, chain: string): Promise<string> {
    const compiled = requireOperation(text);
    const facts = readFacts(context);
    const places = findPlaces(compiled.documents[AUTHORED_STYLE], facts);
    const required = describeVariables(compiled, facts).filter(({ isOptional }) => !isOptional);
    const client = await openClient({ protocol, style: AUTHORED_STYLE, chain });
    const rows = await sampleRows(places, { chain: { key: chain }, context, client });
    const values = sampleValues(required, places, { rows, index: 0 });
    return JSON.stringify(typeof values === "string" ? {} : values, null, 2);
  }

  async function runText(text: string, { chain, variables }: Tasks["run"]["input"]): Promise<Answers> {
    const operation = buildPortableOperation(requireOperation(text), context, {});
    const given = parseVariables(variables);
    const answer = async (style: StyleName): Promise<Answer> => {
      try {
        const client = await openClient({ protocol, style, chain });
        const { data } = await run(client, operation as never, given as never, { chain } as never);
        return { data: data as Readonly<Record<string, unknown>> };
      } catch (error) {
        return { error: error instanceof Error ? error.message : String(error) };
      }
    };
    return { multichain: await answer("multichain"), subgraph: await answer("subgraph") };
  }

  return { compile, sample, run: runText, schema: graphql, fragments };
}

/** Returns the keys of the chains that both styles serve. */
function chainsOf(protocol: Protocol): string[] {
  return project.chains
    .map(({ key }) => key)
    .filter((chain) => STYLE_NAMES.every((style) => findRoute(routes, { protocol, style, chain }) !== null));
}

function parseVariables(text: string): object {
  try {
    const value: unknown = JSON.parse(text.trim() || "{}");
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {}
  throw new Error('The variables are not a JSON object, such as { "first": 10 }.');
}

type Place = { readonly protocol: Protocol; readonly style: StyleName; readonly chain: string };

/** Opens a client whose requests an emulated indexer answers. It has the rows of one chain, to create fewer of them. */
async function openClient({ protocol, style, chain }: Place): Promise<Client> {
  indexers ??= createIndexers({
    datasetOf: (deployment) => datasets(deployment.protocol ?? "", deployment.style),
    newBlocks: () => 0,
    engine: null,
  });
  const { of } = await indexers;
  const chainId = project.chains.find(({ key }) => key === chain)?.chainId ?? 0;
  const indexer = of(
    cached(deployments, `${protocol} ${style} ${chain}`, () => {
      const name = findRoute(routes, { protocol, style, chain })?.name ?? "";
      return { name, protocol, style, chainIds: [chainId], environments: [] };
    }),
  );
  const fetch = async (_: unknown, options: { readonly body: string }) => {
    const { query, variables = null } = JSON.parse(options.body);
    const { body } = await indexer.answer({ query, variables, operationName: null });
    return new Response(new TextDecoder().decode(body));
  };
  return createClient(routes, {
    ...{ styles: [style], freshness: false, retries: 0, fetch: fetch as Client["fetch"] },
    endpoint: () => ({ url: "https://indexer.example", deployment: protocol }),
  });
}

let indexers: ReturnType<typeof createIndexers> | undefined;
const deployments = new Map<string, EmulatedDeployment>();
