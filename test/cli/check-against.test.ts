import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { commitAll } from "../support/commit-all.ts";
import { divergingProject, projectWith, setEntities } from "../support/diverging-project.ts";
import { SMALL_ENTITIES } from "../support/indexer-answers.ts";
import { run } from "../support/run.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

// Comparisons are tested in test/tasks/check, without commands.

const QUERY = "query Recent($first: Int! = 5) {\n  streams(first: $first) { id alias sender }\n}\n";
const AGAINST = ["check", "--against", "base"];

/** A project in git with styles that agree, committed on a branch `base`. */
async function committed(): Promise<TempProject> {
  const project = await projectWith(QUERY, SMALL_ENTITIES);
  commitAll(project, "base");
  return project;
}

describe("check --against", () => {
  it("is clean without changes, and names the commits in every form", async () => {
    const project = await committed();
    const forms = "text,markdown=report.md,html=report.html";
    const { code, out, err } = await run(project.root, [...AGAINST, "--report", forms]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const [, line = ""] = /^Clean: no findings; of 1 operation none affected\.\n\n(.*)\n/.exec(out) ?? [];
    expect(line).toMatch(/^Compared with \w{12}, the merge base of base \(\w{12}\) and HEAD \(\w{12}\)\.$/);
    expect(project.read("report.html")).toContain(`<p>${line}</p>`);
    expect(project.read("report.md")).toContain(line.replaceAll(/[()]/g, "\\$&"));
  });

  it("fails for a change of the type of a selected field, and prints how to accept it", async () => {
    const project = await committed();
    for (const style of ["subgraph", "multichain"] as const) {
      setEntities(project, style, SMALL_ENTITIES.replace("alias: String!", "alias: String"));
    }
    await run(project.root, ["generate"]);
    const { code, out } = await run(project.root, [...AGAINST, "--report", "text,json=report.json"]);
    expect(code).toBe(1);
    for (const pattern of [
      /Stream.alias {2}String! → String.*\[drift\/field-type-changed \w+\]/,
      /operations\/lockup\/subgraph\/recent.graphql:2:\d+ {2}Recent/,
      /exit 1: .*break.* the types? of operations?/,
      /Next\n {2}lockflow explain .*\n {2}lockflow accept \w{12} --reason "…" --from report\.json\n/,
    ]) {
      expect(out).toMatch(pattern);
    }
    expect(JSON.parse(project.read("report.json")).operations).toEqual([
      expect.objectContaining({ name: "Recent", impact: "changes-type", line: 1, missing: [] }),
    ]);
  });

  it("says New if no snapshot was compared", async () => {
    const project = await projectWith(QUERY, SMALL_ENTITIES);
    const schemas = project.files("generated/schemas/lockup");
    project.remove("generated/schemas/lockup");
    commitAll(project, "base");
    for (const [path, text] of Object.entries(schemas)) project.write(path, text);
    const { code, out } = await run(project.root, AGAINST);
    expect(code).toBe(0);
    expect(out).toMatch(/^New: 2 additive; no operations were compared: no snapshot is in both commits\.\n/);
    expect(out.match(/does not exist at \w{12}, so it was not compared/g)).toHaveLength(2);
  });

  it.each<[name: string, ref: string]>([
    ["an unknown ref", "none"],
    ["a flag for git", "--output=x"],
    ["an empty ref", ""],
  ])("error: %s", async (_, ref) => {
    const project = await committed();
    const before = project.files("generated");
    const { code, out, err } = await run(project.root, ["check", `--against=${ref}`]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/git has no "/);
    expect(project.files("generated")).toEqual(before);
  });
});

describe("check: reports", () => {
  it("are written in every form besides text, from one run", async () => {
    const project = await divergingProject();
    const forms = ["json", "github", "markdown", "sarif", "junit"];
    const report = ["text", ...forms.map((form) => `${form}=${form}.txt`)].join(",");
    const { code, out } = await run(project.root, ["check", "--report", report]);
    expect(code).toBe(1);
    expect(out).toContain("[parity/only-multichain ");
    for (const form of forms) expect(project.read(`${form}.txt`), form).toContain("parity/only-multichain");
  });

  it.each<[given: string, checkout: (root: string) => string, want: (root: string) => string]>([
    ["a package of the checkout", dirname, (root) => `${basename(root)}/`],
    ["the checkout itself", (root) => root, () => ""],
    ["a folder elsewhere", (root) => join(root, "other"), () => ""],
  ])("writes paths relative to the root of the checkout: %s", async (_, checkout, want) => {
    const project = await divergingProject();
    project.write("generated/stray.ts", "export {};\n");
    const { out } = await run(project.root, ["check", "--report", "github,sarif=out.sarif"], {
      env: { GITHUB_WORKSPACE: checkout(project.root) },
    });
    const file = `${want(project.root)}generated/stray.ts`;
    expect(out).toContain(`file=${file},`);
    expect(project.read("out.sarif")).toContain(`"uri": "${file.replaceAll(" ", "%20")}"`);
  });

  it("error: an unknown --fail-on", async () => {
    const { code, err } = await run(tempProject().root, ["check", "--fail-on", "all"]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/--fail-on must be/) });
  });
});
