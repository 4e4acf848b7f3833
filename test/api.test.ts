import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  accept,
  ask,
  check,
  derive,
  diff,
  drift,
  generate,
  introspect,
  LockflowError,
  plan,
} from "../src/index.ts";
import { PROTOCOL_DEPLOYMENTS } from "./support/chain-counts.ts";
import { divergingProject } from "./support/diverging-project.ts";
import { generatedProject } from "./support/generated-project.ts";
import { SMALL_ENTITIES } from "./support/indexer-answers.ts";
import { liveFleet } from "./support/live-fleet.ts";
import { readRepositoryFile } from "./support/repository.ts";
import { run } from "./support/run.ts";
import { tempProject } from "./support/temp-project.ts";

const recentProject = () =>
  generatedProject({ "subgraph/recent.graphql": "query Recent { streams(first: 2) { id } }" });

/** The report of a command, without the times of its run. */
async function readReport(root: string, args: readonly string[]) {
  const { run: _, ...report } = JSON.parse((await run(root, [...args, "--json"])).out);
  return report;
}

it("importing lockflow loads only a few modules, because configurations import it", () => {
  const loaded = new Set<string>();
  const visit = (path: string) => {
    if (loaded.has(path)) return;
    loaded.add(path);
    const imports = readRepositoryFile(path).matchAll(/^(?:import|export) (?!type )[^;]*?from "(\..*?)";/gms);
    for (const [, specifier = ""] of imports) visit(join(dirname(path), specifier));
  };
  visit("src/index.ts");
  expect([...loaded].sort()).toEqual([
    "src/base/clean-text.ts",
    "src/base/errors.ts",
    "src/dialects/protocol.ts",
    "src/fleet/load-emulator.ts",
    "src/index.ts",
    "src/project/config.ts",
  ]);
});

const LARGE = {
  "portable/large.graphql":
    "query Large($least: BigInt!, $first: Int! = 3) { streams(first: $first, where: { depositAmount_gt: $least }) { id depositAmount } }",
};
const askLarge = (least: bigint | number | boolean, onNotice?: (notice: string) => void) =>
  ask({
    operation: "Large",
    protocol: "lockup",
    chains: ["base", 10],
    env: {},
    emulator: true,
    onNotice,
    cwd: generatedProject(LARGE, SMALL_ENTITIES.replace("alias: String!", "alias: String! chainId: BigInt!"))
      .root,
    variables: { least, first: 2 },
  });

describe("ask", () => {
  it("returns the columns at once, and the rows as an async iterator", async () => {
    const notices: string[] = [];
    const { columns, chains, rows } = await askLarge(2n ** 64n, (notice) => notices.push(notice));
    expect(columns.map(({ name }) => name)).toEqual(["chain", "id", "depositAmount"]);
    expect(chains).toEqual(["base", "optimism"]);
    expect(notices).toEqual([]);
    const reported: string[] = [];
    const amounts: bigint[] = [];
    for await (const part of rows({ onChain: ({ chain, error }) => reported.push(`${chain} ${error}`) })) {
      amounts.push(...part.rows.map((row) => BigInt(String(row["depositAmount"]))));
    }
    expect(reported).toEqual(["base null", "optimism null"]);
    expect(amounts.map((amount) => amount > 2n ** 64n)).toEqual(Array(4).fill(true));
    expect(notices[0]).toContain("--emulator is set");
  });

  it("rejects with the reason if it is aborted", async () => {
    const asking = (await askLarge(0)).rows({ signal: AbortSignal.abort(new Error("enough")) });
    await expect(asking.next()).rejects.toThrow("enough");
  });
});

describe("generate", () => {
  it("writes the same files as the command, and returns the state of each file", async () => {
    const [one, other] = [recentProject(), recentProject()];
    const first = await generate({ cwd: one.root });
    expect((await run(other.root, ["generate"])).code).toBe(0);
    expect(one.files()).toEqual(other.files());
    expect(first).toMatchObject({
      root: one.root,
      output: "generated",
      findings: [],
      failed: [],
      isCached: false,
    });
    expect(first.written).toContain("lockup/subgraph.ts");
    const second = await generate({ cwd: one.root });
    expect(second).toMatchObject({ written: [], unchanged: first.written });
  });

  it("returns errors in operations as findings, and does not write files", async () => {
    const project = generatedProject({ "subgraph/bad.graphql": "query Bad { nothing }" });
    const before = project.files();
    const { failed, findings, written } = await generate({ cwd: project.root });
    expect(failed).toEqual(findings);
    expect(failed).toMatchObject([{ place: { file: "operations/lockup/subgraph/bad.graphql", line: 1 } }]);
    expect([written, project.files()]).toEqual([[], before]);
  });
});

