import { appendFileSync, cpSync } from "node:fs";
import { join } from "node:path";
import { buildSchema, introspectionFromSchema } from "graphql";
import { describe, expect, it } from "vitest";
import type { Adapted } from "../../../src/tasks/adapt/adapt-types.ts";
import { requireUnchanged } from "../../../src/tasks/adapt.ts";
import { check } from "../../../src/tasks/check.ts";
import { generate } from "../../../src/tasks/generate.ts";
import { renderFleetRecord } from "../../../src/workspace/fleet-record.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { type TempProject, tempProject } from "../../support/temp-project.ts";
import {
  adaptIn,
  git,
  libraryProject,
  mergedProject,
  movedProject,
  oldProject,
  pathOf,
  results,
  snapshotText,
  writeMerged,
} from "./support.ts";

const RECENT = `# The newest.
query Recent($first: Int! = 10) {
  streams(first: $first, orderBy: timestamp) { id alias }
}
`;
const ADAPTED = "Recent: adapted type-name configuration";
const FOLDER = "operations/lockup/subgraph";

/** The first note with a code. */
const noteOf = ({ operations }: Adapted, code: string) =>
  operations.flatMap(({ notes }) => notes).find((one) => one.code === `adapt/${code}`);

/** The operations of the library that are adapted: by default some of them. */
const TRIED = IS_THOROUGH ? /./ : /health|(action|asset|stream)-fields|(actions-feed|all-streams|assets)\./;

const recentProject = () => mergedProject({ "subgraph/recent.graphql": RECENT });
const validProject = () => mergedProject({ "subgraph/valid.graphql": "query V { lockupStreams { id } }\n" });
const commit = (project: TempProject, message: string) => {
  git(project, "add", "-A");
  git(project, "commit", "-q", "--allow-empty", "-m", message);
};
/** A clone without the commits before the last one. */
function shallowClone(origin: TempProject): TempProject {
  commit(origin, "later");
  const clone = tempProject();
  git(clone, "clone", "-q", "--depth=1", `file://${origin.root}`, ".");
  return clone;
}

