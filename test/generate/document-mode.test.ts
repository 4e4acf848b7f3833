import { describe, expect, it } from "vitest";
import { installClient } from "../support/built-client.ts";
import { generatedProject } from "../support/generated-project.ts";
import { SMALL_ENTITIES } from "../support/indexer-answers.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { run } from "../support/run.ts";
import type { TempProject } from "../support/temp-project.ts";
import { STRICT_FILES, typeErrors } from "../support/type-errors.ts";

const OPERATIONS = {
  "portable/recent.graphql":
    "query Recent($first: Int! = 5) { streams(first: $first) { ...Row } } fragment Row on Stream { id }",
  "subgraph/own.graphql": "query Own { streams(first: 5) { id } }",
};
const ENTITIES = SMALL_ENTITIES.replace("alias: String!", "alias: String! chainId: BigInt!");

async function generated(
  config: object,
  operations: Readonly<Record<string, string>> = OPERATIONS,
): Promise<TempProject> {
  const project = generatedProject(operations, ENTITIES);
  project.write("lockflow.config.json", JSON.stringify({ protocols: ["lockup"], ...config }));
  project.write("package.json", '{ "type": "module" }');
  expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
  expect(await run(project.root, ["check"])).toMatchObject({ code: 0 });
  return project;
}

/** In thorough mode, type-checks an application that imports every module. */
async function expectCompiled(project: TempProject): Promise<void> {
  if (!IS_THOROUGH) return;
  installClient(project.root);
  project.write(
    "use.ts",
    'export * from "./generated/client.js"; export * from "./generated/lockup/portable.js";',
  );
  expect(await typeErrors(project.root, { args: [...STRICT_FILES, "--noUnusedLocals", "use.ts"] })).toBe("");
}

describe("documentMode", () => {
  it("string: no parsed documents, but all types and texts", async () => {
    const project = await generated({ documentMode: "string" });
    const typed = project.read("generated/lockup/subgraph.ts");
    expect(typed).not.toMatch(/TypedDocumentNode|typePolicies|documents/);
    expect(Object.keys(project.files("generated"))).not.toContain("generated/lockup/subgraph.documents.ts");
    expect(typed).toContain("export type RecentQuery = {");
    expect(project.read("generated/lockup/subgraph.strings.ts")).toMatch(/OwnDocument[\s\S]*RecentDocument/);
    await expectCompiled(project);
  });

  it("documentNode: only the texts of portable operations", async () => {
    const project = await generated({ documentMode: "documentNode" });
    expect(project.read("generated/lockup/subgraph.documents.ts")).toContain("export const OwnDocument = {");
    const strings = project.read("generated/lockup/subgraph.strings.ts");
    expect(strings).toContain("RecentDocument");
    expect(strings).not.toContain("OwnDocument");
    await expectCompiled(project);
  });

  it("documentNode: without portable operations, strings of an earlier mode are removed", async () => {
    const own = { "subgraph/own.graphql": "query Own { streams(first: 5) { id } }" };
    const project = await generated({}, own);
    expect(Object.keys(project.files("generated"))).toContain("generated/lockup/subgraph.strings.ts");
    project.write("lockflow.config.json", '{ "protocols": ["lockup"], "documentMode": "documentNode" }');
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    expect(Object.keys(project.files("generated"))).not.toContain("generated/lockup/subgraph.strings.ts");
    expect(await run(project.root, ["check"])).toMatchObject({ code: 0 });
  });

  it("error: an unknown mode", async () => {
    const project = generatedProject(OPERATIONS, ENTITIES);
    project.write("lockflow.config.json", '{ "documentMode": "graphQLTag" }');
    const { code, err } = await run(project.root, ["generate"]);
    expect(code).toBe(2);
    expect(err).toContain('"documentMode" must be "documentNode", "string" or "both"');
  });

  it.each([
    [{}, "string"],
    [{ "@tanstack/react-query": "5" }, "string"],
    [{ "@apollo/client": "4" }, "documentNode"],
    [{ "graphql-request": "7" }, "documentNode"],
  ])("init writes the mode for the project's client: %j → %s", async (dependencies, mode) => {
    const project = generatedProject({}, ENTITIES);
    project.remove("lockflow.config.json");
    project.write("package.json", JSON.stringify({ type: "module", dependencies }));
    expect(await run(project.root, ["init", "--yes"])).toMatchObject({ code: 0 });
    expect(project.read("lockflow.config.mjs")).toContain(`documentMode: "${mode}",`);
  });
});
