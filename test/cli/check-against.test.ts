import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { renderFleetRecord } from "../../src/workspace/fleet-record.ts";
import { commitAll, git } from "../support/commit-all.ts";
import {
  divergingProject,
  NOTED_ENTITIES,
  projectWith,
  REVENUE,
  setEntities,
} from "../support/diverging-project.ts";
import { fleetRows, snapshotText } from "../support/generated-project.ts";
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

const WITHOUT_ALIAS = SMALL_ENTITIES.replace("alias: String!", "");
const WITHOUT_SENDER = SMALL_ENTITIES.replace("sender: Bytes!", "");
const AGAINST = ["check", "--against", "base"];

/** Commits all changes on the present branch. */
function commit(project: TempProject): string {
  git(project, "add", "-A");
  git(project, "commit", "-q", "-m", "change");
  return git(project, "rev-parse", "HEAD").trim();
}

/** Returns the codes of findings, what was compared, and the exit code. */
async function reportOf(project: TempProject) {
  const { code, out } = await run(project.root, [...AGAINST, "--report", "json"]);
  const { findings, against } = JSON.parse(out);
  return { code, codes: findings.map((finding: { code: string }) => finding.code), against };
}

const BOTH = ["lockup/multichain", "lockup/subgraph"];

describe("check --against compares with the merge base", () => {
  it("and does not report what the ref changed since, but names all commits", async () => {
    const project = await committed();
    const base = git(project, "rev-parse", "base").trim();
    git(project, "checkout", "-q", "-b", "branch");
    project.write("notes.md", "");
    const head = commit(project);
    git(project, "checkout", "-q", "base");
    await moveTo(project, WITHOUT_ALIAS);
    const ref = commit(project);
    git(project, "checkout", "-q", "branch");

    const { code, codes, against } = await reportOf(project);
    expect({ code, codes }).toEqual({ code: 0, codes: [] });
    expect(against).toEqual({ ref: "base", commit: ref, head, base, compared: BOTH });
    const [short, shortRef, shortHead] = [base, ref, head].map((id) => id.slice(0, 12));
    const line = `Compared with ${short}, the merge base of base (${shortRef}) and HEAD (${shortHead}).`;
    const forms = "text,markdown=report.md,html=report.html";
    const { out } = await run(project.root, [...AGAINST, "--report", forms]);
    expect(out).toContain(`Clean: no findings; of 1 operation none affected.\n\n${line}\n`);
    expect(project.read("report.html")).toContain(`<p>${line}</p>`);
    expect(project.read("report.md")).toContain(line.replaceAll(/[()]/g, "\\$&"));

    await moveTo(project, WITHOUT_SENDER);
    const { out: changed } = await run(project.root, AGAINST);
    expect(changed).toMatch(/Stream\.sender .*\[drift\/field-removed/);
    expect(changed).not.toContain("Stream.alias");
  });

  it("error: a shallow clone without it names the command that fetches it", async () => {
    const origin = await committed();
    git(origin, "checkout", "-q", "-b", "branch");
    origin.write("notes.md", "");
    commit(origin);
    const clone = tempProject();
    git(clone, "clone", "-q", "--depth=1", "--no-single-branch", `file://${origin.root}`, ".");
    const against = ["check", "--against", "origin/base"];
    const { code, out, err } = await run(clone.root, against);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/no common commit of "origin\/base" and HEAD.*\n.*`git fetch --unshallow origin`/);
    git(clone, "fetch", "-q", "--unshallow", "origin");
    expect((await run(clone.root, against)).out).toMatch(/^Clean: /);
  });

  it("error: another history", async () => {
    const project = await committed();
    git(project, "checkout", "-q", "--orphan", "branch");
    commit(project);
    const { code, err } = await run(project.root, AGAINST);
    expect(code).toBe(2);
    expect(err).toMatch(/no common commit.*\n.*choose another branch/);
  });
});