describe("adapt", () => {
  it("rewrites the library in place, which generates and checks with the noted configuration", async () => {
    const project = libraryProject(TRIED);
    const adapted = await adaptIn(project, { write: true });
    expect(adapted.written).toBe(true);
    expect(adapted.diff).toContain("+  streams: lockupStreams(");
    expect(results(adapted).filter((line) => !/: (adapted|valid)/.test(line))).toEqual([]);
    expect(results(adapted)).toContain("Assets: valid merged");

    const note = noteOf(adapted, "configuration");
    expect(note?.file).toBe("lockflow.config.json");
    const definition = /defineProtocol\((\{.*\})\)/.exec(note?.message ?? "")?.[1] ?? "";
    project.remove("lockflow.config.json");
    project.write("lockflow.config.ts", `export default { protocols: { lockup: ${definition} } };\n`);
    const { failed } = await generate({ cwd: project.root });
    expect(failed.map(({ message }) => message)).toEqual([]);
    const checked = await check({ cwd: project.root });
    expect(checked.failed.filter(({ code }) => !code.startsWith("snapshot/"))).toEqual([]);
    const portable = project.read("generated/lockup/portable.ts");
    expect(portable).toMatch(/AllStreams: PortableOperation<.*"pages"/);
    expect(portable).toContain('startTime: "time"');

    // With the written configuration, a committed rename is still the same.
    commit(project, "renamed");
    const again = await adaptIn(project, { write: true });
    expect(again.files).toEqual([]);
    expect(results(again).filter((line) => / adapted|configuration/.test(line))).toEqual([]);
  });

  it.each([
    ["before the new snapshots are committed", false],
    ["after that", true],
  ])("finds the old schema %s", async (_, isCommitted) => {
    const project = recentProject();
    if (isCommitted) for (const message of ["new snapshots", "later"]) commit(project, message);
    const { operations } = await adaptIn(project, { write: true });
    expect(operations).toMatchObject([
      {
        name: "Recent",
        surface: "lockup/subgraph",
        result: "adapted",
        from: git(project, "rev-list", "--max-parents=0", "HEAD").slice(0, 12),
        to: `${FOLDER}/recent.graphql`,
      },
    ]);
    expect(project.read(`${FOLDER}/recent.graphql`)).toBe(
      RECENT.replace("streams(", "streams: lockupStreams("),
    );
  });

  it.each([
    ["subgraph", RECENT, ["main", "old.graphql"]],
    [
      "multichain",
      "query A($c: streamcategory) { Stream(where: { category: { _eq: $c } }) { id } }",
      ["old.json", "old.graphql"],
    ],
  ] as const)("takes the old schema of %s from a file or a ref", async (style, query, places) => {
    const project = mergedProject({ [`${style}/recent.graphql`]: query });
    const text = snapshotText("old", "lockup", { style });
    project.write("old.graphql", text);
    project.write("old.json", JSON.stringify({ data: introspectionFromSchema(buildSchema(text)) }));
    for (const from of places) {
      // A file needs no repository.
      if (from === "old.graphql") project.remove(".git");
      expect((await adaptIn(project, { from })).operations).toMatchObject([{ result: "adapted", from }]);
    }
  });

  it("describes each operation", async () => {
    const OPERATIONS: readonly (readonly [folder: string, query: string, want: string])[] = [
      [
        "multichain",
        "A($c: streamcategory) { Stream(where: { category: { _eq: $c } }) { id category } }",
        "adapted variable-type type-name",
      ],
      [
        "subgraph",
        "B($where: Stream_filter) { streams(where: $where) { id } }",
        "adapted variable-type variable-values type-name",
      ],
      ["subgraph", "C { streams { __typename } }", "adapted typename type-name"],
      ["subgraph", "D { payouts { id } }", "refused never-valid"],
      // Another scalar is allowed for a variable of a portable operation.
      ["portable", "E($id: String!) { stream(id: $id) { id } }", "adapted type-name"],
    ];
    const files = OPERATIONS.map(([folder, query]) => [`${folder}/${query[0]}.graphql`, `query ${query}`]);
    const adapted = await adaptIn(
      mergedProject({ ...Object.fromEntries(files), "subgraph/f.graphql": "query F {" }),
    );
    expect(
      results(adapted)
        .map((line) => line.replace(" configuration", ""))
        .sort(),
    ).toEqual([...OPERATIONS.map(([, query, want]) => `${query[0]}: ${want}`), "f: refused never-valid"]);
  });

  it("refuses an operation with a removed field and the others of its group, and adapts other groups", async () => {
    const removed = "fragment F on Stream { id note }";
    const project = oldProject({
      "subgraph/a.graphql": "query A { streams { ...F } }\nquery B { streams { ...G } }",
      "subgraph/f.graphql": `${removed}\nfragment G on Stream { alias }`,
      "subgraph/c.graphql": RECENT,
    });
    // An earlier version had one more field.
    const text = project.read(pathOf("subgraph"));
    project.write(pathOf("subgraph"), text.replace("\ntype Stream {\n", "\ntype Stream {\n  note: String\n"));
    git(project, "commit", "-q", "-am", "note");
    writeMerged(project);
    const adapted = await adaptIn(project, { write: true });
    expect(results(adapted)).toEqual(["A: refused not-valid", "B: refused shared-fragment", ADAPTED]);
    expect(adapted.operations[0]?.reasons).toMatchObject([
      { file: `${FOLDER}/f.graphql`, line: 1, column: 27, message: expect.stringContaining("note") },
    ]);
    expect(adapted.operations[1]?.reasons).toMatchObject([
      { message: "It shares a file with A, which is refused." },
    ]);
    expect(adapted.files).toEqual([`${FOLDER}/c.graphql`]);
    expect(project.read(`${FOLDER}/f.graphql`)).toContain(removed);
  });

  it("adapts fragments that no operation uses, and names those that it leaves", async () => {
    const project = mergedProject({
      "subgraph/a.graphql": "fragment Unused on Stream { id actions { id } }",
      "subgraph/b.graphql": "fragment Bad on Payout { id }",
    });
    const adapted = await adaptIn(project, { write: true });
    expect(adapted.files).toEqual([`${FOLDER}/a.graphql`]);
    expect(adapted.notes).toEqual([
      expect.stringMatching(/^operations\/lockup\/subgraph\/b\.graphql stays: no operation uses/),
    ]);
  });

  it("finishes a killed run, and keeps what was corrected by hand", async () => {
    const files = {
      "subgraph/a.graphql": "query A { streams { ...F } }",
      "subgraph/f.graphql": "fragment F on Stream { id asset { streams { id } } }",
    };
    const project = mergedProject(files);
    await adaptIn(project, { write: true });
    const want = project.files("operations");
    for (const [path, text] of Object.entries(files)) {
      project.write(`operations/lockup/${path}`, text);
      expect(results(await adaptIn(project, { write: true }))).toEqual([
        "A: adapted type-name configuration",
      ]);
      expect(project.files("operations")).toEqual(want);
    }
  });

  it("refuses a portable operation until both styles are renamed, and adapts one of a single style", async () => {
    const both = RECENT.replaceAll("Recent", "Both");
    const project = oldProject({ "portable/recent.graphql": both, "subgraph/recent.graphql": RECENT });
    writeMerged(project, ["subgraph"]);
    const adapted = await adaptIn(project);
    expect(results(adapted)).toEqual(["Both: refused not-portable", "Recent: adapted one-style type-name"]);
    expect(adapted.operations[0]?.reasons[0]?.message).toMatch(/still has the old names/);
  });

  it("says that a snapshot has not changed", async () => {
    const adapted = await adaptIn(oldProject({ "subgraph/recent.graphql": RECENT }));
    expect(results(adapted)).toEqual(["Recent: valid"]);
    expect(adapted.notes).toEqual([
      expect.stringMatching(
        /^generated\/schemas\/lockup\/subgraph\.graphql has not changed .*introspect.*--to/,
      ),
    ]);
  });

  it("notes the chains that still have the old names, and needs no snapshot of the other style", async () => {
    const project = recentProject();
    project.remove(pathOf("multichain"));
    const old = snapshotText("old", "lockup", { style: "subgraph" });
    const hash = /^# schema (.*)$/m.exec(old)?.[1] ?? "";
    const snapshot = `schemas/lockup/subgraph.${hash.slice(0, 8)}.graphql`;
    project.write(`generated/${snapshot}`, old);
    const row = {
      name: "protocol-lockup-base",
      protocol: "lockup",
      style: "subgraph",
      chains: ["base"],
    } as const;
    const record = renderFleetRecord([{ ...row, schema: hash, docs: hash, entities: hash, snapshot }]);
    project.write("generated/schemas/deployments.json", record);
    expect(noteOf(await adaptIn(project), "fleet")?.message).toBe(
      "These chains still have the old names: base.",
    );
  });

  it("notes renamed values that code may send as text, and refuses them in a document", async () => {
    const list = (value: string) => `Stream(where: { category: { _eq: ${value} } }) { id }`;
    const project = mergedProject({
      "subgraph/a.graphql": "query A { streams(where: { category: LockupLinear }) { id } }",
      "multichain/b.graphql": `query B($c: streamcategory!) { ${list("$c")} }`,
      "multichain/c.graphql": `query C { ${list('"LockupLinear"')} }`,
    });
    const text = project.read(pathOf("subgraph"));
    project.write(pathOf("subgraph"), text.replaceAll(/^( {2})LockupLinear$/gm, "$1Linear"));
    const adapted = await adaptIn(project, { renames: ["StreamCategory.LockupLinear=Linear"] });
    const { operations } = adapted;
    expect(operations.map(({ name, result }) => `${name} ${result}`).join()).toBe(
      "B adapted,C refused,A adapted",
    );
    expect(noteOf(adapted, "enum-text")?.message).toBe(
      'The values of $c may come from code: write "Linear" in place of "LockupLinear".',
    );
    expect(operations[1]?.reasons).toMatchObject([
      { code: "adapt/not-valid", message: expect.stringContaining('"LockupLinear" does not exist') },
    ]);
  });

  it("edits documents in code, only inside of literals, and lists the edits of others", async () => {
    const documents = [{ files: "src/*.ts", protocol: "lockup", style: "subgraph" }];
    const project = mergedProject({}, { protocols: ["lockup"], documents });
    const plain =
      "const streams = 1;\r\nexport const A = gql`\r\n  query A { streams { id } } # streams\r\n`;\r\n";
    const escaped = 'export const B = gql("query B { streams(where: { alias: \\"x\\" }) { id } }");\n';
    project.write("src/a.ts", plain);
    project.write("src/b.ts", escaped);
    project.write("src/c.ts", "export const C = gql`query C { streams { ${field()} } }`;\n");
    const adapted = await adaptIn(project, { write: true });
    expect(results(adapted)).toEqual([
      ...["A: adapted type-name configuration", "B: refused in-code", "c: refused in-code"],
    ]);
    expect(adapted.operations[1]?.reasons[0]?.message).toContain(
      'Write "streams: lockupStreams" in place of "streams"',
    );
    expect(project.read("src/a.ts")).toBe(plain.replace("{ streams {", "{ streams: lockupStreams {"));
    expect(project.read("src/b.ts")).toBe(escaped);
  });

  it("finds the surface of a document in code by the old schemas", async () => {
    const project = mergedProject({}, { protocols: ["lockup"], documents: ["src/*.ts"] });
    const code = `gql("query A { streams { ...F } }"); gql("fragment F on Stream { alias }"); gql("query B { Stream { id } }");`;
    project.write("src/a.ts", code);
    const { operations } = await adaptIn(project, { write: true });
    expect(operations.map(({ name, surface, result }) => `${name} ${surface} ${result}`)).toEqual([
      ...["B lockup/multichain adapted", "A lockup/subgraph adapted"],
    ]);
    expect(project.read("src/a.ts")).toMatch(/streams: lockupStreams.*Stream: LockupStream/);
  });
});

