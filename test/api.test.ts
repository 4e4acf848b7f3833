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

const QUERY = "query Recent { streams(first: 2) { id } }";

describe("importing lockflow", () => {
  it("loads only a few modules, because configurations import it", () => {
    const loaded = new Set<string>();
    const visit = (path: string) => {
      if (loaded.has(path)) return;
      loaded.add(path);
      const imports = readRepositoryFile(path).matchAll(
        /^(?:import|export) (?!type )[^;]*?from "(\..*?)";/gms,
      );
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
});

describe("ask", () => {
  const OPERATIONS = {
    "portable/large.graphql":
      "query Large($least: BigInt!, $first: Int! = 3) { streams(first: $first, where: { depositAmount_gt: $least }) { id depositAmount } }",
  };
  const ENTITIES = SMALL_ENTITIES.replace("alias: String!", "alias: String! chainId: BigInt!");
  const request = { operation: "Large", protocol: "lockup", chains: ["base", 10], env: {}, emulator: true };

  it("returns the columns at once, and the rows as an async iterator", async () => {
    const { root } = generatedProject(OPERATIONS, ENTITIES);
    const notices: string[] = [];
    const { columns, chains, rows } = await ask({
      ...{ ...request, cwd: root, onNotice: (notice: string) => notices.push(notice) },
      variables: { least: 2n ** 64n, first: 2 },
    });
    expect(columns.map(({ name }) => name)).toEqual(["chain", "id", "depositAmount"]);
    expect(chains).toEqual(["base", "optimism"]);
    expect(notices).toEqual([]);
    const reported: string[] = [];
    const found: unknown[] = [];
    const onChain = ({ chain, error }: { readonly chain: string; readonly error: unknown }) => {
      reported.push(`${chain} ${error}`);
    };
    for await (const part of rows({ onChain })) found.push(...part.rows);
    expect(reported).toEqual(["base null", "optimism null"]);
    expect(found).toHaveLength(4);
    for (const row of found as { depositAmount: string }[]) {
      expect(BigInt(row.depositAmount)).toBeGreaterThan(2n ** 64n);
    }
    expect(notices[0]).toContain("--emulator is set");
  });

  it("rejects with the reason if it is aborted", async () => {
    const { root } = generatedProject(OPERATIONS, ENTITIES);
    const { rows } = await ask({ ...request, cwd: root, variables: { least: 0 } });
    const asking = rows({ signal: AbortSignal.abort(new Error("enough")) });
    await expect(asking.next()).rejects.toThrow("enough");
  });

  it("throws for a value of another type before it sends a request", async () => {
    const { root } = generatedProject(OPERATIONS, ENTITIES);
    await expect(ask({ ...request, cwd: root, variables: { least: true } })).rejects.toThrow(
      "$least must be of type BigInt; got true.",
    );
  });
});

describe("generate", () => {
  it("writes the same files as the command, and returns the state of each file", async () => {
    const [one, other] = [
      generatedProject({ "subgraph/recent.graphql": QUERY }),
      generatedProject({ "subgraph/recent.graphql": QUERY }),
    ];
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
    expect(written).toEqual([]);
    expect(project.files()).toEqual(before);
  });

  it("error: rejects if it cannot run", async () => {
    const error = await generate({ cwd: tempProject().root }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LockflowError);
    expect(error).toMatchObject({ code: "OPERATIONS_MISSING" });
    await expect(generate({ cwd: "/", config: "none.json" })).rejects.toMatchObject({
      code: "CONFIG_NOT_FOUND",
    });
  });
});

describe("check", () => {
  it("has no findings after generate, and returns the same report as the command", async () => {
    const project = generatedProject({ "subgraph/recent.graphql": QUERY });
    await generate({ cwd: project.root });
    const before = project.files();
    const { report, failed, root, output } = await check({ cwd: project.root });
    expect({ failed, root, output }).toEqual({ failed: [], root: project.root, output: "generated" });
    expect(report.outcome).toMatchObject({ exit: 0 });
    expect(project.files()).toEqual(before);
    const { out } = await run(project.root, ["check", "--json"]);
    const { run: _, ...written } = JSON.parse(out);
    const { run: __, ...given } = report;
    expect(JSON.parse(JSON.stringify(given))).toEqual(written);
  });

  it("returns the failing findings", async () => {
    const project = generatedProject({ "subgraph/recent.graphql": QUERY });
    await generate({ cwd: project.root });
    project.write("generated/lockup/subgraph.ts", "// mine\n");
    const { report, failed } = await check({ cwd: project.root });
    expect(report.outcome.exit).toBe(1);
    expect(failed).toMatchObject([
      { code: "generated/stale", place: { file: "generated/lockup/subgraph.ts" } },
    ]);
    expect(failed).toEqual(report.findings.filter(({ fails }) => fails));
  });

  it("error: an unknown git ref", async () => {
    const project = generatedProject({ "subgraph/recent.graphql": QUERY });
    await generate({ cwd: project.root });
    await expect(check({ cwd: project.root, against: "nowhere" })).rejects.toBeInstanceOf(LockflowError);
  });
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

  it.each([
    ["concurrency", 0],
    ["concurrency", 1.5],
    ["timeout", 600_001],
    ["timeout", Number.NaN],
  ])("error: %s %d is rejected before a request", async (name, value) => {
    const asked = introspect({ cwd: tempProject().root, env: {}, emulator: true, [name]: value });
    await expect(asked).rejects.toThrow(`"${name}" must be an integer from 1 to`);
  });
});

describe("drift", () => {
  it("returns the report of the command, the memory and the moved snapshots", async () => {
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

  it("error: rejects invalid options before a request", async () => {
    const cwd = tempProject({ "lockflow.config.json": "{}" }).root;
    await expect(drift({ cwd, env: { CI: "true" } })).rejects.toMatchObject({ code: "CONFIG_NO_HOST" });
    const kept = drift({ cwd, env: {}, emulator: true, memory: "{", memoryPath: "kept.json" });
    await expect(kept).rejects.toThrow(/^kept\.json is not/);
  });
});

describe("diff and accept", () => {
  it("report the findings of snapshots, and accept them", async () => {
    const { root } = await divergingProject();
    const before = await diff({ cwd: root });
    expect(before.report.outcome.exit).toBe(1);
    expect(before.parities?.map(({ protocol }) => protocol)).toEqual(["lockup"]);
    expect(before.fleets.map(({ groups }) => groups.length)).toEqual([1, 1]);
    const fingerprints = before.report.findings.map(({ fingerprint }) => fingerprint);
    const accepted = await accept({
      cwd: root,
      fingerprints,
      reason: "one style keeps it",
      until: "2999-01-31",
    });
    expect(accepted).toMatchObject({ written: true, removed: [] });
    expect(accepted.added).toEqual(accepted.entries);
    expect((await diff({ cwd: root })).report.outcome.exit).toBe(0);
    expect(await accept({ cwd: root, prune: true })).toMatchObject({ written: false });
    await expect(accept({ cwd: root, fingerprints: ["0123456789ab"], reason: "x" })).rejects.toMatchObject({
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

describe("derive", () => {
  const entities = "type A @entity(immutable: true) { id: ID! n: BigInt! }";

  it("returns the same SDL and introspection as the command", async () => {
    const project = tempProject({ "a.graphql": entities });
    const { sdl, introspection } = await derive({ entities, style: "subgraph", release: "0.40" });
    const args = ["derive", "--style", "subgraph", "--release", "0.40", "a.graphql"];
    expect(sdl).toBe((await run(project.root, args)).out);
    expect(introspection).toEqual(JSON.parse((await run(project.root, [...args, "--json"])).out));
  });

  it("error: a release or a setting of another platform", async () => {
    await expect(derive({ entities, style: "subgraph", release: "envio-2.27" })).rejects.toThrow(
      'graph-node has no release "envio-2.27".',
    );
    await expect(derive({ entities, style: "subgraph", aggregates: ["A"] })).rejects.toThrow(
      'The subgraph style has no setting "aggregates".',
    );
  });

  it("error: invalid entities, with the given path", async () => {
    const refused = derive({ entities: "type A @entity { n: Int }", style: "subgraph", path: "my.graphql" });
    await expect(refused).rejects.toThrow(/my\.graphql/);
  });
});

describe("plan", () => {
  it("returns the same report as the command", async () => {
    const project = generatedProject({ "subgraph/recent.graphql": QUERY });
    project.write("a.graphql", SMALL_ENTITIES.replace("sender: Bytes!", "end: Bytes!"));
    const { report, apis, failed } = await plan({
      cwd: project.root,
      file: "a.graphql",
      releases: { subgraph: "0.44" },
      failOn: "breaking",
    });
    const { out } = await run(project.root, [
      "plan",
      "a.graphql",
      "--release",
      "0.44",
      "--fail-on",
      "breaking",
      "--json",
    ]);
    const { run: _, ...reported } = JSON.parse(out);
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

  it("error: an unknown release or an unknown style", async () => {
    const { root } = generatedProject({});
    await expect(plan({ cwd: root, file: "a", releases: { subgraph: "3.8" } })).rejects.toThrow(
      'graph-node has no release "3.8".',
    );
    const typo: object = { subgrah: "0.44" };
    await expect(plan({ cwd: root, file: "a", releases: typo })).rejects.toThrow(
      'Unknown style "subgrah" in "releases"',
    );
  });
});
