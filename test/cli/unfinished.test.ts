import { describe, expect, it } from "vitest";
import { runCli } from "../support/run-process.ts";
import { tempProject } from "../support/temp-project.ts";

describe("a process that ends before its run has finished", () => {
  it.each([
    ["nothing is left to wait for", "await new Promise(() => {});\nexport default {};\n"],
    ["the configuration ends it with success", "process.exit(0);\n"],
  ])("error: never says that all is well: %s", async (_, config) => {
    const project = tempProject({ "lockflow.config.mjs": config, "package.json": "{}" });
    const { code, out, err } = await runCli(["check", "--report", "json=report.json"], { cwd: project.root });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^lockflow: the run ended before it was finished, so it has no result\.$/m);
    expect(project.files()).not.toHaveProperty("report.json");
  });
});