describe("adapt stops", () => {
  it.each<[name: string, start: () => TempProject, options: object, want: RegExp]>([
    [
      "outside of a repository",
      () => {
        const project = recentProject();
        project.remove(".git");
        return project;
      },
      {},
      /no earlier versions.*\n.*--from/,
    ],
    [
      "in a shallow clone without a version that fits",
      () => shallowClone(recentProject()),
      {},
      /shallow clone.*\n.*fetch-depth: 0/,
    ],
    ["for an unknown ref", recentProject, { from: "nothing" }, /git has no "nothing"/],
    ["for an unknown ref if all is valid", validProject, { from: "nothing" }, /git has no "nothing"/],
    [
      "without operations",
      () => mergedProject({ "readme.md": "none" }),
      {},
      /operations\/ has no operations/,
    ],
    [
      "for a ref without the snapshot",
      () => {
        const project = recentProject();
        git(project, "checkout", "-q", "--orphan", "empty");
        git(project, "rm", "-rqf", "--cached", ".");
        git(project, "commit", "-q", "--allow-empty", "-m", "empty");
        return project;
      },
      { from: "empty" },
      /empty has no snapshot of lockup\/subgraph/,
    ],
    [
      "for a rename that does not apply",
      recentProject,
      { renames: ["Strem=LockupStream"] },
      /old schema has no Strem/,
    ],
  ])("%s", async (_, start, options, want) => {
    const project = start();
    const before = project.files("operations");
    await expect(adaptIn(project, { ...options, write: true })).rejects.toThrow(want);
    expect(project.files("operations")).toEqual(before);
  });

  it("if a file was changed since it was read", () => {
    const project = tempProject({ "a.graphql": "a" });
    const contents = new Map(Object.entries({ "a.graphql": "a", "new.graphql": null }));
    const changed = (path: string) =>
      expect(() => requireUnchanged(project.root, contents)).toThrow(`${path} was changed during the run`);
    requireUnchanged(project.root, contents);
    project.write("new.graphql", "");
    changed("new.graphql");
    project.remove("new.graphql");
    appendFileSync(join(project.root, "a.graphql"), "b");
    changed("a.graphql");
  });
});