it("check returns the same report as the command, and the failing findings", async () => {
  const project = recentProject();
  await generate({ cwd: project.root });
  const before = project.files();
  const { report, failed, root, output } = await check({ cwd: project.root });
  expect({ failed, root, output }).toEqual({ failed: [], root: project.root, output: "generated" });
  expect(report.outcome).toMatchObject({ exit: 0 });
  expect(project.files()).toEqual(before);
  const { run: _, ...given } = report;
  expect(JSON.parse(JSON.stringify(given))).toEqual(await readReport(project.root, ["check"]));
  project.write("generated/lockup/subgraph.ts", "// mine\n");
  const edited = await check({ cwd: project.root });
  expect(edited.report.outcome.exit).toBe(1);
  const place = { file: "generated/lockup/subgraph.ts" };
  expect(edited.failed).toMatchObject([{ code: "generated/stale", place }]);
  expect(edited.failed).toEqual(edited.report.findings.filter(({ fails }) => fails));
});

describe("introspect", () => {
  it("introspects the emulator if no host is known, reports that, and writes snapshots", async () => {
    const project = tempProject({ "lockflow.config.json": '{ "protocols": ["flow"] }' });
    const reported: string[] = [];
    const result = await introspect({
      cwd: project.root,
      env: {},
      onAsking: ({ description, deployments, unconfigured }) => {
        reported.push(`${deployments.length} ${unconfigured.length} ${description}`);
      },
      onProgress: ({ done, total, deployment }) => {
        if (done === 0 || done === total) reported.push(`${done}/${total} ${deployment === null}`);
      },
    });
    expect(reported).toEqual([
      `${PROTOCOL_DEPLOYMENTS} 0 Using the emulator on this machine, because no host is configured.`,
      `0/${PROTOCOL_DEPLOYMENTS} true`,
      `${PROTOCOL_DEPLOYMENTS}/${PROTOCOL_DEPLOYMENTS} false`,
    ]);
    expect(result.deployments.map(({ status }) => status)).toEqual(
      Array(PROTOCOL_DEPLOYMENTS).fill("introspected"),
    );
    expect(result.written).toEqual([
      "schemas/deployments.json",
      "schemas/flow/multichain.graphql",
      "schemas/flow/subgraph.graphql",
    ]);
    expect(Object.keys(project.files())).toContain("generated/schemas/flow/subgraph.graphql");
  });
});

it("drift returns the report of the command, the memory and the moved snapshots", async () => {
  const project = await liveFleet([], undefined, {
    protocols: ["flow"],
    suffixes: ["base", "linea", "multichain"],
  });
  project.remove("generated");
  const options = { cwd: project.root, env: { KEY: "emulator" } };
  await expect(drift(options)).rejects.toMatchObject({ code: "SCHEMA_SNAPSHOT_MISSING" });
  await introspect(options);
  const first = await drift(options);
  expect(first).toMatchObject({ root: project.root, output: "generated", held: [] });
  expect(first.report.outcome).toMatchObject({ exit: 0 });
  const asked = first.report.endpoints.filter(({ status }) => status !== "skipped");
  expect(asked.map(({ status }) => status)).toEqual(Array(3).fill("same"));
  expect(first.report).not.toHaveProperty("moved");
  const second = await drift({ ...options, update: true, memory: first.memory ?? "" });
  expect(second.report.moved).toEqual([]);
  expect(second.memory).toContain('"protocol-flow-multichain"');
});

describe("diff and accept", () => {
  it("report the findings of snapshots, and accept them", async () => {
    const { root } = await divergingProject();
    const before = await diff({ cwd: root });
    expect(before.report.outcome.exit).toBe(1);
    expect(before.parities?.map(({ protocol }) => protocol)).toEqual(["lockup"]);
    expect(before.fleets.map(({ groups }) => groups.length)).toEqual([1, 1]);
    const fingerprints = before.report.findings.map(({ fingerprint }) => fingerprint);
    const accepting = { cwd: root, reason: "one style keeps it", until: "2999-01-31" };
    const accepted = await accept({ ...accepting, fingerprints });
    expect(accepted).toMatchObject({ written: true, removed: [] });
    expect(accepted.added).toEqual(accepted.entries);
    expect((await diff({ cwd: root })).report.outcome.exit).toBe(0);
    expect(await accept({ cwd: root, prune: true })).toMatchObject({ written: false });
    await expect(accept({ ...accepting, fingerprints: ["0123456789ab"] })).rejects.toMatchObject({
      code: "BASELINE_UNKNOWN_FINGERPRINT",
    });
  });

  it("compare two named schemas", async () => {
    const { root } = await divergingProject();
    const { report, schemas } = await diff({ cwd: root, schemas: ["lockup/subgraph", "lockup/subgraph"] });
    expect(report.findings).toEqual([]);
    expect(schemas).toEqual(Array(2).fill("lockup/subgraph"));
  });
});

