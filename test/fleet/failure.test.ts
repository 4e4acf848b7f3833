import { describe, expect, it } from "vitest";
import type { LockflowError } from "../../src/base/errors.ts";
import { EndpointError, SchemaError } from "../../src/base/errors.ts";
import { findHealth } from "../../src/fleet/health.ts";
import { statusOfFailed, statusOfFailure } from "../../src/fleet/outcome.ts";
import { parseGraphqlBody } from "../../src/fleet/parse-graphql-body.ts";
import { resolveProject } from "../../src/project/project.ts";
import { catchError } from "../support/catch-error.ts";

const endpoint = (code: EndpointError["code"], status?: number) =>
  new EndpointError({ code, sentence: "It failed.", status });

/** The error for an answer with an error message and without data. */
const answer = (message: string) =>
  catchError(() =>
    parseGraphqlBody(new TextEncoder().encode(JSON.stringify({ errors: [{ message }] }))),
  ) as LockflowError;

const rows: readonly [name: string, error: LockflowError, status: string, finding: string | null][] = [
  ["a timeout", endpoint("ENDPOINT_TIMEOUT"), "unreachable", null],
  ["HTTP 502", endpoint("ENDPOINT_STATUS", 502), "unreachable", null],
  ["HTTP 402", endpoint("ENDPOINT_STATUS", 402), "refused", null],
  ["HTTP 410", endpoint("ENDPOINT_STATUS", 410), "unreachable", "health/retired"],
  [
    "HTTP 301",
    new EndpointError({
      code: "ENDPOINT_REDIRECT",
      sentence: "It moved.",
      status: 301,
      movedTo: "https://a/",
    }),
    "unreachable",
    "health/moved",
  ],
  ["HTTP 302", endpoint("ENDPOINT_REDIRECT", 302), "unreachable", null],
  ["a quota", endpoint("ENDPOINT_RATE_LIMITED"), "refused", null],
  ["a bad key", endpoint("ENDPOINT_UNAUTHORIZED"), "refused", null],
  ["another protocol", endpoint("ENDPOINT_WRONG_PROTOCOL"), "wrong-protocol", null],
  ["another chain", endpoint("ENDPOINT_WRONG_CHAIN"), "wrong-chain", null],
  ["a web page", endpoint("ENDPOINT_NOT_JSON"), "malformed", null],
  [
    "an incomplete schema",
    new SchemaError({ code: "SCHEMA_INCOMPLETE", sentence: "Only a part." }),
    "malformed",
    null,
  ],
  [
    "a deployment without an indexer",
    answer("subgraph not found: no allocations"),
    "dormant",
    "health/dormant",
  ],
  ["an unknown deployment", answer("subgraph not found: QmX"), "malformed", null],
  [
    "another error with the sentence of a dormant deployment",
    new EndpointError({ code: "ENDPOINT_GRAPHQL_ERRORS", sentence: "subgraph not found: no allocations" }),
    "malformed",
    null,
  ],
];

describe("the status of a deployment after a failure", () => {
  const { deployments, chains } = resolveProject({ protocols: ["lockup"] }, "/");
  const deployment = deployments[0] as (typeof deployments)[number];

  it.each(rows)("%s", (_, error, status, finding) => {
    expect(statusOfFailure(error)).toBe(status);
    const found = findHealth([{ kind: "failed", deployment, error, probe: null }], chains, {
      memory: new Map(),
      now: 0,
    });
    expect(found.map(({ code }) => code)).toEqual(finding === null ? [] : [finding]);
  });

  it.each(rows)("with the configured status dormant: %s", (_, error, status, finding) => {
    const outcome = {
      kind: "failed",
      deployment: { ...deployment, status: "dormant" },
      error,
      probe: null,
    } as const;
    expect(statusOfFailed(outcome)).toBe(status.startsWith("wrong-") ? status : "dormant");
    const found = findHealth([outcome], chains, { memory: new Map(), now: 0 });
    const isPermanent = finding === "health/retired" || finding === "health/moved";
    expect(found.map(({ code }) => code)).toEqual(isPermanent ? [finding] : []);
  });
});

it("health/moved names the new URL of each deployment", () => {
  const { deployments, chains } = resolveProject({ protocols: ["lockup"] }, "/");
  const outcomes = deployments
    .filter(({ style }) => style === "subgraph")
    .map((deployment, index) => ({
      kind: "failed" as const,
      deployment,
      error: new EndpointError({
        code: "ENDPOINT_REDIRECT",
        sentence: "It moved.",
        status: 308,
        movedTo: `https://new.example/${index}`,
      }),
      probe: null,
    }));
  const find = (count: number) => findHealth(outcomes.slice(0, count), chains, { memory: new Map(), now: 0 });
  expect(find(1)).toMatchObject([
    {
      message: "The endpoint has moved permanently to https://new.example/0.",
      after: "https://new.example/0",
      fix: "configure the new URL, if you trust its host.",
    },
  ]);
  const [first, second] = outcomes.map(({ deployment }) => deployment.name);
  expect(find(2)).toMatchObject([
    {
      message: `The endpoint has moved permanently to https://new.example/0 (${first}), https://new.example/1 (${second}).`,
    },
  ]);
});