describe("the walk over versions", () => {
  it("skips a version that cannot be read, and names it", async () => {
    const project = oldProject({ "subgraph/recent.graphql": RECENT });
    const text = project.read(pathOf("subgraph"));
    for (const broken of ["<<<<<<< ours\n", text.replace("\ntype Stream {", "\ntype Stream {{")]) {
      project.write(pathOf("subgraph"), broken);
      git(project, "commit", "-q", "-am", "broken");
    }
    writeMerged(project);
    const adapted = await adaptIn(project);
    expect(results(adapted)).toEqual([ADAPTED]);
    expect(adapted.notes).toMatchObject([
      expect.stringMatching(/was skipped: it does not start with the header/),
      expect.stringMatching(/was skipped: it is not a valid schema/),
    ]);
  });

  it("follows a moved folder", async () => {
    const project = oldProject({ "subgraph/recent.graphql": RECENT });
    const move = (from: string, to: string) => {
      cpSync(join(project.root, from), join(project.root, to), { recursive: true });
      project.remove(from);
    };
    move("generated", "out");
    project.write("lockflow.config.json", '{ "protocols": ["lockup"], "output": "out" }');
    commit(project, "move");
    writeMerged(project);
    move("generated", "out");
    commit(project, "new snapshots");
    expect(results(await adaptIn(project))).toEqual([ADAPTED]);
  });
});

