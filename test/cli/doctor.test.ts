import { expect, it } from "vitest";
import type { Diagnosis } from "../../src/tasks/doctor.ts";
import { installClient } from "../support/built-client.ts";
import { generatedProject } from "../support/generated-project.ts";
import { liveFleet, lockup } from "../support/live-fleet.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";
import { KEY, keyed } from "../tasks/doctor/context-of.ts";

it("reports nothing for a valid project, and changes nothing", async () => {
  const project = generatedProject({ "subgraph/a.graphql": "query A { streams { id } }" });
  project.write("package.json", "{}");
  project.write("package-lock.json", "{}");
  installClient(project.root);
  await run(project.root, ["generate"]);
  const before = project.files();
  const { code, out, err } = await run(project.root, ["doctor"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^ok {7}endpoints {2}No host is configured, so commands use the emulator on this$/m);
  expect(out).toMatch(/\n\nNothing is wrong\.\n$/);
  expect(project.files()).toEqual(before);
});

it("prints problems first and fixes last, in eighty columns", async () => {
  const project = keyed({ ".env": `GRAPH_KEY=${KEY}\n` });
  const { code, out } = await run(project.root, ["doctor", "--offline", "--environment", "production"]);
  expect(code).toBe(1);
  const lines = out.trimEnd().split("\n");
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines[0]).toMatch(/^problem {2}generated/);
  expect(out).toContain("problem  keys       GRAPH_KEY is not set (it is in .env,");
  expect(out).toMatch(/\nWhat to do\n {2}1\. [\s\S]*\n {2}2\. set -a; \. \.\/\.env; set \+a\n/);
  expect(lines.at(-1)).toBe("2 problems.");
  expect(out).not.toContain(KEY);
});

it("prints every check as JSON, also for a configuration with an error", async () => {
  const project = tempProject({ "package.json": "{}", "lockflow.config.json": '{ "protocol": [] }' });
  const { code, out } = await run(project.root, ["doctor", "--json", "--offline"]);
  expect(code).toBe(1);
  const { version, diagnoses } = JSON.parse(out) as {
    readonly version: number;
    readonly diagnoses: readonly Diagnosis[];
  };
  expect(version).toBe(1);
  expect(diagnoses.map(({ check, status }) => `${check} ${status}`)).toEqual([
    "node ok",
    "packages ok",
    "graphql ok",
    "config problem",
    "generated skipped",
    "keys skipped",
    "public skipped",
    "disk ok",
    "endpoints skipped",
    "collation skipped",
  ]);
});

it("prints the commands of the detected package manager", async () => {
  const project = tempProject({ "package.json": "{}", "pnpm-lock.yaml": "", "codegen.ts": "" });
  const { out } = await run(project.root, ["doctor", "--offline"]);
  expect(out).toContain("pnpm installs the packages in pnpm-lock.yaml.");
  expect(out).toContain("pnpm add --save-dev @graphql-codegen/cli graphql");
});

it("shows the number of queried endpoints", async () => {
  const project = await liveFleet([{ ...lockup("linea"), kind: "502" }], undefined, {
    suffixes: ["linea", "base"],
  });
  const { code, err } = await run(project.root, ["doctor", "--timeout", "60"], { env: { KEY: "emulator" } });
  expect(code).toBe(1);
  expect(err).toContain("2/2 endpoints\n");
});

it.each([
  [["--config", "none.json"], /no configuration file "none\.json"/],
  [["--environment", "moon"], /--environment must be/],
  [["--concurrency", "0"], /--concurrency must be/],
])("error: %j exits with 2", async (args, want) => {
  const { code, out, err } = await run(tempProject().root, ["doctor", ...args]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(want);
});
