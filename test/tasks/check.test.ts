import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPage } from "../../packages/report-page/src/read-page.ts";
import { once } from "../../src/base/collections.ts";
import { resolveJudging } from "../../src/compare/judge-run.ts";
import { isChecked, readGenerationCache } from "../../src/generate/write-generation.ts";
import { loadProject } from "../../src/project/load-project.ts";
import { json } from "../../src/report/forms/json.ts";
import type { Report } from "../../src/report/report.ts";
import { runCheck } from "../../src/tasks/check.ts";
import { runGenerate } from "../../src/tasks/generate.ts";
import { NOTHING_ACCEPTED } from "../../src/workspace/baseline.ts";
import { renderFleetRecord } from "../../src/workspace/fleet-record.ts";
import { readGenerationInputs } from "../../src/workspace/generation-inputs.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { PLAIN } from "../report/fixtures.ts";
import { checkReport } from "../support/check-report.ts";
import { NOTED_ENTITIES, projectWith, REVENUE } from "../support/diverging-project.ts";
import { fleetRows, generatedProject, snapshotText } from "../support/generated-project.ts";
import { SMALL_ENTITIES } from "../support/indexer-answers.ts";
import { runAsBuilt } from "../support/run-as-built.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

runAsBuilt();

const RECENT = "query Recent { streams(first: 5) { id category depositAmount sender } }";
const RECENT_MULTICHAIN = "query Recent { streams: Stream(limit: 5) { id category depositAmount sender } }";
const OPERATION = "operations/lockup/subgraph/recent.graphql";
const SNAPSHOT = "generated/schemas/lockup/subgraph.graphql";
const RECORD = "generated/schemas/deployments.json";
const CONFIG = "lockflow.config.json";

const generate = async ({ root }: TempProject) => runGenerate(await loadProject(root));

async function check({ root }: TempProject) {
  const run = await runCheck(await loadProject(root), { against: null, startedAt: Date.now() });
  const report = await run.judge(resolveJudging({}));
  return { ...report, isClean: run.isClean };
}

/** Returns the findings of a check as `code file`. */
async function found(project: TempProject): Promise<string[]> {
  const { findings } = await check(project);
  return findings.map(({ code, place, subject }) => `${code} ${place?.file ?? subject}`);
}

/** A generated project, whose cache is stored if it has a folder `node_modules`. */
async function current({ hasCache = false } = {}): Promise<TempProject> {
  const project = tempProject(await currentFiles());
  if (hasCache) mkdirSync(join(project.root, "node_modules"));
  return project;
}

const currentFiles = once(async () => {
  const project = generatedProject({
    "subgraph/recent.graphql": RECENT,
    "multichain/recent.graphql": RECENT_MULTICHAIN,
  });
  await generate(project);
  return project.files();
});

type Edit = (project: TempProject) => unknown;

const replace =
  (path: string, from: string | RegExp, to: string): Edit =>
  ({ read, write }) => {
    const text = read(path);
    expect(text).toMatch(from);
    write(path, text.replace(from, to));
  };
const write =
  (path: string, text: string): Edit =>
  (project) =>
    project.write(path, text);
const all =
  (...edits: Edit[]): Edit =>
  async (project) => {
    for (const edit of edits) await edit(project);
  };
const mark = (path: string) => replace(path, /^/, "\uFEFF");
const stale = (...paths: readonly string[]) => paths.map((path) => `generated/stale ${path}`);