describe("adapt --to", () => {
  const lockup = { protocols: ["lockup"], to: "merged" };

  it("moves both protocols, the second one with a prefix for the names that both have", async () => {
    const asset = "fragment AssetFields on Asset { id symbol }";
    const stream =
      "query StreamById($id: ID!) { stream(id: $id) { id alias startTime asset { ...AssetFields } } }";
    const both = ["lockup", "flow"].flatMap((key) => [
      [`${key}/portable/stream-by-id.graphql`, stream],
      [`${key}/portable/fragments/asset-fields.graphql`, asset],
    ]);
    const project = movedProject({
      ...Object.fromEntries(both),
      "flow/subgraph/rates.graphql": "query Rates { streams { ratePerSecond } }",
    });
    const first = await adaptIn(project, { ...lockup, write: true });
    expect(results(first)).toEqual(["StreamById: adapted type-name configuration import"]);
    expect(first.operations[0]).toMatchObject({ to: "operations/merged/portable/stream-by-id.graphql" });
    expect(project.read("operations/merged/portable/stream-by-id.graphql")).toBe(
      stream.replace("stream(", "stream: lockupStream("),
    );
    const before = project.files("operations");
    const flow = { protocols: ["flow"], to: "merged" };
    expect(results(await adaptIn(project, flow))).toEqual([
      "StreamById: refused name-taken",
      "Rates: adapted type-name configuration import",
    ]);
    expect(project.files("operations")).toEqual(before);
    const third = await adaptIn(project, { ...flow, prefix: "Flow", write: true });
    const note = noteOf(third, "configuration");
    expect(note?.message).toContain('updatedBy: "FlowActionsFeed.stream"');
    const paths = Object.keys(project.files("operations")).sort();
    expect(paths.map((path) => path.replace("operations/merged/", ""))).toEqual([
      "portable/flow-stream-by-id.graphql",
      "portable/fragments/asset-fields.graphql",
      "portable/fragments/flow-asset-fields.graphql",
      "portable/stream-by-id.graphql",
      "subgraph/flow-rates.graphql",
    ]);
    expect(third.operations.map(({ to }) => to)).toEqual([paths[0], paths[4]]);
    expect(project.read("operations/merged/portable/flow-stream-by-id.graphql")).toBe(
      stream
        .replace("StreamById", "FlowStreamById")
        .replace("stream(", "stream: flowStream(")
        .replace("AssetFields", "FlowAssetFields"),
    );
  });

  it("finishes a killed run, and notes the configuration at the first adapted operation", async () => {
    const operations = {
      "lockup/subgraph/a.graphql": "query A { streams { id } }\nquery B { streams { alias } }",
      "lockup/subgraph/c.graphql": "query C { streams { ...F } }",
      "lockup/subgraph/f.graphql": "fragment F on Stream { id }",
      "merged/subgraph/a.graphql": "query A { lockupStreams { alias } }",
    };
    const project = movedProject(operations);
    const want = [
      "A: refused name-taken",
      "B: refused name-taken",
      "C: adapted type-name configuration import",
    ];
    const first = await adaptIn(project, { ...lockup, write: true });
    expect(results(first)).toEqual(want);
    const moved = project.files("operations");
    for (const name of ["c", "f"] as const) {
      const path = `lockup/subgraph/${name}.graphql` as const;
      project.write(`operations/${path}`, operations[path]);
    }
    const second = await adaptIn(project, { ...lockup, write: true });
    expect(results(second)).toEqual(want);
    expect(second.files).toEqual([
      "operations/lockup/subgraph/c.graphql",
      "operations/lockup/subgraph/f.graphql",
    ]);
    expect(project.files("operations")).toEqual(moved);
  });

  it("names the file of the target that has an operation, and fragments that stay", async () => {
    const project = movedProject({
      "lockup/subgraph/c.graphql": "query C { streams { id } }",
      "lockup/subgraph/f.graphql": "fragment F on Stream { alias }",
      "merged/subgraph/all.graphql": "query C { streams: lockupStreams { id } }",
      "merged/subgraph/f.graphql": "fragment F on LockupStream { id }",
    });
    const adapted = await adaptIn(project, { ...lockup, write: true });
    expect(adapted.operations.map(({ to }) => to)).toEqual(["operations/merged/subgraph/all.graphql"]);
    expect(adapted.notes).toEqual([
      expect.stringMatching(/^operations\/lockup\/subgraph\/f\.graphql stays: .* another fragment F already/),
    ]);
    expect(adapted.files).toEqual(["operations/lockup/subgraph/c.graphql"]);
  });

  it("keeps an operation that the target has with another comment", async () => {
    const query = "query A { lockupStreams { alias } }";
    const project = movedProject({
      "lockup/subgraph/a.graphql": `# Mine.\n${query}`,
      "merged/subgraph/a.graphql": `# Yours.\n${query}`,
    });
    const [operation] = (await adaptIn(project, { ...lockup, write: true })).operations;
    expect(operation?.result).toBe("refused");
    expect(project.read("operations/lockup/subgraph/a.graphql")).toContain("# Mine.");
  });

  it("names the depth of a shallow clone in which no version fits", async () => {
    const clone = shallowClone(movedProject({ "lockup/subgraph/a.graphql": "query A { payouts { id } }" }));
    await expect(adaptIn(clone, lockup)).rejects.toThrow(/fetch-depth: 0/);
  });

  it("takes a name that the target has in the other style only", async () => {
    const health = "query Health { _meta { block { number } } }";
    const fragment = (name: string) => `fragment ${name} on Watcher { id }`;
    const project = movedProject({
      "lockup/subgraph/health.graphql": health,
      "lockup/subgraph/watchers.graphql": `query Watchers { watchers { ...W } } ${fragment("W")}`,
      "lockup/subgraph/portable.graphql": health.replace("Health", "Chains"),
      "merged/multichain/health.graphql": "query Health { Watcher { ...W } }",
      "merged/multichain/w.graphql": fragment("W"),
      "merged/portable/chains.graphql": "query Chains { watchers { id } }",
      "lockup/subgraph/bad.graphql": "fragment Bad on Payout { id }",
    });
    expect(results(await adaptIn(project, { ...lockup, write: true }))).toEqual([
      "Health: adapted type-name configuration import",
      "Chains: refused name-taken",
      "Watchers: adapted type-name import",
    ]);
    expect(project.read("operations/merged/subgraph/watchers.graphql")).toContain(fragment("W"));
    expect(project.read("operations/lockup/subgraph/bad.graphql")).toContain("fragment Bad");
  });

  it.each([
    [{ ...lockup, to: "nothing" }, /"nothing" is not a protocol/],
    [{ to: "merged" }, /needs exactly one other protocol/],
    [{ ...lockup, protocols: ["merged"] }, /needs exactly one other protocol/],
    [{ ...lockup, prefix: "a-b" }, /must be a capitalized word/],
  ])("stops for %j", async (options, want) => {
    await expect(
      adaptIn(movedProject({ "lockup/subgraph/recent.graphql": RECENT }), options),
    ).rejects.toThrow(want);
  });
});