describe("check --against, for a snapshot that is only on one side", () => {
  /** A project whose base has everything except the given files. */
  async function without(...paths: string[]): Promise<TempProject> {
    const project = await projectWith(QUERY, SMALL_ENTITIES);
    const removed = paths.map((path) => [path, project.read(path)] as const);
    for (const path of paths) project.remove(path);
    commitAll(project, "base");
    for (const [path, content] of removed) project.write(path, content);
    git(project, "checkout", "-q", "-b", "branch");
    commit(project);
    return project;
  }

  const SNAPSHOTS = BOTH.map((name) => `generated/schemas/${name}.graphql`);

  it("says New if no snapshot was compared", async () => {
    const project = await without(...SNAPSHOTS);
    const { code, out } = await run(project.root, AGAINST);
    expect(out).toMatch(/^New: 2 additive; no operations were compared: no snapshot is in both commits\.\n/);
    expect(out.match(/does not exist at \w{12}, so it was not compared/g)).toHaveLength(2);
    expect(code).toBe(0);
    expect((await reportOf(project)).against.compared).toEqual([]);
  });

  it("reports a new one, and does not fail", async () => {
    const project = await without(...SNAPSHOTS.slice(0, 1));
    const { code, codes, against } = await reportOf(project);
    expect({ code, codes }).toEqual({ code: 0, codes: ["snapshot/new"] });
    expect(against.compared).toEqual(["lockup/subgraph"]);
  });

  it("fails if it is missing on the branch", async () => {
    const project = await committed();
    git(project, "rm", "-q", SNAPSHOTS[0] ?? "");
    project.write("generated/schemas/deployments.json", renderFleetRecord(fleetRows("subgraph")));
    await run(project.root, ["generate"]);
    expect((await run(project.root, ["check"])).code).toBe(0);
    const { code, codes, against } = await reportOf(project);
    expect({ code, codes }).toEqual({ code: 1, codes: ["snapshot/missing"] });
    expect(against.compared).toEqual(["lockup/subgraph"]);
  });

  it("is one finding if it is missing on the branch and operations need it", async () => {
    const project = await committed();
    project.write("operations/lockup/multichain/recent.graphql", "query Recent { Stream { id } }");
    git(project, "rm", "-q", SNAPSHOTS[0] ?? "");
    expect(await reportOf(project)).toMatchObject({ code: 1, codes: ["snapshot/missing"] });
  });

  it.each(["app", "generated/nested"])("compares it with itself in its former folder: %s", async (output) => {
    const project = await committed();
    git(project, "mv", "generated", "moved");
    project.write(`${output}/keep.txt`, "");
    git(project, "mv", "moved", `${output}/out`);
    project.write("lockflow.config.json", `{ "protocols": ["lockup"], "output": "${output}/out" }`);
    expect(await reportOf(project)).toMatchObject({ code: 0, codes: [], against: { compared: BOTH } });
    const file = `${output}/out/schemas/lockup/subgraph.graphql`;
    project.write(file, snapshotText("subgraph", WITHOUT_ALIAS));
    const { out } = await run(project.root, ["diff", "base:lockup/subgraph", "lockup/subgraph"]);
    expect(out).toMatch(/Stream\.alias .*\[drift\/field-removed/);
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

  it.each<[edit: string, from: string, to: string]>([
    ["a type", "  sender: Bytes!", "  sender: Bytes"],
    ["a field that an operation selects", "  alias: String!\n", ""],
    ["the hash", fleetRows("subgraph")[0]?.schema ?? "", "0".repeat(64)],
    ["the syntax", "type Stream ", "typ Stream "],
  ])("reports an edited snapshot once: %s", async (_, from, to) => {
    const project = await committed();
    const path = "generated/schemas/lockup/subgraph.graphql";
    const text = project.read(path);
    expect(text).toContain(from);
    project.write(path, text.replace(from, to));
    expect(await codesOf(project, "check")).toEqual(["snapshot/edited"]);
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
