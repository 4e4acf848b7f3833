import { createAnswerer } from "../../emulator/indexers/answer-in-process.ts";
import { run } from "../../packages/client/src/calls/run.ts";
import type { Client } from "../../packages/client/src/client/client-types.ts";
import { createClient } from "../../packages/client/src/client/create-client.ts";
import { findRoute } from "../../packages/client/src/manifest/routes.ts";
import { styles } from "../../src/dialects/index.ts";
import { AUTHORED_STYLE } from "../../src/dialects/portable-style.ts";
import { type Protocol, STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import { buildPortableOperation } from "../../src/generate/portable/portable-operation.ts";
import { renderResultTypes } from "../../src/generate/result-types.ts";
import { findPitfalls } from "../../src/operations/find-pitfalls.ts";
import type { OperationSource } from "../../src/operations/operation-set.ts";
import { parseOperations } from "../../src/operations/parse-operations.ts";
import { compileMeant } from "../../src/operations/portable/compile-named.ts";
import { describeMeant, toRefusal } from "../../src/operations/portable/compiled-text.ts";
import { sampleRequired } from "../../src/port/sample-rows.ts";
import { buildRoutes } from "../../src/project/manifest-rows.ts";
import { resolveProject } from "../../src/project/project.ts";
import { isBreaking, uniqueFindings } from "../../src/report/finding.ts";
import { portableContext } from "../../src/workspace/snapshot-schema.ts";
import type { Answers, Tasks } from "./protocol.ts";

const project = resolveProject({}, "/");
const routes = buildRoutes(project);
const answer = createAnswerer({ seed: "playground", streams: 12, asOf: null });

/** The name of the text in findings. */
const FILE = "operation.graphql";

export type Engine = ReturnType<typeof createEngine>;

/**
 * Compiles the operations of texts, and runs them with the rows of an emulator, without a server.
 *
 * @param snapshots the texts of the snapshots.
 * @param fragments the fragments of the library.
 */
export function createEngine(
  protocol: Protocol,
  snapshots: { readonly [S in StyleName]: string },
  fragments: readonly OperationSource[],
) {
  const definition = project.definitions.find(({ key }) => key === protocol);
  if (definition === undefined) throw new TypeError(`There is no definition of ${protocol}.`);
  const { multichain, subgraph } = snapshots;
  const context = portableContext(definition, {
    multichain: { path: "multichain.graphql", text: multichain },
    subgraph: { path: "subgraph.graphql", text: subgraph },
  });
  const schema = context.schemas[AUTHORED_STYLE].graphql;
  const routeTo = (style: StyleName, chain: string) => findRoute(routes, { protocol, style, chain });
  const chains = project.chains.filter(({ key }) =>
    STYLE_NAMES.every((style) => routeTo(style, key) !== null),
  );

  function compileText(text: string) {
    // A fragment of the text replaces that of the library.
    const others = fragments.filter((one) => {
      const [, name] = /^fragment (\w+)/m.exec(one.text) ?? [];
      return !new RegExp(`\\bfragment\\s+${name}\\b`).test(text);
    });
    const sources = [{ path: FILE, text }, ...others];
    return {
      sources,
      meant: compileMeant({ protocol, sources, context: () => context }, (_, file) => file === FILE),
    };
  }

  /** Returns the first operation of a text. Throws if it is refused. */
  function requireOperation(text: string) {
    const compiled = compileText(text).meant[0]?.compiled;
    if (compiled) return compiled;
    throw new Error("The operation is not portable. Correct its errors first.");
  }

  /** Returns a client whose requests are answered in this process, with the rows of one chain. */
  function clientOf(style: StyleName, chain: string): Client {
    const chainIds = project.chains.filter(({ key }) => key === chain).map(({ chainId }) => chainId);
    const name = routeTo(style, chain)?.name ?? "";
    const fetch = async (_: unknown, { body }: { readonly body: string }) =>
      new Response(await answer({ name, protocol, style, chainIds }, body));
    return createClient(routes, {
      ...{ styles: [style], freshness: false, retries: 0, fetch: fetch as Client["fetch"] },
      endpoint: () => ({ url: "https://indexer.example", deployment: name }),
    });
  }

  const tasks: Omit<Tasks, "complete"> = {
    compile: (text) => {
      const { meant, sources } = compileText(text);
      const { set } = parseOperations(sources, { protocol, style: AUTHORED_STYLE });
      const names = meant.filter(({ compiled }) => compiled !== null).map(({ name }) => name);
      const authored = { ...set, operations: set.operations.filter(({ name }) => names.includes(name)) };
      const dialect = { pitfalls: styles[AUTHORED_STYLE].pitfalls, protocol: context.definition };
      const findings = [...meant.flatMap((one) => one.findings), ...findPitfalls(authored, schema, dialect)];
      return {
        operations: meant.map((one) => describeMeant(one, STYLE_NAMES)),
        notes: uniqueFindings(findings)
          .map((one) => ({ ...toRefusal(one), severity: isBreaking(one) ? "error" : "warning" }) as const)
          .sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)),
        types: names.length === meant.length ? renderResultTypes(authored, context) : "",
        chains: chains.map(({ key }) => key),
      };
    },
    sample: async (text, key) => {
      const source = { client: clientOf(AUTHORED_STYLE, key), chain: { key }, context };
      return JSON.stringify((await sampleRequired(requireOperation(text), source)) ?? {}, null, 2);
    },
    run: async (text, chain, variables) => {
      const operation = buildPortableOperation(requireOperation(text), context, {});
      const given = parseVariables(variables);
      const answers = STYLE_NAMES.map(async (style): Promise<[StyleName, Answers[StyleName]]> => {
        try {
          const client = clientOf(style, chain);
          const { data } = await run(client, operation as never, given as never, { chain } as never);
          return [style, { data: data as object }];
        } catch (error) {
          return [style, { error: (error as Error).message }];
        }
      });
      return Object.fromEntries(await Promise.all(answers)) as Answers;
    },
  };
  return { ...tasks, schema, fragments };
}

function parseVariables(text: string): object {
  try {
    const value: unknown = JSON.parse(text.trim() || "{}");
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {}
  throw new Error('The variables are not a JSON object, such as { "first": 10 }.');
}
