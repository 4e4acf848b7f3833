import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { relative, sep } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { resolveJudging } from "../../src/compare/judge-run.ts";
import { loadProject } from "../../src/project/load-project.ts";
import { runCheck } from "../../src/tasks/check.ts";
import { describe } from "../../src/tasks/describe.ts";
import { diffSnapshots } from "../../src/tasks/diff.ts";
import { runGenerate } from "../../src/tasks/generate.ts";
import { commitAll } from "../support/commit-all.ts";
import { generatedProject } from "../support/generated-project.ts";
import type { TempProject } from "../support/temp-project.ts";

const OPERATIONS = {
  "subgraph/a.graphql": "query Aliases { streams { id alias } }",
  "multichain/a.graphql": "query Aliases { Stream { id alias } }",
  "portable/b.graphql": "query Streams($first: Int! = 10) { streams(first: $first) { id } }",
};

const INPUTS = [
  "drift-accepted.json",
  "generated/schemas/deployments.json",
  "generated/schemas/lockup/multichain.graphql",
  "generated/schemas/lockup/subgraph.graphql",
  "operations/lockup/multichain/a.graphql",
  "operations/lockup/portable/b.graphql",
  "operations/lockup/subgraph/a.graphql",
];

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const RULES = resolveJudging({});

it.each<[task: string, run: (project: TempProject) => Promise<unknown>, inputs: readonly string[]]>([
  ["check", check(null, { ...RULES, details: false }), INPUTS],
  ["check against a git ref with a report", check("HEAD", { ...RULES, details: true }), INPUTS],
  ["generate", async ({ root }) => runGenerate(await loadProject(root)), INPUTS.slice(1)],
  ["diff", async ({ root }) => diffSnapshots(await loadProject(root), { ...RULES, startedAt: 0 }), INPUTS],
  [
    "describe",
    async ({ root }) => describe({ cwd: root }),
    INPUTS.filter((path) => /(schemas\/lockup|operations)\//.test(path)),
  ],
])("%s reads each file of a project once", async (_, run, inputs) => {
  const project = generatedProject(OPERATIONS);
  project.write("drift-accepted.json", '{ "version": 1, "accepted": [] }');
  commitAll(project, "main");

  const reads = countReads(project);
  await run(project);
  const repeated = [...reads].filter(([, count]) => count > 1);
  expect(repeated).toEqual([]);
  expect([...reads.keys()]).toEqual(expect.arrayContaining([...inputs]));
});

function check(against: string | null, rules: typeof RULES) {
  return async ({ root }: TempProject) => {
    const { judge } = await runCheck(await loadProject(root), { against, startedAt: 0 });
    return judge(rules);
  };
}

/** Counts the reads of each file below a project, by its path from there. */
function countReads({ root }: TempProject): ReadonlyMap<string, number> {
  const reads = new Map<string, number>();
  const count = (path: unknown) => {
    if (typeof path !== "string" || !path.startsWith(`${root}${sep}`)) return;
    const name = relative(root, path).replaceAll(sep, "/");
    reads.set(name, (reads.get(name) ?? 0) + 1);
  };
  const { readFileSync } = fs;
  const { readFile } = fs.promises;
  vi.spyOn(fs, "readFileSync").mockImplementation(((path: string, options: BufferEncoding) => {
    count(path);
    return readFileSync(path, options);
  }) as typeof fs.readFileSync);
  vi.spyOn(fs.promises, "readFile").mockImplementation(((path: string, options: BufferEncoding) => {
    count(path);
    return readFile(path, options);
  }) as typeof fs.promises.readFile);
  syncBuiltinESMExports();
  return reads;
}
