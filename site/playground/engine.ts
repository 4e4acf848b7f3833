import { createAnswerer } from "../../emulator/indexers/answer-in-process.ts";
import { run } from "../../packages/client/src/calls/run.ts";
import type { Client } from "../../packages/client/src/client/client-types.ts";
import { createClient } from "../../packages/client/src/client/create-client.ts";
import { findRoute } from "../../packages/client/src/manifest/routes.ts";
import { AUTHORED_STYLE } from "../../src/dialects/portable-style.ts";
import { type Protocol, STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import { buildPortableOperation } from "../../src/generate/portable/portable-operation.ts";
import { renderResultTypes } from "../../src/generate/result-types.ts";
import type { OperationSource } from "../../src/operations/operation-set.ts";
import { checkText } from "../../src/operations/portable/check-text.ts";
import { describeMeant, toRefusal } from "../../src/operations/portable/compiled-text.ts";
import { sampleRequired } from "../../src/port/sample-rows.ts";
import { buildRoutes } from "../../src/project/manifest-rows.ts";
import { resolveProject } from "../../src/project/project.ts";
import { isBreaking } from "../../src/report/finding.ts";
import { portableContext, type SnapshotText } from "../../src/workspace/snapshot-schema.ts";
import type { Answers, Tasks } from "./protocol.ts";

const project = resolveProject({}, "/");
const routes = buildRoutes(project);
const answer = createAnswerer({ seed: "playground", streams: 12, asOf: null });

/** Compiles the operations of texts, and runs them with the rows of an emulator, without a server. */
export function createEngine(
  protocol: Protocol,
  snapshots: { readonly [S in StyleName]: SnapshotText },
  fragments: readonly OperationSource[],
) {
  const definition = project.definitions.find(({ key }) => key === protocol);
  if (definition === undefined) throw new TypeError(`${protocol} has no definition.`);
  const context = portableContext(definition, snapshots);
  const routeTo = (style: StyleName, chain: string) => findRoute(routes, { protocol, style, chain });
  const served = project.chains.filter(({ key }) =>
    STYLE_NAMES.every((style) => routeTo(style, key) !== null),
  );
  const check = (text: string) => checkText({ path: "operation.graphql", text }, fragments, context);

  /** Returns the first operation of a text. Throws if it is refused. */
  function requireOperation(text: string) {
    const compiled = check(text).operations[0]?.compiled;
    if (compiled) return compiled;
    throw new Error("The operation is not portable. Correct its errors first.");
  }

  /** Returns a client whose requests are answered in this process, with the rows of one chain. */
  function clientOf(style: StyleName, chain: string): Client {
    const chainIds = served.filter(({ key }) => key === chain).map(({ chainId }) => chainId);
    const name = routeTo(style, chain)?.name ?? "";
    const fetch = async (_: unknown, { body }: { readonly body: string }) =>
      new Response(await answer({ name, protocol, style, chainIds }, body));
    return createClient(routes, {
      styles: [style],
      freshness: false,
      retries: 0,
      fetch: fetch as Client["fetch"],
      endpoint: () => ({ url: "https://indexer.example", deployment: name }),
    });
  }

  const tasks: Omit<Tasks, "complete"> = {
    compile: (text) => {
      const { operations, authored, findings } = check(text);
      const isPortable = authored.operations.length === operations.length;
      return {
        operations: operations.map((one) => describeMeant(one, STYLE_NAMES)),
        notes: findings
          .map((one) => ({ ...toRefusal(one), severity: isBreaking(one) ? "error" : "warning" }) as const)
          .sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)),
        types: isPortable ? renderResultTypes(authored, context) : "",
        chains: served.map(({ key }) => key),
      };
    },
    sample: async (text, key) => {
      const source = { client: clientOf(AUTHORED_STYLE, key), chain: { key }, context };
      return JSON.stringify((await sampleRequired(requireOperation(text), source)) ?? {}, null, 2);
    },
    run: async (text, chain, variables) => {
      const operation = buildPortableOperation(requireOperation(text), context, {});
      const given = parseVariables(variables);
      const answerOf = async (style: StyleName): Promise<Answers[StyleName]> => {
        try {
          const client = clientOf(style, chain);
          const { data } = await run(client, operation as never, given as never, { chain } as never);
          return { data: data as object };
        } catch (error) {
          return { error: (error as Error).message };
        }
      };
      return { multichain: await answerOf("multichain"), subgraph: await answerOf("subgraph") };
    },
  };
  return { ...tasks, schema: context.schemas[AUTHORED_STYLE].graphql, fragments };
}

function parseVariables(text: string): object {
  try {
    const value: unknown = JSON.parse(text.trim() || "{}");
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {}
  throw new Error('The variables are not a JSON object, such as { "first": 10 }.');
}
