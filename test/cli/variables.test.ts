import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/index.ts";
import { requireHostInCi } from "../../src/fleet/open-targets.ts";
import type { Config } from "../../src/project/config.ts";
import { resolveProject } from "../../src/project/project.ts";
import { CHAIN_COUNTS, PROTOCOL_DEPLOYMENTS } from "../support/chain-counts.ts";
import { generatedProject } from "../support/generated-project.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { run } from "../support/run.ts";

const CONFIG: Config = {
  protocols: ["lockup"],
  multichain: { url: { env: "MULTICHAIN_URL" }, ids: { lockup: { env: "LOCKUP_ID" } } },
  subgraph: {
    production: { url: { env: "GATEWAY_URL" }, apiKey: { env: "GATEWAY_KEY" } },
    testing: { url: { env: "TESTING_URL" } },
  },
};

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ streams: 1 });
});
afterAll(() => emulator.close());

/** The id in the URL of the multichain deployment. */
function lockupId(): string {
  const { url = "" } =
    emulator.endpoints.find(({ deployment }) => deployment === "protocol-lockup-multichain") ?? {};
  return new URL(url).pathname.split("/")[1] ?? "";
}

it("reads the variables of URLs only for requests", async () => {
  const env = {
    MULTICHAIN_URL: `${emulator.url}/{id}/v1/graphql`,
    LOCKUP_ID: lockupId(),
    GATEWAY_URL: `${emulator.url}/production/{deployment}`,
    GATEWAY_KEY: "k3y-of-the-gateway",
    TESTING_URL: `${emulator.url}/testing/{deployment}`,
  };
  const project = generatedProject({ "subgraph/a.graphql": "query Recent { streams(first: 1) { id } }" });
  project.write(
    "lockflow.config.json",
    JSON.stringify({ ...CONFIG, only: { chains: ["base", "ethereum", "form"] } }),
  );

  const without = await run(project.root, ["introspect"], { env: { MULTICHAIN_URL: env.MULTICHAIN_URL } });
  expect(without.code).toBe(2);
  expect(without.err).toMatch(/The environment variables .*TESTING_URL.* are not set/);
  expect(emulator.requests()).toHaveLength(0);

  expect(await run(project.root, ["introspect"], { env })).toMatchObject({ code: 0 });
  expect(emulator.requests()).toHaveLength(4);

  for (const command of [["generate"], ["check"], ["diff"]]) {
    expect((await run(project.root, command)).code, command.join(" ")).toBe(0);
  }
  const files = project.files("generated");
  expect((await run(project.root, ["generate"], { env })).out).toContain("0 written");
  expect(project.files("generated")).toEqual(files);
  const text = JSON.stringify(files);
  for (const value of [emulator.url, env.LOCKUP_ID, env.GATEWAY_KEY]) expect(text).not.toContain(value);
  expect(files["generated/routes.ts"]).toContain('key: "GATEWAY_KEY"');
  expect(emulator.requests()).toHaveLength(4);
});

