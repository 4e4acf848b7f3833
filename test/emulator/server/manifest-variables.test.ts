import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startProjectEmulator } from "../../../emulator/server/start-project-emulator.ts";
import type { Config } from "../../../src/project/config.ts";
import { resolveProject } from "../../../src/project/project.ts";
import { loadManifest } from "../../support/load-manifest.ts";
import { run } from "../../support/run.ts";
import { tempProject } from "../../support/temp-project.ts";
import { emulate, post } from "../support.ts";

describe("the variables of an emulator", () => {
  it.each<[name: string, config: Config]>([
    ["is empty", {}],
    ["has a brand and one protocol", { brand: "acme-two", protocols: ["flow"] }],
    [
      "has its own variable names",
      {
        brand: { env: "A_BRAND" },
        multichain: { url: { env: "A_URL" }, ids: { lockup: { env: "AN_ID" } }, apiKey: { env: "A_KEY" } },
        subgraph: {
          production: { url: { env: "B_URL" }, apiKey: { env: "B_KEY" } },
          testing: { url: { env: "C_URL" }, headers: { "x-a": { env: "C_TOKEN" } } },
        },
        deployments: {
          "protocol-lockup-form": { production: { url: { env: "FORM" }, apiKey: { env: "FORM_KEY" } } },
        },
      },
    ],
  ])("direct the manifest to every URL of the emulator if the configuration %s", async (_, config) => {
    const project = resolveProject(config, "/project");
    await using emulator = await startProjectEmulator(project, {});
    const env = emulator.env();
    const manifest = await loadManifest(config);
    const active = project.deployments.filter(({ status }) => status === "active");
    expect(active.length).toBeGreaterThan(20);
    for (const { name, protocol, style, chains, endpoints } of active) {
      for (const { environment } of endpoints) {
        const target = manifest.endpoint({ protocol, style, chain: chains[0], environment }, env);
        const served = emulator.endpoints.find(
          (candidate) => candidate.deployment === name && candidate.environment === environment,
        );
        expect(target.url).toBe(served?.url);
        for (const variable of [target.auth?.env ?? [], ...Object.values(target.secretHeaders)].flat()) {
          expect(env[variable]).toBe("emulator");
        }
      }
    }
  });

  it("have the names of the configuration in `cwd`, and its names direct to the emulator", async () => {
    const apiKey = { env: "VITE_MULTICHAIN_KEY" };
    const config: Config = {
      brand: "acme",
      protocols: ["lockup"],
      multichain: { url: { env: "VITE_MULTICHAIN" }, ids: { lockup: "3f1" }, apiKey },
      subgraph: { production: { url: { env: "VITE_GRAPH" }, apiKey: { env: "GRAPH_KEY" } } },
    };
    const { root } = tempProject({ "lockflow.config.json": JSON.stringify(config), "src/index.ts": "" });
    const emulator = await emulate({ streams: 1 });
    const env = emulator.env({ cwd: join(root, "src") });
    const configured = Object.keys(env).filter((name) => !name.startsWith("LOCKFLOW_"));
    expect(configured.sort()).toEqual(["GRAPH_KEY", "VITE_GRAPH", "VITE_MULTICHAIN", "VITE_MULTICHAIN_KEY"]);
    const manifest = await loadManifest(config);
    for (const [style, path, query] of [
      ["subgraph", "/production/acme-lockup-base", "{ streams(first: 1) { id } }"],
      ["multichain", "/3f1/v1/graphql", "{ streams: Stream(limit: 1) { id } }"],
    ] as const) {
      const { url } = manifest.endpoint({ protocol: "lockup", style, chain: "base" }, env);
      expect(new URL(url).pathname).toBe(path);
      const response = await post(url, { query }, { authorization: "Bearer any" });
      expect(await response.json()).toMatchObject({ data: { streams: [{ id: expect.any(String) }] } });
    }
  });

  it("are limited to the served deployments, with an accepted key", async () => {
    const key = "0a".repeat(16);
    const emulator = await emulate({ deployments: ["protocol-lockup-form"], apiKeys: [{ key }] });
    expect(emulator.env()).toEqual({
      LOCKFLOW_BRAND: "protocol",
      LOCKFLOW_SUBGRAPH_API_KEY: key,
      LOCKFLOW_SUBGRAPH_PRODUCTION_URL: `${emulator.url}/production/{deployment}`,
    });
    const entities = "type A @entity(immutable: true) { id: Bytes! }";
    expect((await emulate({ indexers: [{ style: "subgraph", entities }] })).env()).toEqual({});
  });

  it("are the only output of `emulate --env`", async () => {
    const project = tempProject({ "lockflow.config.json": '{ "protocols": ["lockup"] }' });
    const { code, out, err } = await run(project.root, ["emulate", "--env", "--port", "0"]);
    const url = /Serving on (http:\S+)\. /.exec(err)?.[1];
    expect(code).toBe(0);
    expect(out.split("\n")).toEqual([
      "LOCKFLOW_BRAND=protocol",
      expect.stringMatching(/^LOCKFLOW_LOCKUP_ID=\w+$/),
      `LOCKFLOW_MULTICHAIN_URL=${url}/{id}/v1/graphql`,
      "LOCKFLOW_SUBGRAPH_API_KEY=emulator",
      `LOCKFLOW_SUBGRAPH_PRODUCTION_URL=${url}/production/{deployment}`,
      `LOCKFLOW_SUBGRAPH_TESTING_URL=${url}/testing/{deployment}`,
      "",
    ]);
  });

  it("error: a configuration with literal hosts has no variables, and no key is printed", async () => {
    const config: Config = {
      brand: "acme",
      multichain: { url: "https://a.example/{id}", ids: { lockup: "a", flow: "b" } },
      subgraph: {
        production: { url: "https://b.example/{deployment}", apiKey: { env: "B_KEY" } },
        testing: { url: "https://c.example/{deployment}" },
      },
    };
    const project = tempProject({ "lockflow.config.json": JSON.stringify(config) });
    const { code, out, err } = await run(project.root, ["emulate", "--env", "--port", "0"]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("Every host in the configuration is literal");
  });

  it.each(["--write-env", "--env-file"])("are written by `emulate %s` beside other lines", async (flag) => {
    const project = tempProject({ ".env": "A=1\n" });
    const { code, out, err } = await run(project.root, ["emulate", flag, ".env", "--port", "0"]);
    expect(code).toBe(0);
    expect(err).toContain("Wrote 7 variables to .env.");
    const url = /on (http:\S+)\. /.exec(out)?.[1];
    expect(project.read(".env")).toMatch(/^A=1\nLOCKFLOW_BRAND=/);
    expect(project.read(".env")).toContain(`LOCKFLOW_SUBGRAPH_TESTING_URL=${url}/testing/{deployment}\n`);
  });

  it("error: `emulate --write-env` replaces no real key, and does not serve", async () => {
    const before = "LOCKFLOW_SUBGRAPH_API_KEY=0123\n";
    const project = tempProject({ ".env": before });
    const { code, out, err } = await run(project.root, ["emulate", "--write-env", ".env", "--port", "0"]);
    expect([code, out, project.read(".env")]).toEqual([2, "", before]);
    expect(err).toContain("LOCKFLOW_SUBGRAPH_API_KEY");
    expect(err).not.toContain("0123");
  });

  it.each([["--env"], ["--env-file", "b"], ["--entities", "a.graphql"]])(
    "error: --write-env cannot be combined with %s",
    async (...refused) => {
      const { code, err } = await run(tempProject().root, ["emulate", "--write-env", ".env", ...refused]);
      expect(code).toBe(2);
      expect(err).toMatch(/cannot be combined with --(write-env|env-file|entities)/);
    },
  );

  it.each(["json", "entities"])("error: --env cannot be combined with --%s", async (option) => {
    const value = option === "json" ? [] : ["a.graphql"];
    const { code, err } = await run(tempProject().root, ["emulate", "--env", `--${option}`, ...value]);
    expect(code).toBe(2);
    expect(err).toContain(`--env cannot be combined with --${option}`);
  });
});
