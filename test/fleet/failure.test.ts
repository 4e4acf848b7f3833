import { expect, it } from "vitest";
import type { LockflowError } from "../../src/base/errors.ts";
import { EndpointError, type EndpointErrorCode, SchemaError } from "../../src/base/errors.ts";
import { findHealth } from "../../src/fleet/health.ts";
import { type Outcome, statusOfFailed, statusOfFailure } from "../../src/fleet/outcome.ts";
import { parseGraphqlBody } from "../../src/fleet/parse-graphql-body.ts";
import { catchError } from "../support/catch-error.ts";
import { deploymentOf, PROJECT } from "./outcomes.ts";

const endpoint = (code: string, status?: number) =>
  new EndpointError({ code: `ENDPOINT_${code}` as EndpointErrorCode, sentence: "It failed.", status });

/** The error for an answer with an error message and without data. */
const answer = (message: string) =>
  catchError(() =>
    parseGraphqlBody(new TextEncoder().encode(JSON.stringify({ errors: [{ message }] }))),
  ) as LockflowError;

const MOVED = { code: "ENDPOINT_REDIRECT", sentence: "It moved." } as const;
const DORMANT = "subgraph not found: no allocations";

const rows: readonly [name: string, error: LockflowError, status: string, finding?: string][] = [
  ["a timeout", endpoint("TIMEOUT"), "unreachable"],
  ["HTTP 502", endpoint("STATUS", 502), "unreachable"],
  ["HTTP 402", endpoint("STATUS", 402), "refused"],
  ["HTTP 410", endpoint("STATUS", 410), "unreachable", "health/retired"],
  [
    "HTTP 301",
    new EndpointError({ ...MOVED, status: 301, movedTo: "https://a/" }),
    "unreachable",
    "health/moved",
  ],
  ["HTTP 302", endpoint("REDIRECT", 302), "unreachable"],
  ["a quota", endpoint("RATE_LIMITED"), "refused"],
  ["a bad key", endpoint("UNAUTHORIZED"), "refused"],
  ["another protocol", endpoint("WRONG_PROTOCOL"), "wrong-protocol"],
  ["another chain", endpoint("WRONG_CHAIN"), "wrong-chain"],
  ["a web page", endpoint("NOT_JSON"), "malformed"],
  [
    "an incomplete schema",
    new SchemaError({ code: "SCHEMA_INCOMPLETE", sentence: "Only a part." }),
    "malformed",
  ],
  ["a deployment without an indexer", answer(DORMANT), "dormant", "health/dormant"],
  ["an unknown deployment", answer("subgraph not found: QmX"), "malformed"],
  [
    "another error with the sentence of a dormant deployment",
    new EndpointError({ code: "ENDPOINT_GRAPHQL_ERRORS", sentence: DORMANT }),
    "malformed",
  ],
];

const HEALTH = { memory: new Map(), now: 0 };
const failed = (deployment: Outcome["deployment"], error: LockflowError) =>
  ({ kind: "failed", deployment, error, probe: null }) as const;

it.each(rows)("the status of a deployment after a failure: %s", (_, error, status, finding) => {
  const outcome = failed(deploymentOf("base"), error);
  expect(statusOfFailure(error)).toBe(status);
  const found = findHealth([outcome], PROJECT.chains, HEALTH);
  expect(found.map(({ code }) => code)).toEqual(finding ? [finding] : []);
  // A deployment that is configured as dormant.
  const dormant = failed({ ...deploymentOf("base"), status: "dormant" }, error);
  expect(statusOfFailed(dormant)).toBe(status.startsWith("wrong-") ? status : "dormant");
  const isPermanent = finding === "health/retired" || finding === "health/moved";
  const left = findHealth([dormant], PROJECT.chains, HEALTH);
  expect(left.map(({ code }) => code)).toEqual(isPermanent ? [finding] : []);
});

it("health/moved names the new URL of each deployment", () => {
  const outcomes = ["base", "gnosis"].map((name) => {
    const movedTo = `https://new.example/${name}`;
    return failed(deploymentOf(name), new EndpointError({ ...MOVED, status: 308, movedTo }));
  });
  expect(findHealth(outcomes.slice(0, 1), PROJECT.chains, HEALTH)).toMatchObject([
    {
      message: "The endpoint has moved permanently to https://new.example/base.",
      after: "https://new.example/base",
      fix: "configure the new URL, if you trust its host.",
    },
  ]);
  expect(findHealth(outcomes, PROJECT.chains, HEALTH)[0]?.message).toBe(
    "The endpoint has moved permanently to https://new.example/base (protocol-lockup-base), https://new.example/gnosis (protocol-lockup-gnosis).",
  );
});