describe("the default variables of the manifest", () => {
  const operations = { "subgraph/a.graphql": "query Recent { streams(first: 1) { id } }" };

  function served() {
    const counts = () =>
      new Map(
        emulator
          .requests()
          .map(({ deployment, environment, count }) => [`${environment} ${deployment}`, count]),
      );
    const before = counts();
    const env = {
      LOCKFLOW_MULTICHAIN_URL: `${emulator.url}/{id}/v1/graphql`,
      LOCKFLOW_LOCKUP_ID: lockupId(),
      LOCKFLOW_SUBGRAPH_PRODUCTION_URL: `${emulator.url}/production/{deployment}`,
      LOCKFLOW_SUBGRAPH_API_KEY: "k3y-of-the-gateway",
      LOCKFLOW_SUBGRAPH_TESTING_URL: `${emulator.url}/testing/{deployment}`,
    };
    const asked = () => [...counts()].filter(([name, count]) => count !== before.get(name)).length;
    return { env, asked, project: generatedProject(operations) };
  }

  it.runIf(IS_THOROUGH)("are read by every command that sends requests", async () => {
    const { env, asked, project } = served();
    const introspected = await run(project.root, ["introspect"], { env });
    expect(introspected.out).toContain(
      `Querying ${PROTOCOL_DEPLOYMENTS} deployments on ${new URL(emulator.url).host}.`,
    );
    expect(introspected.code).toBe(0);
    expect(asked()).toBe(PROTOCOL_DEPLOYMENTS);
    const drifted = await run(project.root, ["drift"], { env: { ...env, CI: "true" } });
    expect(drifted).toMatchObject({
      code: 0,
      err: expect.stringContaining(`Querying ${PROTOCOL_DEPLOYMENTS} deployments`),
    });

    const before = emulator.requests().length;
    const { out } = await run(project.root, ["doctor"], { env });
    expect(out).toMatch(/^ok .*\bendpoints +27 of 27 endpoints answer\.$/m);
    expect(out).toMatch(/^ok .*\bkeys +LOCKFLOW_SUBGRAPH_API_KEY is set\.$/m);
    expect(emulator.requests().length).toBeGreaterThanOrEqual(before);

    // The URL of a deployment that requires a key.
    const url = `${emulator.url}/production/protocol-lockup-form`;
    const compared = await run(project.root, ["diff", url, "lockup/subgraph"], { env });
    expect(compared).toMatchObject({ code: 0, err: "" });
    expect((await run(project.root, ["diff", url, "lockup/subgraph"])).code).toBe(2);
  });

  it("can be set in part: deployments without a URL are skipped, and their variables are listed", async () => {
    const { env, project } = served();
    const { LOCKFLOW_SUBGRAPH_TESTING_URL } = env;
    const { code, out } = await run(project.root, ["introspect"], { env: { LOCKFLOW_SUBGRAPH_TESTING_URL } });
    expect(code).toBe(0);
    expect(out).toContain(`Querying ${CHAIN_COUNTS.testing} deployments`);
    expect(out).toContain(
      `${PROTOCOL_DEPLOYMENTS - CHAIN_COUNTS.testing} deployments have no URL and were skipped: `,
    );
    expect(out).toContain(
      "Set LOCKFLOW_LOCKUP_ID, LOCKFLOW_MULTICHAIN_URL, LOCKFLOW_SUBGRAPH_PRODUCTION_URL, or their URLs in the configuration.",
    );
  });

  it.each<[name: string, take: readonly string[], missing: string]>([
    ["the id", ["LOCKFLOW_MULTICHAIN_URL"], "LOCKFLOW_LOCKUP_ID"],
    ["the URL", ["LOCKFLOW_LOCKUP_ID"], "LOCKFLOW_MULTICHAIN_URL"],
    ["the key", ["LOCKFLOW_SUBGRAPH_PRODUCTION_URL"], "LOCKFLOW_SUBGRAPH_API_KEY"],
  ])("error: a part of an endpoint's variables: %s is missing", async (_, take, missing) => {
    const { env, asked, project } = served();
    const given = Object.fromEntries(Object.entries(env).filter(([name]) => take.includes(name)));
    const { code, err } = await run(project.root, ["drift"], { env: given });
    expect(code).toBe(2);
    expect(err).toContain(`The environment variable ${missing} is not set.`);
    expect(asked()).toBe(0);
  });

  const UNREAD = {
    LOCKFLOW_SUBGRAPH_TEST_URL: "https://testing.example/{deployment}",
    LOCKFLOW_BRAND: "acme",
  };

  it.each<[name: string, env: Record<string, string>]>([
    ["in CI", { CI: "true" }],
    ["in another CI", { ...{ CI: "1", LOCKFLOW_SUBGRAPH_TESTING_URL: "" }, ...UNREAD }],
  ])("error: without a host, %s drift does not use the emulator", async (_, env) => {
    const { code, out, err } = await run(generatedProject(operations).root, ["drift"], { env });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(
      /^lockflow: No host is configured[\s\S]*LOCKFLOW_SUBGRAPH_TESTING_URL[\s\S]*--emulator/,
    );
    const doctor = await run(generatedProject(operations).root, ["doctor", "--offline"], { env });
    expect(doctor.out).toMatch(/^warning +endpoints +No host is configured\. In CI/m);
    if (!("LOCKFLOW_BRAND" in env)) return;
    expect(err).toContain("LOCKFLOW_BRAND is set, and nothing reads it");
    expect(err).toContain("did you mean LOCKFLOW_SUBGRAPH_TESTING_URL?");
  });

  it("are ignored with --emulator, also in CI", async () => {
    const { env, asked, project } = served();
    const because = /emulator on this machine, because --emulator/;
    const drifted = await run(project.root, ["drift", "--emulator"], { env: { ...env, CI: "true" } });
    expect(drifted).toMatchObject({ code: 0, err: expect.stringMatching(because) });
    expect(asked()).toBe(0);
    // Outside of CI the emulator is used without an error.
    expect(() => requireHostInCi(resolveProject({}, project.root), { CI: "false" })).not.toThrow();
  });
});
