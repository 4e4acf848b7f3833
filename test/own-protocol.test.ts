import { describe, expect, it, onTestFinished } from "vitest";
import type { Fault } from "../emulator/faults/fault.ts";
import type { Emulator } from "../emulator/server/start-emulator.ts";
import { startProjectEmulator } from "../emulator/server/start-project-emulator.ts";
import type { ProtocolDefinition } from "../src/dialects/protocol.ts";
import type { Config } from "../src/project/config.ts";
import { loadProject } from "../src/project/load-project.ts";
import type { Report } from "../src/report/report.ts";
import { installClient } from "./support/built-client.ts";
import { IS_THOROUGH } from "./support/is-thorough.ts";
import { type RunResult, run } from "./support/run.ts";
import { type TempProject, tempProject } from "./support/temp-project.ts";

/** Ten entities with unique names; `Cultivar` has no chain id. */
const SUBGRAPH = `
  enum Grade { Raw Washed Roasted }
  interface Party { id: ID! address: Bytes! }
  type Ledger @entity { id: ID! chainId: BigInt! lotCount: BigInt! }
  type Cultivar @entity(immutable: true) { id: ID! name: String! yearFound: Int }
  type Farm implements Party @entity {
    id: ID! address: Bytes! chainId: BigInt! altitude: Int! lots: [Lot!]! @derivedFrom(field: "farm")
  }
  type Roaster implements Party @entity { id: ID! address: Bytes! chainId: BigInt! grades: [Grade!]! }
  type Lot @entity {
    id: ID! chainId: BigInt! serial: BigInt! farm: Farm! cultivar: Cultivar! grade: Grade! weight: BigDecimal!
    askingPrice: BigInt! bids: [Bid!]! @derivedFrom(field: "lot") shipment: Shipment
  }
  type Bid @entity(immutable: true) { id: ID! lot: Lot! roaster: Roaster! amount: BigInt! timestamp: BigInt! }
  type Shipment @entity { id: ID! chainId: BigInt! vessel: Vessel sealed: Boolean! }
  type Vessel @entity { id: ID! chainId: BigInt! name: String! }
  type Stop @entity(immutable: true) { id: ID! shipment: Shipment! port: String! reachedAt: BigInt! }
  type Tasting @entity(immutable: true) { id: ID! lot: Lot! score: Int! notes: [String!]! }
`;
const ENTITIES = {
  "entities/coffee.subgraph.graphql": SUBGRAPH,
  "entities/coffee.multichain.graphql": SUBGRAPH.replace(/.*interface.*\n/, "").replaceAll(
    "implements Party ",
    "",
  ),
};
const COFFEE: ProtocolDefinition = {
  title: "Coffee lots",
  entities: {
    subgraph: "entities/coffee.subgraph.graphql",
    multichain: "entities/coffee.multichain.graphql",
  },
  chains: ["ethereum", "base"],
  identity: { protocol: "Lot.askingPrice", chain: "Ledger.chainId" },
  chainPath: { Bid: "lot", Stop: "shipment", Tasting: "lot" },
  cursors: { Lot: "serial" },
};

function projectOf(config: Config, files: Readonly<Record<string, string>> = ENTITIES): TempProject {
  return tempProject({
    "package.json": '{ "type": "module" }',
    "lockflow.config.json": JSON.stringify(config),
    ...files,
  });
}

/** Serves the configured deployments of a project; commands query them through variables. */
async function serve(project: TempProject): Promise<{
  readonly emulator: Emulator;
  readonly ask: (...args: readonly string[]) => Promise<RunResult>;
  readonly drift: (...faults: readonly Fault[]) => Promise<RunResult & { readonly report: Report }>;
}> {
  const emulator = await startProjectEmulator(await loadProject(project.root), { streams: 5 });
  onTestFinished(() => emulator.close());
  const ask = (...args: readonly string[]) => run(project.root, args, { env: emulator.env() });
  return {
    emulator,
    ask,
    drift: async (...faults) => {
      emulator.clearFaults();
      for (const fault of faults) await emulator.fault(fault);
      const result = await ask("drift", "--report", "text,json=report.json");
      return { ...result, report: JSON.parse(project.read("report.json")) };
    },
  };
}

function describeFindings(report: Report): string[] {
  return report.findings.map(
    ({ code, subject, where }) => `${code} ${subject} ${where?.protocol}/${where?.style}`,
  );
}

async function mustRun(project: TempProject, ...args: readonly string[]): Promise<string> {
  const { code, out, err } = await run(project.root, args);
  expect({ args, code, err: code === 0 ? "" : err }).toEqual({ args, code: 0, err: "" });
  return out;
}

