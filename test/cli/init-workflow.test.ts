import { spawnSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readRepositoryFile } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";
import { testServer } from "../support/test-server.ts";

type Step = { readonly name?: string; readonly if?: string; readonly uses?: string; readonly run?: string };

const steps: readonly Step[] = parse(readRepositoryFile("src/tasks/init/templates/workflow.yml")).jobs.drift
  .steps;
const script = steps.find(({ name }) => name === "Drift")?.run ?? "";

/** The steps whose condition is about the exit code. */
const DEPENDENT = steps.filter((step) => step.if?.includes("outputs.exit"));

/** Returns the steps that run after an exit code. The conditions are expressions of JavaScript too. */
function stepsAfter(exit: string): readonly (string | undefined)[] {
  const holds = (condition: string) =>
    new Function("steps", `return ${condition}`)({ drift: { outputs: { exit } } });
  return DEPENDENT.filter((step) => holds(step.if ?? "")).map(({ name, uses }) => name ?? uses);
}

/** Runs the script of the workflow with the result of a command. */
function runScript(
  { code, err }: { readonly code: number; readonly err: string },
  env: Record<string, string>,
) {
  const project = tempProject({ "bin/npx": `#!/bin/bash\ncat err >&2\nexit ${code}\n`, err });
  chmodSync(join(project.root, "bin/npx"), 0o755);
  const { status, stdout, stderr } = spawnSync("bash", ["--norc", "-e", "-c", script], {
    cwd: project.root,
    env: { PATH: `${project.root}/bin:${process.env["PATH"]}`, GITHUB_OUTPUT: "output", ...env },
    encoding: "utf8",
  });
  expect({ status, stderr, isThere: existsSync(join(project.root, "output")) }).toEqual({
    status: 0,
    stderr: err,
    isThere: true,
  });
  return { out: stdout, exit: project.read("output").replace(/^exit=(.*)\n$/, "$1") };
}

const SCHEMA = {
  "generated/schemas/flow/subgraph.graphql": readRepositoryFile("generated/schemas/flow/subgraph.graphql"),
};

describe("the nightly job that `init` writes", () => {
  it("is green without any host, and names the missing secrets", async () => {
    const project = tempProject({ "lockflow.config.json": "{}" });
    const secrets = {
      LOCKFLOW_SUBGRAPH_TESTING_URL: "",
      LOCKFLOW_MULTICHAIN_URL: "",
      LOCKFLOW_BRAND: "acme",
    };
    const result = await run(project.root, ["drift"], { env: { CI: "true", ...secrets } });
    const { out, exit } = runScript(result, secrets);
    expect(out).toBe(
      "::notice title=No host is configured::Drift did not run. Add the secrets of the indexers that you use: LOCKFLOW_MULTICHAIN_URL LOCKFLOW_SUBGRAPH_TESTING_URL\n",
    );
    expect(stepsAfter(exit)).toEqual([]);
  });

  it("is red if the only host is dead", async () => {
    const { url } = await testServer((_, response) => response.writeHead(404).end());
    const config = {
      protocols: ["flow"],
      only: { styles: ["subgraph"], chains: ["base"] },
      subgraph: { testing: { url: `${url}/{deployment}` } },
    };
    const project = tempProject({ "lockflow.config.json": JSON.stringify(config), ...SCHEMA });
    const result = await run(project.root, ["drift"], { env: { CI: "true" } });
    expect(result.code).toBe(3);
    const { out, exit } = runScript(result, {});
    expect({ out, exit }).toEqual({ out: "", exit: "3" });
    expect(stepsAfter(exit)).toContain("Fail");
  });

  it("is red if a secret of a configured host is missing", async () => {
    const config = { subgraph: { testing: { url: { env: "MY_URL" } } } };
    const project = tempProject({ "lockflow.config.json": JSON.stringify(config) });
    const result = await run(project.root, ["drift"], { env: { CI: "true" } });
    expect(result.code).toBe(2);
    const { out, exit } = runScript(result, {});
    expect({ out, exit }).toEqual({ out: "", exit: "2" });
    expect(stepsAfter(exit)).toEqual(["Fail"]);
  });

  it("keeps the memory and one issue by the exit code", () => {
    const [memory, issue] = ["actions/cache/save@v4", "Keep one issue"];
    expect(["0", "1", "3"].map(stepsAfter)).toEqual([
      [memory, issue],
      [memory, issue, "Fail"],
      [memory, "Fail"],
    ]);
  });
});
