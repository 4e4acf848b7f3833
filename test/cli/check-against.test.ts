import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { commitAll, git } from "../support/commit-all.ts";
import {
  divergingProject,
  NOTED_ENTITIES,
  projectWith,
  REVENUE,
  setEntities,
} from "../support/diverging-project.ts";
import { SMALL_ENTITIES } from "../support/indexer-answers.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { run } from "../support/run.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

const QUERY = "query Recent($first: Int! = 5) {\n  streams(first: $first) { id alias sender }\n}\n";

/** A project in git with styles that agree, committed on a branch `base`. */
async function committed(): Promise<TempProject> {
  const project = await projectWith(QUERY, SMALL_ENTITIES);
  commitAll(project, "base");
  return project;
}

async function moveTo(project: TempProject, entities: string): Promise<void> {
  setEntities(project, "subgraph", entities);
  setEntities(project, "multichain", entities);
  await run(project.root, ["generate"]);
}

describe("check --against", () => {
  const CHANGES: readonly (readonly [name: string, entities: string, code: number, want: RegExp[]])[] = [
    ["nothing changed", SMALL_ENTITIES, 0, [/^Clean: no findings; of 1 operation none affected\./]],
    [
      "a selected field was removed",
      SMALL_ENTITIES.replace("alias: String!", ""),
      1,
      [/Cannot query field "alias"/, /\[drift\/field-removed \w+\]/, /\[operation\/invalid \w+\]/],
    ],
    [
      "an unused field was removed",
      SMALL_ENTITIES.replace("depositAmount: BigInt!", ""),
      0,
      [
        /Stream.depositAmount .*lockup\/multichain {2}\[drift\/field-removed \w+\]/,
        /Stream.depositAmount .*lockup\/subgraph {2}\[drift\/field-removed \w+\]/,
        /none affected/,
      ],
    ],
    [
      "a selected field became nullable, and every document is still valid",
      SMALL_ENTITIES.replace("alias: String!", "alias: String"),
      1,
      [
        /Stream.alias {2}String! → String.*\[drift\/field-type-changed \w+\]/,
        /operations\/lockup\/subgraph\/recent.graphql:2:\d+ {2}Recent/,
        /exit 1: .*break.* the types? of operations?/,
        /Next\n {2}lockflow explain .*\n {2}lockflow accept \w{12} --reason "…" --from report\.json\n/,
      ],
    ],
  ];

  it.each(IS_THOROUGH ? CHANGES : CHANGES.slice(0, 2))("%s", async (_, entities, code, want) => {
    const project = await committed();
    await moveTo(project, entities);
    const result = await run(project.root, ["check", "--against", "base"]);
    expect(result.err).toBe("");
    for (const pattern of want) expect(result.out).toMatch(pattern);
    expect(result.code).toBe(code);
  });

  it.runIf(IS_THOROUGH)("treats a new enum member as breaking with --exhaustive-enums", async () => {
    const project = await committed();
    await moveTo(project, SMALL_ENTITIES.replace(/enum (\w+) \{/, "enum $1 { Brand_new"));
    const args = ["check", "--against", "base", "--fail-on", "breaking"];
    expect((await run(project.root, args)).code).toBe(0);
    expect((await run(project.root, [...args, "--exhaustive-enums"])).code).toBe(1);
  });

  it("reports the impact on every operation in JSON", async () => {
    const project = await committed();
    await moveTo(project, SMALL_ENTITIES.replace("alias: String!", "alias: String"));
    const { out } = await run(project.root, ["check", "--against", "base", "--report", "json"]);
    const { operations, findings } = JSON.parse(out);
    expect(operations).toEqual([
      expect.objectContaining({ name: "Recent", impact: "changes-type", line: 1, missing: [] }),
    ]);
    expect(findings.map(({ code }: { code: string }) => code)).toContain("drift/field-type-changed");
  });

  it("reports nothing as removed if the ref does not have the snapshot", async () => {
    const project = await committed();
    project.write("empty.txt", "");
    const tree = git(project, "hash-object", "-w", "-t", "tree", "/dev/null").trim();
    const commit = git(project, "commit-tree", tree, "-m", "empty").trim();
    const { code } = await run(project.root, ["check", "--against", commit]);
    expect(code).toBe(0);
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

describe("check, for differences that it does not report", () => {
  /** Returns the codes of findings that `check` or `diff` reports. */
  async function codesOf(project: TempProject, ...args: string[]): Promise<string[]> {
    const { out } = await run(project.root, [...args, "--report", "json"]);
    const { findings } = JSON.parse(out);
    return findings.map(({ code }: { code: string }) => code);
  }

  it("does not fail for an entity that only one style has", async () => {
    const project = await committed();
    setEntities(project, "multichain", SMALL_ENTITIES + REVENUE);
    await run(project.root, ["generate"]);
    expect(await codesOf(project, "diff")).toEqual(["parity/only-multichain"]);
    expect(await codesOf(project, "check")).toEqual([]);
    expect(await codesOf(project, "check", "--fail-on", "any")).toEqual([]);
  });

  it("reports an edited snapshot, and no finding that only the edit causes", async () => {
    const project = await committed();
    setEntities(project, "multichain", NOTED_ENTITIES);
    await run(project.root, ["generate"]);
    const { findings } = JSON.parse((await run(project.root, ["check", "--report", "json"])).out);
    await run(project.root, ["accept", findings[0].fingerprint, "--reason", "known"]);
    const path = "generated/schemas/lockup/subgraph.graphql";
    project.write(path, project.read(path).replace("  sender: Bytes!", "  sender: Bytes"));
    await run(project.root, ["generate"]);
    for (const against of [[], ["--against", "base"]]) {
      expect(await codesOf(project, "check", ...against)).toEqual(["snapshot/edited"]);
    }
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

  it.each<[args: string[], want: RegExp]>([
    [["--report", "yaml"], /Unknown form "yaml"/],
    [["--fail-on", "all"], /--fail-on must be/],
  ])("error: %j", async (args, want) => {
    const { code, err } = await run(tempProject().root, ["check", ...args]);
    expect(code).toBe(2);
    expect(err).toMatch(want);
  });
});
