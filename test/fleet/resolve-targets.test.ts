import { describe, expect, it } from "vitest";
import { resolveTargets, secretsOf } from "../../src/fleet/resolve-targets.ts";
import type { Deployment, Endpoint } from "../../src/project/deployment.ts";
import { catchError } from "../support/catch-error.ts";

const endpoint: Endpoint = {
  environment: "production",
  url: "https://gateway.example/a",
  template: null,
  requiresKey: true,
  auth: { kind: "bearer", env: "KEY", host: "gateway.example" },
  headers: { "X-Team": "vesting", "x-token": { env: "TOKEN" } },
  dailyQueries: null,
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
const resolve = (env: Record<string, string>, url = "https://gateway.example/a") =>
  resolveTargets([{ deployment, endpoint, url }], env);

describe("resolveTargets", () => {
  it("reads keys and headers from the environment", () => {
    const [target] = resolve({ KEY: " abcdef ", TOKEN: "tokentoken" });
    expect(target?.headers).toEqual({
      authorization: "Bearer abcdef",
      "x-team": "vesting",
      "x-token": "tokentoken",
    });
    expect(target && secretsOf([target, target])).toEqual(["tokentoken", "abcdef"]);
  });

  it.each([
    "https://gateway.example.evil.example/a",
    "https://gateway.example:444/a",
    "https://other.example/a",
  ])("sends no key to a host that the auth rule does not name: %s", (url) => {
    expect(resolve({ KEY: "abcdef", TOKEN: "t" }, url)[0]?.headers).not.toHaveProperty("authorization");
  });

  it("error: names every variable that is missing and who needs it", () => {
    const error = catchError(() => resolve({ KEY: "  " }));
    expect(error.message).toMatch(/TOKEN, KEY are not set|KEY, TOKEN are not set/);
    expect(error.message).toContain("KEY is needed by protocol-lockup-mainnet");
  });

  it("error: a key of two lines, without showing it", () => {
    const error = catchError(() => resolve({ KEY: "abc\ndef", TOKEN: "t" }));
    expect(error.message).toMatch(/KEY holds what no header can: more than one line/);
    expect(error.message).not.toContain("def");
  });
});