it("a custom protocol alone works with every command, starting from its entity SDL", async () => {
  const project = projectOf({ protocols: { coffee: COFFEE } });
  await mustRun(project, "init", "--yes", "--protocol", "coffee");
  project.write("operations/coffee/subgraph/weights.graphql", "query Weights { lots { weight } }");
  project.write("operations/coffee/multichain/weights.graphql", "query Weights { Lot { weight } }");
  const synced = await mustRun(project, "sync");
  expect(synced).toContain("10 entities in both");
  expect(synced).toMatch(/Lots of .*, sent to protocol-coffee-multichain:\n.*\n {4}lot-/);
  expect(synced).toMatch(/Lots of .*, sent to protocol-coffee-mainnet:\n.*\n {4}lot-1-/);
  await mustRun(project, "check");
  await mustRun(project, "diff");
  expect(await mustRun(project, "emulate", "--env", "--port", "0")).toContain("LOCKFLOW_COFFEE_ID=");

  const { ask, drift } = await serve(project);
  expect(await drift()).toMatchObject({ code: 0, report: { findings: [] } });

  const dropped = await drift({ kind: "drop-field", field: "Lot.weight" });
  expect(dropped.code).toBe(1);
  expect(describeFindings(dropped.report)).toEqual([
    "drift/field-removed Lot.weight coffee/multichain",
    "drift/field-removed Lot.weight coffee/subgraph",
  ]);
  expect(dropped.out).toMatch(
    /operations\/coffee\/subgraph\/weights\.graphql:\d+:\d+ {2}Weights {2}Cannot query/,
  );
  const accepted = dropped.report.findings.map(({ fingerprint }) => fingerprint);
  await mustRun(project, "accept", ...accepted, "--reason", "weight is unused", "--from", "report.json");
  expect((await ask("drift")).code).toBe(0);

  installClient(project.root);
  const doctor = await ask("doctor");
  expect(doctor).toMatchObject({ code: 0, out: expect.stringContaining("LOCKFLOW_COFFEE_ID is set.") });

  for (const [path, text] of Object.entries(ENTITIES)) {
    project.write(path, text.replace("weight:", "weightInKilos:"));
  }
  const plan = await run(project.root, ["plan", "--report", "json"]);
  expect(plan.code).toBe(1);
  expect(describeFindings(JSON.parse(plan.out))).toEqual([
    "drift/field-renamed Lot.weight coffee/multichain",
    "plan/hidden-not-compared entities/coffee.multichain.graphql coffee/multichain",
  ]);
});

describe("a custom protocol and a built-in protocol", () => {
  const config: Config = {
    protocols: { flow: true, coffee: COFFEE },
    only: { chains: ["ethereum", "base"] },
  };

  it.runIf(IS_THOROUGH)(
    "are recognized at each other's URLs, and their drift is reported separately",
    async () => {
      const project = projectOf(config);
      await mustRun(project, "init", "--yes");
      const { ask, drift } = await serve(project);
      expect((await ask("introspect")).out).toContain("Introspected 6 of 6 deployments.");
      await mustRun(project, "generate");
      await mustRun(project, "check");
      const before = project.files("generated");

      const { code, out, report } = await drift(
        { kind: "wrong-protocol", deployment: "protocol-flow-base" },
        { kind: "wrong-protocol", deployment: "protocol-coffee-base" },
        { kind: "drop-field", field: "Lot.grade", deployment: "protocol-coffee-mainnet" },
      );
      expect(code).toBe(1);
      expect(out.split("\n")[0]).toMatch(
        /^Not clean: wrong protocol \(protocol-coffee-base, protocol-flow-base\);/,
      );
      expect(describeFindings(report)).toEqual([
        "identity/wrong-protocol protocol-coffee-base coffee/subgraph",
        "identity/wrong-protocol protocol-flow-base flow/subgraph",
        "drift/field-removed Lot.grade coffee/subgraph",
      ]);
      expect(report.findings[1]?.message).toBe("It serves coffee instead of flow.");
      expect(project.files("generated")).toEqual(before);
    },
  );
});

describe("an indexer that merges two protocols", () => {
  const entities = `
    enum StreamCategory { LockupLinear Flow }
    type Watcher @entity { id: String! chainId: BigInt! streamCounter: BigInt! }
    type Asset @entity(immutable: true) { id: String! chainId: BigInt! address: Bytes! symbol: String! }
    type Stream @entity {
      id: String! chainId: BigInt! subgraphId: BigInt! category: StreamCategory! asset: Asset! sender: Bytes!
      depositAmount: BigInt ratePerSecond: BigInt actions: [Action!]! @derivedFrom(field: "stream")
    }
    type Action @entity(immutable: true) { id: String! chainId: BigInt! stream: Stream! amountA: BigInt }
  `;
  const streams: ProtocolDefinition = {
    entities: "streams.graphql",
    chains: ["ethereum", "base", "optimism", "polygon"],
    identity: { chain: "Watcher.chainId" },
    cursors: { Stream: "subgraphId" },
  };

  it("is queried once, and has one snapshot per style and each finding once", async () => {
    const project = projectOf({ protocols: { streams } }, { "streams.graphql": entities });
    await mustRun(project, "init", "--yes");
    await mustRun(project, "generate");
    const { emulator, ask, drift } = await serve(project);
    expect(await ask("introspect")).toMatchObject({ code: 0, out: expect.stringContaining("5 of 5") });
    // One request for the schema and one for the probe.
    expect(emulator.requests().map(({ deployment, count }) => `${deployment} ${count}`)).toEqual([
      "protocol-streams-base 2",
      "protocol-streams-mainnet 2",
      "protocol-streams-multichain 2",
      "protocol-streams-optimism 2",
      "protocol-streams-polygon 2",
    ]);
    expect(Object.keys(project.files("generated/schemas")).sort()).toEqual([
      "generated/schemas/deployments.json",
      "generated/schemas/operations.json",
      "generated/schemas/streams/multichain.graphql",
      "generated/schemas/streams/subgraph.graphql",
    ]);
    const { report } = await drift({ kind: "drop-field", field: "Stream.ratePerSecond", style: "subgraph" });
    expect(describeFindings(report)).toEqual(["drift/field-removed Stream.ratePerSecond streams/subgraph"]);
    expect(report.findings[0]?.where?.deployments).toHaveLength(4);
  });
});
