import { appendFileSync, cpSync } from "node:fs";
import { join } from "node:path";
import { buildSchema, introspectionFromSchema } from "graphql";
import { describe, expect, it } from "vitest";
import type { Adapted } from "../../../src/tasks/adapt.ts";
import { requireUnchanged } from "../../../src/tasks/adapt.ts";
import { check } from "../../../src/tasks/check.ts";
import { generate } from "../../../src/tasks/generate.ts";
import { renderFleetRecord } from "../../../src/workspace/fleet-record.ts";
import { tempProject } from "../../support/temp-project.ts";
import {
  adaptIn,
  git,
  libraryOperations,
  mergedProject,
  oldProject,
  snapshotText,
  writeMerged,
} from "./support.ts";

const RECENT = `# The newest.
query Recent($first: Int! = 10) {
  streams(first: $first, orderBy: timestamp) { id alias }
}
`;
const RECENT_ADAPTED = RECENT.replace("streams(", "streams: lockupStreams(");

/** Lists results as `name: result codes`. */
function results({ operations }: Adapted): string[] {
  return operations.map(({ name, result, reasons, notes }) =>
    [`${name}: ${result}`, ...new Set([...reasons, ...notes].map(({ code }) => code.slice(6)))].join(" "),
  );
}

describe("adapt", () => {
  it("rewrites the library in place, which generates and checks with the noted configuration", async () => {
    const project = mergedProject(libraryOperations());
    const before = project.files("operations");
    const dry = await adaptIn(project);
    expect(project.files("operations")).toEqual(before);
    expect(dry.written).toBe(false);
    expect(dry.diff).toContain("+  streams: lockupStreams(");
    expect(results(dry).filter((line) => !/: (adapted|valid)/.test(line))).toEqual([]);
    expect(results(dry)).toContain("Assets: valid merged");
    const wet = await adaptIn(project, { write: true });
    expect(wet).toEqual({ ...dry, written: true });

    const again = await adaptIn(project, { write: true });
    expect(again.files).toEqual([]);
    expect(again.operations.map(({ result }) => result)).not.toContain("adapted");

    const [note] = dry.operations.flatMap(({ notes }) =>
      notes.filter(({ code }) => code === "adapt/configuration"),
    );
    expect(note?.file).toBe("lockflow.config.json");
    const definition = /defineProtocol\((\{.*\})\)/.exec(note?.message ?? "")?.[1] ?? "";
    project.remove("lockflow.config.json");
    project.write("lockflow.config.ts", `export default { protocols: { lockup: ${definition} } };\n`);
    const generated = await generate({ cwd: project.root });
    expect(generated.failed.map(({ message }) => message)).toEqual([]);
    expect(
      (await check({ cwd: project.root })).failed.filter(({ code }) => !code.startsWith("snapshot/")),
    ).toEqual([]);
    const portable = project.read("generated/lockup/portable.ts");
    expect(portable).toMatch(/AllStreams: PortableOperation<.*"pages"/);
    expect(portable).toContain('startTime: "time"');

    // With the written configuration, a committed rename is still the same.
    git(project, "add", "-A");
    git(project, "commit", "-q", "-m", "renamed");
    expect(results(await adaptIn(project)).filter((line) => line.includes("configuration"))).toEqual([]);
  });

  it.each([
    ["before the new snapshots are committed", false],
    ["after that", true],
  ])("finds the old schema %s", async (_, isCommitted) => {
    const project = mergedProject({ "subgraph/recent.graphql": RECENT });
    if (isCommitted) {
      git(project, "commit", "-q", "-am", "new snapshots");
      git(project, "commit", "-q", "--allow-empty", "-m", "later");
    }
    const { operations } = await adaptIn(project, { write: true });
    expect(operations).toMatchObject([
      {
        name: "Recent",
        surface: "lockup/subgraph",
        result: "adapted",
        from: git(project, "rev-list", "--max-parents=0", "HEAD").slice(0, 12),
        to: "operations/lockup/subgraph/recent.graphql",
      },
    ]);
    expect(project.read("operations/lockup/subgraph/recent.graphql")).toBe(RECENT_ADAPTED);
  });

  it.each([
    ["subgraph", RECENT],
    ["multichain", "query A($c: streamcategory) { Stream(where: { category: { _eq: $c } }) { id } }"],
  ] as const)("takes the old schema of %s from a file or a ref", async (style, query) => {
    const project = mergedProject({ [`${style}/recent.graphql`]: query });
    const text = snapshotText("old", "lockup", style);
    project.write("old.graphql", text);
    project.write("old.json", JSON.stringify({ data: introspectionFromSchema(buildSchema(text)) }));
    for (const from of ["old.graphql", "old.json", "main"]) {
      expect((await adaptIn(project, { from })).operations).toMatchObject([{ result: "adapted", from }]);
    }
    // A file needs no repository.
    project.remove(".git");
    expect((await adaptIn(project, { from: "old.graphql" })).operations).toMatchObject([
      { result: "adapted" },
    ]);
  });

  it.each<[what: string, file: string, given: string, codes: string]>([
    [
      "a filter from code",
      "subgraph/a.graphql",
      "query A($where: Stream_filter) { streams(where: $where) { id } }",
      "A: adapted variable-type variable-values type-name configuration",
    ],
    [
      "the names of types",
      "subgraph/a.graphql",
      "query A { streams { __typename } }",
      "A: adapted typename type-name configuration",
    ],
    [
      "an enum of a multichain API",
      "multichain/a.graphql",
      "query A($c: streamcategory) { Stream(where: { category: { _eq: $c } }) { id category } }",
      "A: adapted variable-type type-name configuration",
    ],
    [
      "a variable of a portable operation with another scalar, as it may have",
      "portable/a.graphql",
      "query A($id: String!) { stream(id: $id) { id } }",
      "A: adapted type-name configuration",
    ],
    [
      "a root field that no version has",
      "subgraph/a.graphql",
      "query A { payouts { id } }",
      "A: refused never-valid",
    ],
    ["a file that does not parse", "subgraph/a.graphql", "query A { streams {", "a: refused never-valid"],
  ])("describes %s", async (_, file, given, codes) => {
    expect(results(await adaptIn(mergedProject({ [file]: given })))).toEqual([codes]);
  });

  it("refuses an operation with a removed field and the others of its group, and adapts other groups", async () => {
    const removed = "fragment F on Stream { id note }";
    const project = oldProject({});
    const path = "generated/schemas/lockup/subgraph.graphql";
    // An earlier version had one more field.
    project.write(path, project.read(path).replace("\ntype Stream {\n", "\ntype Stream {\n  note: String\n"));
    git(project, "commit", "-q", "-am", "note");
    writeMerged(project);
    const folder = "operations/lockup/subgraph";
    project.write(`${folder}/a.graphql`, `query A { streams { ...F } }\nquery B { streams { ...G } }`);
    project.write(`${folder}/f.graphql`, `${removed}\nfragment G on Stream { alias }`);
    project.write(`${folder}/c.graphql`, RECENT);
    const adapted = await adaptIn(project, { write: true });
    expect(results(adapted)).toEqual([
      "A: refused not-valid",
      "B: refused shared-fragment",
      "Recent: adapted type-name configuration",
    ]);
    expect(adapted.operations[0]?.reasons).toMatchObject([
      { file: `${folder}/f.graphql`, line: 1, column: 27, message: expect.stringContaining("note") },
    ]);
    expect(adapted.files).toEqual([`${folder}/c.graphql`]);
    expect(project.read(`${folder}/f.graphql`)).toContain(removed);
  });

  it("adapts fragments that no operation uses, and names those that it leaves", async () => {
    const unused = "fragment Unused on Stream { id actions { id } }";
    const project = mergedProject({
      "subgraph/a.graphql": unused,
      "subgraph/b.graphql": "fragment Bad on Payout { id }",
    });
    const adapted = await adaptIn(project, { write: true });
    expect(adapted.files).toEqual(["operations/lockup/subgraph/a.graphql"]);
    expect(adapted.notes).toEqual([
      expect.stringMatching(/^operations\/lockup\/subgraph\/b\.graphql stays: no operation uses/),
    ]);
  });

  it("finishes a killed run, and keeps what was corrected by hand", async () => {
    const project = mergedProject({
      "subgraph/a.graphql": "query A { streams { ...F } }",
      "subgraph/f.graphql": "fragment F on Stream { id asset { streams { id } } }",
    });
    await adaptIn(project, { write: true });
    const want = project.files("operations");
    for (const [name, by] of [
      ["a", "query A { streams { ...F } }"],
      ["f", "fragment F on Stream { id asset { streams { id } } }"],
    ] as const) {
      project.write(`operations/lockup/subgraph/${name}.graphql`, by);
      expect(results(await adaptIn(project, { write: true }))).toEqual([
        "A: adapted type-name configuration",
      ]);
      expect(project.files("operations")).toEqual(want);
    }
  });

  it("refuses a portable operation until both styles are renamed, and adapts one of a single style", async () => {
    const project = oldProject({
      "portable/recent.graphql": RECENT.replaceAll("Recent", "Both"),
      "subgraph/recent.graphql": RECENT,
    });
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

  it("needs no snapshot of a style without operations", async () => {
    const project = mergedProject({ "subgraph/recent.graphql": RECENT });
    project.remove("generated/schemas/lockup/multichain.graphql");
    expect(results(await adaptIn(project))).toEqual(["Recent: adapted type-name configuration"]);
  });

  it("notes the chains that still have the old names", async () => {
    const project = mergedProject({ "subgraph/recent.graphql": RECENT });
    const old = snapshotText("old", "lockup", "subgraph");
    const hash = /^# schema (.*)$/m.exec(old)?.[1] ?? "";
    const snapshot = `schemas/lockup/subgraph.${hash.slice(0, 8)}.graphql`;
    project.write(`generated/${snapshot}`, old);
    const row = {
      protocol: "lockup",
      style: "subgraph",
      chains: ["base"],
      schema: hash,
      docs: hash,
    } as const;
    project.write(
      "generated/schemas/deployments.json",
      renderFleetRecord([{ ...row, name: "protocol-lockup-base", entities: hash, snapshot }]),
    );
    const { operations } = await adaptIn(project);
    expect(operations[0]?.notes.find(({ code }) => code === "adapt/fleet")?.message).toBe(
      "These chains still have the old names: base.",
    );
  });

  it("notes renamed values that code may send as text, and refuses them in a document", async () => {
    const renamed = (text: string) => text.replaceAll(/^( {2})LockupLinear$/gm, "$1Linear");
    const list = (value: string) => `Stream(where: { category: { _eq: ${value} } }) { id }`;
    const project = mergedProject({
      "subgraph/a.graphql": "query A { streams(where: { category: LockupLinear }) { id } }",
      "multichain/b.graphql": `query B($c: streamcategory!) { ${list("$c")} }`,
      "multichain/c.graphql": `query C { ${list('"LockupLinear"')} }`,
    });
    const path = "generated/schemas/lockup/subgraph.graphql";
    project.write(path, renamed(project.read(path)));
    const renames = ["StreamCategory.LockupLinear=Linear"];
    const { operations } = await adaptIn(project, { renames });
    expect(operations.map(({ name, result }) => `${name} ${result}`)).toEqual([
      "B adapted",
      "C refused",
      "A adapted",
    ]);
    expect(operations[0]?.notes.find(({ code }) => code === "adapt/enum-text")?.message).toBe(
      'The values of $c may come from code: write "Linear" in place of "LockupLinear".',
    );
    expect(operations[1]?.reasons).toMatchObject([
      { code: "adapt/not-valid", message: expect.stringContaining('"LockupLinear" does not exist') },
    ]);
  });

  it("edits documents in code, only inside of literals, and lists the edits of others", async () => {
    const project = mergedProject(
      {},
      { protocols: ["lockup"], documents: [{ files: "src/*.ts", protocol: "lockup", style: "subgraph" }] },
    );
    const plain =
      "const streams = 1;\r\nexport const A = gql`\r\n  query A { streams { id } } # streams\r\n`;\r\n";
    const escaped = 'export const B = gql("query B { streams(where: { alias: \\"x\\" }) { id } }");\n';
    project.write("src/a.ts", plain);
    project.write("src/b.ts", escaped);
    project.write("src/c.ts", "export const C = gql`query C { streams { ${field()} } }`;\n");
    const adapted = await adaptIn(project, { write: true });
    expect(results(adapted)).toEqual([
      "A: adapted type-name configuration",
      "B: refused in-code",
      "c: refused in-code",
    ]);
    expect(adapted.operations[1]?.reasons[0]?.message).toContain(
      'Write "streams: lockupStreams" in place of "streams"',
    );
    expect(project.read("src/a.ts")).toBe(plain.replace("{ streams {", "{ streams: lockupStreams {"));
    expect(project.read("src/b.ts")).toBe(escaped);
  });
});

it("finds the surface of a document in code by the old schemas", async () => {
  const project = mergedProject({}, { protocols: ["lockup"], documents: ["src/*.ts"] });
  project.write(
    "src/a.ts",
    `gql("query A { streams { ...F } }"); gql("fragment F on Stream { alias }"); gql("query B { Stream { id } }");`,
  );
  const { operations } = await adaptIn(project, { write: true });
  expect(operations.map(({ name, surface, result }) => `${name} ${surface} ${result}`)).toEqual([
    "B lockup/multichain adapted",
    "A lockup/subgraph adapted",
  ]);
  expect(project.read("src/a.ts")).toContain("streams: lockupStreams");
  expect(project.read("src/a.ts")).toContain("Stream: LockupStream");
});

describe("adapt stops", () => {
  const stopped = async (project: Parameters<typeof adaptIn>[0], options?: Parameters<typeof adaptIn>[1]) => {
    const before = project.files("operations");
    const message = await adaptIn(project, { ...options, write: true }).then(
      () => "It did not stop.",
      (error: Error) => error.message,
    );
    expect(project.files("operations")).toEqual(before);
    return message;
  };

  it("outside of a repository", async () => {
    const project = mergedProject({ "subgraph/recent.graphql": RECENT });
    project.remove(".git");
    expect(await stopped(project)).toMatch(/no earlier versions.*\n.*--from/);
  });

  it("in a shallow clone without a version that fits", async () => {
    const origin = mergedProject({ "subgraph/recent.graphql": RECENT });
    git(origin, "commit", "-q", "-am", "new snapshots");
    const clone = tempProject();
    git(clone, "clone", "-q", "--depth=1", `file://${origin.root}`, ".");
    expect(await stopped(clone)).toMatch(/shallow clone.*\n.*fetch-depth: 0/);
  });

  it.each([
    ["an unknown ref", "nothing", /git has no "nothing"/],
    ["a ref without the snapshot", "empty", /empty has no snapshot of lockup\/subgraph/],
  ])("for %s", async (_, from, want) => {
    const project = mergedProject({ "subgraph/recent.graphql": RECENT });
    git(project, "checkout", "-q", "--orphan", "empty");
    git(project, "rm", "-rqf", "--cached", ".");
    git(project, "commit", "-q", "--allow-empty", "-m", "empty");
    expect(await stopped(project, { from })).toMatch(want);
  });

  it.each<[what: string, renames: string[], want: RegExp]>([
    ["another form", ["Stream.alias"], /must be Entity\.field=newField/],
    ["a field that the old schema does not have", ["Stream.nothing=moniker"], /has no field nothing/],
    ["an entity that the old schema does not have", ["Strem=LockupStream"], /old schema has no Strem/],
    ["a name that the new schema does not have", ["Stream=Moniker"], /new schema has no Moniker/],
    ["two kinds", ["Stream=LockupStreamCategory"], /is an entity, and LockupStreamCategory is an enum/],
    ["two types", ["Watcher.streamCounter=nothing"], /does not apply/],
    ["a name twice", ["Stream=LockupStream", "Stream=FlowStream"], /Stream twice/],
    [
      "one name for two",
      ["Stream=LockupStream", "Action=LockupStream"],
      /gives two parts the name "LockupStream"/,
    ],
    ["a swap", ["Stream.sender=recipient", "Stream.recipient=sender"], /in the new schema too|has no/],
    ["a name that another field has", ["Stream.alias=sender"], /in the new schema too|old schema too/],
    ["no change", ["Stream.alias=alias"], /does not change/],
  ])("for --rename of %s", async (_, renames, want) => {
    expect(await stopped(mergedProject({ "subgraph/recent.graphql": RECENT }), { renames })).toMatch(want);
  });

  it("if a file was changed since it was read", async () => {
    const project = tempProject({ "a.graphql": "a" });
    const contents = new Map([
      ["a.graphql", "a"],
      ["new.graphql", null],
    ]);
    requireUnchanged(project.root, contents);
    project.write("new.graphql", "");
    expect(() => requireUnchanged(project.root, contents)).toThrow(/new.graphql was changed during the run/);
    project.remove("new.graphql");
    appendFileSync(join(project.root, "a.graphql"), "b");
    expect(() => requireUnchanged(project.root, contents)).toThrow(/a.graphql was changed during the run/);
  });
});

describe("the walk over versions", () => {
  it("skips a version that cannot be read, and names it", async () => {
    const project = oldProject({ "subgraph/recent.graphql": RECENT });
    const path = "generated/schemas/lockup/subgraph.graphql";
    const text = project.read(path);
    for (const broken of ["<<<<<<< ours\n", text.replace("\ntype Stream {", "\ntype Stream {{")]) {
      project.write(path, broken);
      git(project, "commit", "-q", "-am", "broken");
    }
    writeMerged(project);
    const adapted = await adaptIn(project);
    expect(results(adapted)).toEqual(["Recent: adapted type-name configuration"]);
    expect(adapted.notes).toMatchObject([
      expect.stringMatching(/was skipped: it does not start with the header/),
      expect.stringMatching(/was skipped: it is not a valid schema/),
    ]);
  });

  it("follows a moved folder", async () => {
    const project = oldProject({ "subgraph/recent.graphql": RECENT });
    cpSync(join(project.root, "generated"), join(project.root, "out"), { recursive: true });
    project.remove("generated");
    project.write("lockflow.config.json", '{ "protocols": ["lockup"], "output": "out" }');
    git(project, "add", "-A");
    git(project, "commit", "-q", "-m", "move");
    for (const style of ["multichain", "subgraph"] as const) {
      project.write(`out/schemas/lockup/${style}.graphql`, snapshotText("merged", "lockup", style));
    }
    git(project, "commit", "-q", "-am", "new snapshots");
    expect(results(await adaptIn(project))).toEqual(["Recent: adapted type-name configuration"]);
  });
});

describe("adapt --to", () => {
  const EMPTY_CLAIMS = { identity: { protocol: "LockupStream.depositAmount", chain: "Watcher.chainId" } };

  function twoProtocols(operations: Readonly<Record<string, string>>) {
    const project = oldProject({}, { protocols: { lockup: true, flow: true, merged: EMPTY_CLAIMS } });
    for (const style of ["multichain", "subgraph"] as const) {
      project.write(`generated/schemas/flow/${style}.graphql`, snapshotText("old", "flow", style));
      const text = snapshotText("merged", "lockup", style);
      project.write(`generated/schemas/merged/${style}.graphql`, text.replace("of lockup", "of merged"));
    }
    for (const [path, text] of Object.entries(operations)) project.write(`operations/${path}`, text);
    git(project, "add", "-A");
    git(project, "commit", "-q", "-m", "all");
    return project;
  }

  it("moves both protocols, the second one with a prefix for the names that both have", async () => {
    const asset = "fragment AssetFields on Asset { id symbol }";
    const stream =
      "query StreamById($id: ID!) { stream(id: $id) { id alias startTime asset { ...AssetFields } } }";
    const project = twoProtocols({
      ...Object.fromEntries(
        ["lockup", "flow"].flatMap((key) => [
          [`${key}/portable/stream-by-id.graphql`, stream],
          [`${key}/portable/fragments/asset-fields.graphql`, asset],
        ]),
      ),
      "flow/subgraph/rates.graphql": "query Rates { streams { ratePerSecond } }",
    });
    const first = await adaptIn(project, { protocols: ["lockup"], to: "merged", write: true });
    expect(results(first)).toEqual(["StreamById: adapted type-name configuration import"]);
    expect(first.operations[0]).toMatchObject({ to: "operations/merged/portable/stream-by-id.graphql" });
    expect(project.read("operations/merged/portable/stream-by-id.graphql")).toBe(
      stream.replace("stream(", "stream: lockupStream("),
    );
    const before = project.files("operations");
    const second = await adaptIn(project, { protocols: ["flow"], to: "merged" });
    expect(results(second)).toEqual([
      "StreamById: refused name-taken",
      "Rates: adapted type-name configuration import",
    ]);
    expect(project.files("operations")).toEqual(before);
    const third = await adaptIn(project, { protocols: ["flow"], to: "merged", prefix: "Flow", write: true });
    const [note] = third.operations.flatMap(({ notes }) =>
      notes.filter(({ code }) => code === "adapt/configuration"),
    );
    expect(note?.message).toContain('updatedBy: "FlowActionsFeed.stream"');
    expect(third.operations.map(({ to }) => to)).toEqual([
      "operations/merged/portable/flow-stream-by-id.graphql",
      "operations/merged/subgraph/flow-rates.graphql",
    ]);
    expect(Object.keys(project.files("operations")).sort()).toEqual([
      "operations/merged/portable/flow-stream-by-id.graphql",
      "operations/merged/portable/fragments/asset-fields.graphql",
      "operations/merged/portable/fragments/flow-asset-fields.graphql",
      "operations/merged/portable/stream-by-id.graphql",
      "operations/merged/subgraph/flow-rates.graphql",
    ]);
    expect(project.read("operations/merged/portable/flow-stream-by-id.graphql")).toBe(
      stream
        .replace("StreamById", "FlowStreamById")
        .replace("stream(", "stream: flowStream(")
        .replace("AssetFields", "FlowAssetFields"),
    );
  });

  it("names the depth of a shallow clone in which no version fits", async () => {
    const origin = twoProtocols({ "lockup/subgraph/a.graphql": "query A { payouts { id } }" });
    git(origin, "commit", "-q", "--allow-empty", "-m", "later");
    const clone = tempProject();
    git(clone, "clone", "-q", "--depth=1", `file://${origin.root}`, ".");
    await expect(adaptIn(clone, { protocols: ["lockup"], to: "merged" })).rejects.toThrow(/fetch-depth: 0/);
  });

  it("takes a name that the target has in the other style only", async () => {
    const health = "query Health { _meta { block { number } } }";
    const fragment = (name: string) => `fragment ${name} on Watcher { id }`;
    const project = twoProtocols({
      "lockup/subgraph/health.graphql": health,
      "lockup/subgraph/watchers.graphql": `query Watchers { watchers { ...W } } ${fragment("W")}`,
      "lockup/subgraph/portable.graphql": health.replace("Health", "Chains"),
      "merged/multichain/health.graphql": "query Health { Watcher { ...W } }",
      "merged/multichain/w.graphql": fragment("W"),
      "merged/portable/chains.graphql": "query Chains { watchers { id } }",
      "lockup/subgraph/bad.graphql": "fragment Bad on Payout { id }",
    });
    expect(results(await adaptIn(project, { protocols: ["lockup"], to: "merged", write: true }))).toEqual([
      "Health: adapted type-name configuration import",
      "Chains: refused name-taken",
      "Watchers: adapted type-name import",
    ]);
    expect(project.read("operations/merged/subgraph/watchers.graphql")).toContain(fragment("W"));
    expect(project.read("operations/lockup/subgraph/bad.graphql")).toContain("fragment Bad");
  });

  it.each([
    ["an unknown protocol", { protocols: ["lockup"], to: "nothing" }, /"nothing" is not a protocol/],
    ["several protocols", { to: "merged" }, /needs exactly one other protocol/],
    ["itself", { protocols: ["merged"], to: "merged" }, /needs exactly one other protocol/],
    [
      "a prefix that is not a name",
      { protocols: ["lockup"], to: "merged", prefix: "a-b" },
      /must be a capitalized word/,
    ],
  ])("stops for %s", async (_, options, want) => {
    const project = twoProtocols({ "lockup/subgraph/recent.graphql": RECENT });
    await expect(adaptIn(project, options)).rejects.toThrow(want);
  });
});
