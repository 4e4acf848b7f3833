import { expect, it } from "vitest";
import type { Deployment, Endpoint } from "../../src/project/deployment.ts";
import { resolveTargets, secretsOf } from "../../src/project/endpoints.ts";
import { plainUrl } from "../../src/project/url-template.ts";
import { catchError } from "../support/catch-error.ts";

const endpoint: Endpoint = {
  environment: "production",
  url: plainUrl("https://gateway.example/a"),
  requiresKey: true,
  apiKey: { env: "KEY" },
  headers: { "X-Team": "vesting", "x-token": { env: "TOKEN" } },
  dailyQueries: null,
  maxRows: null,
};
const deployment: Deployment = {
  name: "protocol-lockup-mainnet",
  protocol: "lockup",
  style: "subgraph",
  chains: ["ethereum"],
  status: "active",
  endpoints: [endpoint],
  links: { playground: null, explorer: null },
};
const resolve = (env: Record<string, string>) => resolveTargets([{ deployment, endpoint }], env);

it("resolveTargets reads keys and headers from the environment", () => {
  const [target] = resolve({ KEY: " abcdef ", TOKEN: "tokentoken" });
  expect(target?.headers).toEqual({
    authorization: "Bearer abcdef",
    "x-team": "vesting",
    "x-token": "tokentoken",
  });
  expect(target && secretsOf([target, target])).toEqual(["tokentoken", "abcdef"]);
});

it("resolveTargets treats a header value with blanks as a secret, with and without its first word", () => {
  const [target] = resolve({ KEY: "abc def", TOKEN: "Token abc def" });
  expect(target?.headers).toMatchObject({ authorization: "Bearer abc def", "x-token": "Token abc def" });
  expect(target && secretsOf([target])).toEqual(["Token abc def", "abc def", "def"]);
});

it("error: resolveTargets: names every missing variable and the deployments that need it", () => {
  const error = catchError(() => resolve({ KEY: "  " }));
  expect(error.message).toMatch(/TOKEN, KEY are not set|KEY, TOKEN are not set/);
  expect(error.message).toContain("KEY is needed by protocol-lockup-mainnet");
});

it("error: resolveTargets: a key of two lines, without showing it", () => {
  const error = catchError(() => resolve({ KEY: "abc\ndef", TOKEN: "t" }));
  expect(error.message).toMatch(/KEY is not valid in a header: it has several lines/);
  expect(error.message).not.toContain("def");
});
