import type { ServerResponse } from "node:http";
import { CHAINS } from "../../src/project/chains.ts";
import { introspectionAnswer, subgraphProbeAnswer } from "../support/indexer-answers.ts";
import { tempProject } from "../support/temp-project.ts";
import { type Received, testServer } from "../support/test-server.ts";

export type Answer = (request: Received, response: ServerResponse) => void;

/** The ends of the names of subgraphs; every small fleet has the first three. */
export const SUFFIXES: readonly string[] = [
  ...["mainnet", "base", "gnosis"],
  ...CHAINS.flatMap(({ key, subgraphSuffix }) =>
    subgraphSuffix === null || ["ethereum", "base", "gnosis"].includes(key) ? [] : [subgraphSuffix],
  ),
];

/** Answers like a subgraph with this body of an introspection. Its chain is that of the path unless another is given. */
export function serving(schema = introspectionAnswer("subgraph"), chainId?: number | null): Answer {
  return ({ path, body }, response) => {
    const own = CHAINS.find(({ subgraphSuffix }) => path === `/protocol-lockup-${subgraphSuffix}`);
    response.setHeader("content-type", "application/json");
    response.end(
      body.includes("_meta")
        ? subgraphProbeAnswer(chainId === undefined ? (own?.chainId ?? null) : chainId)
        : schema,
    );
  };
}

/** A project whose lockup subgraphs are served by `answers`, by suffix; those without an answer are healthy. */
export async function smallFleet(
  answers: Readonly<Record<string, Answer>> = {},
  config: Record<string, unknown> = {},
) {
  const server = await testServer((request, response) => {
    const answer = answers[request.path.replace("/protocol-lockup-", "")] ?? serving();
    answer(request, response);
  });
  const names = [...new Set([...SUFFIXES.slice(0, 3), ...Object.keys(answers)])].map(
    (suffix) => `protocol-lockup-${suffix}`,
  );
  const urls = Object.fromEntries(names.map((name) => [name, { testing: { url: `${server.url}/${name}` } }]));
  const deployments = { ...urls, ...(config["deployments"] as object) };
  const text = JSON.stringify({ protocols: ["lockup"], timeout: 20_000, ...config, deployments });
  return { project: tempProject({ "lockflow.config.json": text }), server };
}