describe("check", () => {
  const RECORDED = "generated/schemas/operations.json";
  /** The files that have the text of the operation. */
  const TEXTS = ["generated/lockup/subgraph.documents.ts", "generated/lockup/subgraph.strings.ts", RECORDED];
  const ORPHANS = ["a.tsx", "b.mts", "c.cts", "d.d.ts", "e.graphql", "lockup/f.gql", "schemas/g.ts"];
  const OTHERS = [
    "index.js",
    "package.json",
    "README.md",
    "node_modules/pkg/index.d.ts",
    "lockup/node_modules/pkg/index.ts",
    ".cache/a.ts",
    "schemas/.old/lockup.graphql",
  ];

  it.each<[what: string, edit: Edit, want: string[]]>([
    ["unchanged files", () => {}, []],
    [
      "Windows line breaks",
      ({ files, write }) => {
        for (const [path, text] of Object.entries(files())) {
          if (!path.endsWith(".json")) write(path, text.replaceAll("\n", "\r\n"));
        }
      },
      [],
    ],
    ["a byte order mark in files of people", all(mark(CONFIG), mark(OPERATION)), []],
    [
      "operations in the output folder",
      all(
        write(CONFIG, '{ "protocols": ["lockup"], "operations": "generated/operations" }'),
        write("generated/operations/lockup/subgraph/recent.graphql", RECENT),
        write("generated/operations/lockup/multichain/recent.graphql", RECENT_MULTICHAIN),
      ),
      [],
    ],
    [
      "snapshots that `only` excludes",
      all(write(CONFIG, '{ "protocols": ["lockup"], "only": { "styles": ["subgraph"] } }'), generate),
      [],
    ],
    [
      "a changed configuration",
      write(CONFIG, '{ "protocols": ["lockup"], "brand": "acme" }'),
      stale("generated/manifest.ts", "generated/routes.ts"),
    ],
    ["a changed operation", replace(OPERATION, "first: 5", "first: 4"), stale(...TEXTS)],
    ["a byte order mark in a generated file", mark("generated/manifest.ts"), stale("generated/manifest.ts")],
    ["one in the record of operations", mark(RECORDED), stale(RECORDED)],
    ["one in a snapshot", mark(SNAPSHOT), [`snapshot/edited ${SNAPSHOT}`]],
    ["one in the fleet record", mark(RECORD), [`snapshot/record ${RECORD}`]],
    [
      "an invalid operation beside a stale file, before orphaned ones",
      all(
        replace(OPERATION, "sender", "nothing"),
        replace("generated/lockup/multichain.ts", "depositAmount: string", "depositAmount: number"),
        write("generated/lockup/old.ts", "// Generated by Lockflow from nothing.\n"),
      ),
      [`operation/invalid ${OPERATION}`, "generated/stale generated/lockup/multichain.ts"],
    ],
    [
      "a misplaced operation, without orphans that may belong to it",
      all(
        ({ remove }) => remove("operations/lockup/subgraph"),
        write("operations/lockup/recent.graphql", RECENT),
      ),
      ["operation/misplaced operations/lockup/recent.graphql"],
    ],
    [
      "orphans of every kind of code, beside other files",
      all(...[...ORPHANS, ...OTHERS].map((path) => write(`generated/${path}`, "x\n"))),
      ORPHANS.map((path) => `generated/orphaned generated/${path}`),
    ],
    [
      "a link to a folder of operations",
      async (project) => {
        project.write("shared/recent.graphql", RECENT.replace("first: 5", "first: 4"));
        project.remove("operations/lockup/subgraph");
        symlinkSync(join(project.root, "shared"), join(project.root, "operations/lockup/subgraph"), "dir");
      },
      stale(...TEXTS),
    ],
    // Nothing else is reported, because it may only follow from the edit.
    [
      "a type in a snapshot",
      replace(SNAPSHOT, "  sender: Bytes!", "  sender: Bytes"),
      [`snapshot/edited ${SNAPSHOT}`],
    ],
    ["a selected field in it", replace(SNAPSHOT, "  sender: Bytes!\n", ""), [`snapshot/edited ${SNAPSHOT}`]],
    ["the hash in it", replace(SNAPSHOT, /# schema \w/, "# schema 0"), [`snapshot/edited ${SNAPSHOT}`]],
    ["the syntax of it", replace(SNAPSHOT, "type Stream ", "typ Stream "), [`snapshot/edited ${SNAPSHOT}`]],
    [
      "a snapshot that was edited before generation",
      all(replace(SNAPSHOT, "type Watcher {", "type Watcher {\n  more: Int"), generate),
      [`snapshot/edited ${SNAPSHOT}`],
    ],
  ])("finds %s", async (_, edit, want) => {
    const project = await current();
    await edit(project);
    const before = project.files();
    expect((await found(project)).sort()).toEqual([...want].sort());
    expect(project.files()).toEqual(before);
  });

  it("error: a broken link among the operations", async () => {
    const project = await current();
    symlinkSync("gone.graphql", join(project.root, "operations/lockup/subgraph/more.graphql"));
    await expect(found(project)).rejects.toThrow(
      /operations\/lockup\/subgraph\/more.graphql is a broken link/,
    );
  });

  it("has the differing part of a long line, with invisible characters escaped", async () => {
    const project = await current();
    const path = "generated/lockup/subgraph.documents.ts";
    const line = project
      .read(path)
      .split("\n")
      .find((text) => text.includes('kind:"Document"')) as string;
    const at = line.indexOf("sender");
    expect([line.length > 400, at > 160]).toEqual([true, true]);
    replace(path, line, line.replace("sender", "Sender"))(project);
    mark("generated/manifest.ts")(project);
    const before = line.slice(at - 60, at);
    expect((await check(project)).findings).toMatchObject([
      {
        before: expect.stringContaining(`…${before}sender`),
        after: expect.stringContaining(`…${before}Sender`),
      },
      { after: "\\ufeff/* eslint-disable */" },
    ]);
  });

  it("names only the chains of the fleet record that were added or removed", async () => {
    const project = await current();
    const chains = {
      sonic: { chainId: 146, name: "Sonic", multichainName: "sonic" },
      tangle: { multichainName: null },
    };
    project.write(CONFIG, JSON.stringify({ protocols: ["lockup"], chains }));
    expect((await check(project)).findings.map(({ message }) => message)).toContain(
      "protocol-lockup-multichain: its chains are not those of the configuration: sonic was added, tangle was removed.",
    );
  });
});

describe("check of two styles", () => {
  const QUERY = "query Recent { streams(first: 5) { id alias sender } }";

  it("has no finding for an entity of one style", async () => {
    const project = await projectWith(QUERY, SMALL_ENTITIES + REVENUE);
    expect(await found(project)).toEqual([]);
  });

  it("has no finding that only follows from an edited snapshot, and no data of it", async () => {
    const project = await projectWith(QUERY, NOTED_ENTITIES);
    const [finding] = (await check(project)).findings;
    const { fingerprint, code, coordinate, before, after } = finding ?? {};
    expect(code).toBe("parity/only-multichain");
    const entry = { fingerprint, code, coordinate, before, after, scope: [], reason: "known" };
    project.write("drift-accepted.json", JSON.stringify({ version: 1, accepted: [entry] }));
    replace(SNAPSHOT, "  sender: Bytes!", "  sender: Bytes")(project);
    expect(await found(project)).toEqual([`snapshot/edited ${SNAPSHOT}`]);
    expect(await check(project)).not.toHaveProperty("snapshots");
  });

  it("finds what a variant that a deployment serves breaks, and lists where operations are valid", async () => {
    const shrunk = SMALL_ENTITIES.replace("depositAmount: BigInt!", "");
    const other = fleetRows("subgraph", shrunk).find(({ name }) => name === "protocol-lockup-base");
    const variant = `schemas/lockup/subgraph.${other?.schema.slice(0, 8)}.graphql`;
    const project = await current();
    project.write(`generated/${variant}`, snapshotText("subgraph", shrunk));
    const rows = [...fleetRows("multichain"), ...fleetRows("subgraph")].map((row) =>
      row.name === other?.name ? { ...other, snapshot: variant } : row,
    );
    project.write(RECORD, renderFleetRecord(rows));
    await generate(project);
    const { isClean: _, ...checked } = await check(project);
    const report = JSON.parse(json.render(checked, PLAIN)) as Report;
    expect(report.findings).toMatchObject([
      {
        code: "drift/field-removed",
        fix: expect.stringContaining("wait until the others follow"),
        fails: true,
      },
    ]);
    expect(checkReport(report)).toEqual([]);
    expect(report.groups).toEqual([]);
    const { groups = [], operations = [] } = report.snapshots ?? {};
    expect(groups.map(({ kind, deployments }) => `${kind} ${deployments.length}`)).toContain("entities 1");
    expect(operations.map(({ style, chains, missing }) => [style, chains.includes("base"), missing])).toEqual(
      [
        ["multichain", true, []],
        ["subgraph", false, ["base"]],
      ],
    );
    expect(report.deployments?.length).toBeGreaterThan(20);
    const { fleet, coverage } = readPage(report, { accept: "snapshots", more: 0 });
    expect(fleet?.isLive).toBe(false);
    expect(coverage.rows[0]).toMatchObject({
      operation: { protocol: "lockup", style: "subgraph" },
      states: expect.arrayContaining(["broken"]),
    });
  });
});

describe("the cache of check", () => {
  /** Whether the next check ends before it parses anything. */
  async function hasShortcut({ root }: TempProject): Promise<boolean> {
    const workspace = openWorkspace(await loadProject(root));
    return isChecked(workspace, await readGenerationInputs(workspace), await readGenerationCache(root));
  }

  it("is used after a check, and by generate", async () => {
    const project = await current({ hasCache: true });
    expect((await check(project)).isClean).toBe(true);
    expect(await generate(project)).toMatchObject({ isCached: true, unchanged: { length: 9 } });
    expect([await hasShortcut(project), (await check(project)).isClean]).toEqual([true, true]);
  });

  it("is used after generate, unless the snapshots have findings", async () => {
    const clean = await current({ hasCache: true });
    await generate(clean);
    expect(await hasShortcut(clean)).toBe(true);
    expect((await readGenerationCache(clean.root))?.baseline).toBe(NOTHING_ACCEPTED);

    const other = await projectWith(RECENT, NOTED_ENTITIES);
    mkdirSync(join(other.root, "node_modules"));
    other.remove("generated/manifest.ts");
    await generate(other);
    expect((await readGenerationCache(other.root))?.baseline).toBeUndefined();
    expect(await hasShortcut(other)).toBe(false);
    expect(await found(other)).toEqual([expect.stringContaining("parity/only-multichain ")]);
  });

  it("is used with accepted findings, until they change or expire", async () => {
    const project = await projectWith(RECENT, NOTED_ENTITIES);
    mkdirSync(join(project.root, "node_modules"));
    const [finding] = (await check(project)).findings;
    const { fingerprint, code, coordinate, before, after } = finding ?? {};
    const accept = (until: string) => {
      const entry = { fingerprint, code, coordinate, before, after, scope: [], reason: "known", until };
      project.write("drift-accepted.json", JSON.stringify({ version: 1, accepted: [entry] }));
    };
    const exit = async () => (await check(project)).outcome.exit;
    accept("2999-01-31");
    expect([await exit(), await exit(), await hasShortcut(project)]).toEqual([0, 0, true]);
    accept("2001-01-31");
    expect(await exit()).toBe(1);
    accept("2999-01-31");
    expect(await exit()).toBe(0);
    project.remove("drift-accepted.json");
    expect(await exit()).toBe(1);
    project.write("drift-accepted.json", "{}");
    await expect(exit()).rejects.toThrow("drift-accepted.json is not a list");
  });

  it("has the pitfalls that `generate` found", async () => {
    const project = await current({ hasCache: true });
    project.write("operations/lockup/subgraph/all.graphql", "query All { streams { id } }");
    await generate(project);
    expect((await readGenerationCache(project.root))?.pitfalls).toHaveLength(1);
    expect(await found(project)).toEqual(["operation/no-page-size operations/lockup/subgraph/all.graphql"]);
  });

  it.each<[what: string, path: string, text: string, isValid: boolean, isShort: boolean]>([
    ["an operation in code", "src/a.ts", "gql`query A { nope }`", false, false],
    [
      "a fragment of it",
      "src/parts.ts",
      "export const P = gql`fragment P on Stream { nope }`;",
      false,
      false,
    ],
    ["a file that only re-exports it", "src/index.ts", "export {};", true, true],
    ["a file with a new operation", "src/c.ts", "gql`query C { nope }`", false, false],
    ["other code", "src/b.ts", "export const b = 2;", true, true],
  ])("is used after an edit of %s only if nothing depends on it", async (_, path, text, isValid, isShort) => {
    const project = await current({ hasCache: true });
    project.write(CONFIG, '{ "protocols": ["lockup"], "documents": ["src/**/*.ts"] }');
    project.write("src/a.ts", 'import { P } from ".";\ngql`query A { streams(first: 1) { ...P } } ${P}`;');
    project.write("src/parts.ts", "export const P = gql`fragment P on Stream { id }`;");
    project.write("src/index.ts", 'export * from "./parts.js";');
    project.write("src/b.ts", "export const b = 1;");
    await generate(project);
    expect([(await check(project)).isClean, await hasShortcut(project)]).toEqual([true, true]);
    project.write(path, text);
    expect([await hasShortcut(project), (await check(project)).isClean]).toEqual([isShort, isValid]);
  });

  it.each<[what: string, edit: Edit, want: string]>([
    ["an orphan", write("generated/a.tsx", "x\n"), "generated/orphaned generated/a.tsx"],
    [
      "an orphan of GraphQL",
      write("generated/lockup/b.gql", "x\n"),
      "generated/orphaned generated/lockup/b.gql",
    ],
    [
      "an orphan beside snapshots",
      write("generated/schemas/c.graphql", "x\n"),
      "generated/orphaned generated/schemas/c.graphql",
    ],
    ["a missing fleet record", ({ remove }) => remove(RECORD), `snapshot/record ${RECORD}`],
    [
      "other chains in it",
      replace(RECORD, '"chains":["base"]', '"chains":["gnosis"]'),
      `snapshot/record ${RECORD}`,
    ],
  ])("does not hide %s", async (_, edit, want) => {
    const project = await current({ hasCache: true });
    expect((await check(project)).isClean).toBe(true);
    await edit(project);
    // The cache of generate covers generated code only.
    await generate(project);
    expect(await found(project)).toEqual([want]);
  });

  it("is optional: a checkout without a writable cache folder is generated and checked", async () => {
    const project = await current();
    // A file in place of the folder prevents writing, also for root.
    project.write("node_modules/.cache/lockflow", "");
    const before = project.files();
    expect((await check(project)).isClean).toBe(true);
    expect(await generate(project)).toMatchObject({ failed: [], isCached: false });
    expect((await check(project)).isClean).toBe(true);
    expect(project.files()).toEqual(before);
    expect(await readGenerationCache(project.root)).toBeNull();
  });
});
