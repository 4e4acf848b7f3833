import { expect, it } from "vitest";
import { introspectTargets } from "../../src/fleet/introspect-targets.ts";
import type { Target } from "../../src/project/endpoints.ts";
import { resolveProject } from "../../src/project/project.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { introspectionAnswer, subgraphProbeAnswer } from "../support/indexer-answers.ts";
import { testServer } from "../support/test-server.ts";

it("introspectTargets reports an unexpected error as a bug, and only for its deployment", async () => {
  const other = introspectionAnswer("subgraph").replaceAll("alias", "another");
  const { url } = await testServer(({ path, body }, response) => {
    if (body.includes("_meta")) response.end(subgraphProbeAnswer(1));
    else response.end(path === "/b" ? other : introspectionAnswer("subgraph"));
  });
  const target = (name: string): Target => ({
    deployment: {
      name,
      protocol: "lockup",
      style: "subgraph",
      chains: [],
      status: "active",
      endpoints: [],
      links: { playground: null, explorer: null },
    },
    url: `${url}/${name}`,
    headers: {},
    secrets: [],
    proxy: null,
  });
  let seen = 0;
  // Simulates a bug: the second search through the chains throws.
  const chains = Object.assign([], {
    filter: () => {
      if (++seen === 2) throw new RangeError("Maximum call stack size exceeded");
      return [];
    },
  });
  const project = { ...resolveProject({}, "/"), chains, concurrency: 1, timeout: 5000 };
  const outcomes = await introspectTargets(["a", "b", "c"].map(target), openWorkspace(project), {
    snapshots: [],
    onOutcome: () => {},
  });
  expect(outcomes.map(({ kind }) => kind)).toEqual(["introspected", "failed", "introspected"]);
  expect(outcomes[1]).toMatchObject({
    error: {
      code: "ENDPOINT_UNREADABLE",
      sentence:
        "Its answer could not be read, and that is a bug in Lockflow (RangeError: Maximum call stack size exceeded).",
    },
  });
});
