import { describe, expect, it } from "vitest";
import type { Config } from "../../src/project/config.ts";
import { parseConfig } from "../../src/project/parse-config.ts";
import { installClient } from "../support/built-client.ts";
import { generatedProject } from "../support/generated-project.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { inFolder } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";
import { STRICT_FILES, typeErrors } from "../support/type-errors.ts";
import { filesIn, WITH_CHAIN } from "./generate-in.ts";

const OWN = { "subgraph/own.graphql": "query Own { streams(first: 5) { id } }" };
const OPERATIONS = {
  "portable/recent.graphql":
    "query Recent($first: Int! = 5) { streams(first: $first) { ...Row } } fragment Row on Stream { id }",
  ...OWN,
};

/** Returns the generated files. In thorough mode, type-checks an application that imports every module. */
async function generated(documentMode: Config["documentMode"]): Promise<Record<string, string>> {
  const files = await filesIn(generatedProject(OPERATIONS, WITH_CHAIN), { documentMode });
  if (IS_THOROUGH) {
    const project = tempProject({
      ...inFolder("generated", files),
      "package.json": '{ "type": "module" }',
      "use.ts": 'export * from "./generated/client.js"; export * from "./generated/lockup/portable.js";',
    });
    installClient(project.root);
    const args = [...STRICT_FILES, "--noUnusedLocals", "use.ts"];
    expect(await typeErrors(project.root, { args })).toBe("");
  }
  return files;
}

describe("documentMode", () => {
  it("string: no parsed documents, but all types and texts", async () => {
    const files = await generated("string");
    expect(files["lockup/subgraph.ts"]).not.toMatch(/TypedDocumentNode|typePolicies|documents/);
    expect(files["lockup/subgraph.ts"]).toContain("export type RecentQuery = {");
    expect(files["lockup/subgraph.documents.ts"]).toBeUndefined();
    expect(files["lockup/subgraph.strings.ts"]).toMatch(/OwnDocument[\s\S]*RecentDocument/);
  });

  it("documentNode: only the texts of portable operations", async () => {
    const files = await generated("documentNode");
    expect(files["lockup/subgraph.documents.ts"]).toContain("export const OwnDocument = {");
    expect(files["lockup/subgraph.strings.ts"]).toContain("RecentDocument");
    expect(files["lockup/subgraph.strings.ts"]).not.toContain("OwnDocument");
    const without = await filesIn(generatedProject(OWN), { documentMode: "documentNode" });
    expect(without["lockup/subgraph.strings.ts"]).toBeUndefined();
  });

  it("error: an unknown mode", () => {
    expect(() => parseConfig({ documentMode: "graphQLTag" }, "a.json")).toThrow(
      '"documentMode" must be "documentNode", "string" or "both"',
    );
  });

  it.each([
    [{}, "string"],
    [{ "@tanstack/react-query": "5" }, "string"],
    [{ "@apollo/client": "4" }, "documentNode"],
    [{ "graphql-request": "7" }, "documentNode"],
  ])("init writes the mode for the project's client: %j → %s", async (dependencies, mode) => {
    const project = generatedProject({});
    project.remove("lockflow.config.json");
    project.write("package.json", JSON.stringify({ type: "module", dependencies }));
    expect(await run(project.root, ["init", "--yes"])).toMatchObject({ code: 0 });
    expect(project.read("lockflow.config.mjs")).toContain(`documentMode: "${mode}",`);
  });
});