const ENTITIES = "type A @entity(immutable: true) { id: ID! n: BigInt! }";

it("derive returns the same SDL and introspection as the command", async () => {
  const project = tempProject({ "a.graphql": ENTITIES });
  const { sdl, introspection } = await derive({ entities: ENTITIES, style: "subgraph", release: "0.40" });
  const args = ["derive", "--style", "subgraph", "--release", "0.40", "a.graphql"];
  expect(sdl).toBe((await run(project.root, args)).out);
  expect(introspection).toEqual(JSON.parse((await run(project.root, [...args, "--json"])).out));
});

it("plan returns the same report as the command", async () => {
  const project = recentProject();
  project.write("a.graphql", SMALL_ENTITIES.replace("sender: Bytes!", "end: Bytes!"));
  const options = { cwd: project.root, file: "a.graphql", failOn: "breaking" } as const;
  const { report, apis, failed } = await plan({ ...options, releases: { subgraph: "0.44" } });
  const args = ["plan", "a.graphql", "--release", "0.44", "--fail-on", "breaking"];
  const reported = await readReport(project.root, args);
  expect({ findings: report.findings.length, exit: report.outcome.exit, apis }).toEqual({
    findings: reported.findings.length,
    exit: reported.outcome.exit,
    apis: reported.apis,
  });
  expect(apis.map(({ release, releaseFrom }) => [release, releaseFrom])).toEqual([
    ["envio-3.0", "snapshot"],
    ["graph-node-0.44", "caller"],
  ]);
  expect(failed.map(({ coordinate }) => coordinate)).toEqual(["Stream.sender"]);
});

const drifting = { env: {}, emulator: true, memory: "{", memoryPath: "kept.json" };
const typo: object = { subgrah: "0.44" };
const asked = (cwd: string, more: object) => introspect({ cwd, env: {}, emulator: true, ...more });
const derived = (more: object) => derive({ entities: ENTITIES, style: "subgraph", ...more });

it.each<[name: string, act: (cwd: string) => Promise<unknown>, want: string | RegExp]>([
  ["ask: a value of another type", () => askLarge(true), "$least must be of type BigInt; got true."],
  ["generate: no operations", (cwd) => generate({ cwd }), "operations"],
  ["generate: no configuration", () => generate({ cwd: "/", config: "none.json" }), "none.json"],
  [
    "check: no git",
    () => check({ cwd: recentProject().root, against: "main" }),
    "git does not read a repository",
  ],
  [
    "introspect: none at once",
    (cwd) => asked(cwd, { concurrency: 0 }),
    '"concurrency" must be an integer from 1',
  ],
  [
    "introspect: a part",
    (cwd) => asked(cwd, { concurrency: 1.5 }),
    '"concurrency" must be an integer from 1',
  ],
  [
    "introspect: a long time",
    (cwd) => asked(cwd, { timeout: 600_001 }),
    '"timeout" must be an integer from 1',
  ],
  [
    "introspect: no number",
    (cwd) => asked(cwd, { timeout: Number.NaN }),
    '"timeout" must be an integer from 1',
  ],
  ["drift: no host in CI", (cwd) => drift({ cwd, env: { CI: "true" } }), "host"],
  ["drift: another memory", (cwd) => drift({ cwd, ...drifting }), /^kept\.json is not/],
  ["derive: another platform", () => derived({ release: "envio-2.27" }), 'no release "envio-2.27".'],
  ["derive: a setting of another style", () => derived({ aggregates: ["A"] }), 'no setting "aggregates".'],
  [
    "derive: entities",
    () => derived({ entities: "type A @entity { n: Int }", path: "my.graphql" }),
    "my.graphql",
  ],
  ["plan: a release", (cwd) => plan({ cwd, file: "a", releases: { subgraph: "3.8" } }), 'no release "3.8".'],
  [
    "plan: a style",
    (cwd) => plan({ cwd, file: "a", releases: typo }),
    'Unknown style "subgrah" in "releases"',
  ],
])("error: rejects before it acts: %s", async (_, act, want) => {
  const { root } = tempProject({ "lockflow.config.json": "{}" });
  const error = await act(root).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(LockflowError);
  expect((error as LockflowError).message).toMatch(want);
});
