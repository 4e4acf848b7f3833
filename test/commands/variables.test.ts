import { expect, it, onTestFinished } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { startEmulator } from "../../src/emulator.ts";
import { generatedProject } from "../support/generated-project.ts";
import { run } from "../support/run.ts";

const CONFIG: Config = {
  protocols: ["lockup"],
  multichain: { url: { env: "MULTICHAIN_URL" }, ids: { lockup: { env: "LOCKUP_ID" } } },
  subgraph: {
    production: { url: { env: "GATEWAY_URL" }, apiKey: { env: "GATEWAY_KEY" } },
    testing: { url: { env: "TESTING_URL" } },
  },
};

it("reads the variables of URLs when somebody is asked, and never otherwise", async () => {
  const emulator = await startEmulator();
  onTestFinished(() => emulator.close());
  const { pathname } = new URL(
    emulator.endpoints.find(({ deployment }) => deployment === "protocol-lockup-multichain")?.url ?? "",
  );
  const env = {
    MULTICHAIN_URL: `${emulator.url}/{id}/v1/graphql`,
    LOCKUP_ID: pathname.split("/")[1] ?? "",
    GATEWAY_URL: `${emulator.url}/production/{deployment}`,
    GATEWAY_KEY: "k3y-of-the-gateway",
    TESTING_URL: `${emulator.url}/testing/{deployment}`,
  };
  const project = generatedProject({ "subgraph/a.graphql": "query Recent { streams(first: 1) { id } }" });
  project.write("lockflow.config.json", JSON.stringify(CONFIG));

  const without = await run(project.root, ["introspect"], { env: { MULTICHAIN_URL: env.MULTICHAIN_URL } });
  expect(without.code).toBe(2);
  expect(without.err).toMatch(/The environment variables .*TESTING_URL.* are not set/);
  expect(emulator.requests()).toHaveLength(0);

  expect(await run(project.root, ["introspect"], { env })).toMatchObject({ code: 0 });
  expect(emulator.requests()).toHaveLength(27);

  for (const command of [["generate"], ["check"], ["diff"]]) {
    expect((await run(project.root, command)).code, command.join(" ")).toBe(0);
  }
  const files = project.files("generated");
  expect((await run(project.root, ["generate"], { env })).out).toContain("0 written");
  expect(project.files("generated")).toEqual(files);
  const text = JSON.stringify(files);
  for (const value of [emulator.url, env.LOCKUP_ID, env.GATEWAY_KEY]) expect(text).not.toContain(value);
  expect(files["generated/manifest.ts"]).toContain('key: "GATEWAY_KEY"');
  expect(emulator.requests()).toHaveLength(27);
});
