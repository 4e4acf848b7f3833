import { describe, expect, it, onTestFinished } from "vitest";
import { startProjectEmulator } from "../../emulator/server/start-project-emulator.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import { deriveMultichain } from "../../src/dialects/multichain/derive.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { ProtocolDefinition } from "../../src/dialects/protocol.ts";
import type { Config } from "../../src/project/config.ts";
import { resolveProject } from "../../src/project/project.ts";
import { snapshotPath } from "../../src/workspace/snapshot.ts";
import { renderSnapshot } from "../../src/workspace/snapshot-schema.ts";
import { post } from "../emulator/support.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

/** Envio accepts ids of big numbers since 3.5. */
const ENTITIES = "type Auction @entity { id: BigInt! chainId: Int! price: BigInt! }";
const HINT =
  "envio-3.5 accepts it. If that release is deployed, set it with --release, or as `release` in the protocol's definition.";

function projectOf(definition: ProtocolDefinition, entities = ENTITIES) {
  const styles = ["multichain"] as const;
  const auctions = { entities: "auctions.graphql", styles, chains: ["base"], ...definition };
  const config: Config = { protocols: { auctions } };
  const project = tempProject({
    "auctions.graphql": entities,
    "package.json": '{ "type": "module" }',
    "lockflow.config.json": JSON.stringify(config),
  });
  return { project, config };
}

const DERIVE = ["derive", "auctions.graphql", "--style", "multichain"];

describe("the release of a protocol's definition", () => {
  it.each([
    ["derive", DERIVE],
    ["init", ["init", "--yes"]],
    ["emulate", ["emulate", "--port", "0"]],
  ])("is in the hint of %s if it accepts what the default one rejects", async (_, args) => {
    const { code, err } = await run(projectOf({}).project.root, args);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(HINT) });
  });

  it.each([
    ["derive", DERIVE, "As envio-3.5 (from the definition). Name another release with --release.\n"],
    ["init", ["init", "--yes"], ""],
  ])("is used by %s", async (_, args, err) => {
    const { project } = projectOf({ release: { multichain: "envio-3.5" } });
    expect(await run(project.root, args)).toMatchObject({ code: 0, err });
  });

  it.each([
    ["of the built-in definition", undefined, "As envio-2.27 (from the definition)."],
    ["of the project", { multichain: "envio-3.8" }, "As envio-3.8 (from the definition)."],
    ["of the project for the other style", { subgraph: "0.44" }, "As envio-2.27 (from the definition)."],
  ])("is that %s for Lockup", async (_, release, err) => {
    const { project } = projectOf({});
    const lockup = { entities: "lockup.graphql", release };
    project.write("lockflow.config.json", JSON.stringify({ protocols: { lockup } }));
    project.write("lockup.graphql", "type Stream @entity { id: ID! }");
    const derived = await run(project.root, ["derive", "lockup.graphql", "--style", "multichain"]);
    expect(derived).toMatchObject({ code: 0, err: expect.stringContaining(err) });
  });

  it("is used by derive in any folder, unless --release sets another", async () => {
    const { project } = projectOf({ release: { multichain: "envio-3.8" } });
    expect((await run(project.root, DERIVE)).out).toContain("ecosystem: String");
    const args = [...DERIVE, "--release", "envio-3.5"];
    expect((await run(project.root, args)).out).not.toContain("ecosystem: String");
  });

  it.each([
    ["3.8", { data: { _meta: [{ ecosystem: "evm" }] } }],
    ["3.5", { errors: [expect.objectContaining({ message: expect.stringContaining("ecosystem") })] }],
  ])("is used by the emulator of the project: %s", async (release, want) => {
    const { project, config } = projectOf({ release: { multichain: `envio-${release}` } });
    const emulator = await startProjectEmulator(resolveProject(config, project.root), { streams: 5 });
    onTestFinished(() => emulator.close());
    const answer = await post(emulator.endpoints[0]?.url ?? "", { query: "{ _meta { ecosystem } }" });
    expect(await answer.json()).toEqual(want);
  });

  it("error: an unknown release", async () => {
    const { code, err } = await run(projectOf({ release: { multichain: "envio-1.0" } }).project.root, DERIVE);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('envio has no release "envio-1.0".'),
    });
  });

  it("is not in the hint if no release accepts the entities", async () => {
    const { err } = await run(projectOf({}, "type Auction @entity { price: BigInt! }").project.root, DERIVE);
    expect(err).toContain('has no field "id"');
    expect(err).not.toContain("accepts it");
  });

  it("is one that serves _meta by default", async () => {
    const { project } = projectOf({}, "type Auction @entity { id: ID! }");
    expect((await run(project.root, DERIVE)).out).toContain("\n  _meta(");
  });
});

describe("bytesType of a protocol's definition", () => {
  const RAW = "type Auction @entity { id: ID! chainId: Int! hash: Bytes! }";
  const raw = (release: string, definition: ProtocolDefinition = {}) =>
    projectOf({ release: { multichain: release }, bytesType: "uint8array", ...definition }, RAW);

  it("is used by derive, unless --bytes-type sets another", async () => {
    const { project } = raw("envio-3.10");
    expect((await run(project.root, DERIVE)).out).toContain("  hash: bytea!\n");
    const text = await run(project.root, [...DERIVE, "--bytes-type", "string"]);
    expect(text.out).toContain("  hash: String!\n");
  });

  it("error: with a release that does not support it", async () => {
    const { code, err } = await run(raw("envio-3.8").project.root, DERIVE);
    expect(code).toBe(2);
    expect(err).toContain("3.8: has no bytes_type, which came with 3.10");
    expect(err).toContain("envio-3.10 accepts it");
  });

  it("is used by the emulator of the project, and ignored by a subgraph", async () => {
    const { project, config } = raw("envio-3.10", { styles: ["multichain", "subgraph"] });
    const emulator = await startProjectEmulator(resolveProject(config, project.root), { streams: 5 });
    onTestFinished(() => emulator.close());
    const ask = async (style: string, query: string) => {
      const endpoint = emulator.endpoints.find((one) => one.style === style);
      const response = await post(endpoint?.url ?? "", { query });
      return response.json() as Promise<{ data: Record<string, { id: string; hash: string }[]> }>;
    };
    const answer = await ask("multichain", "{ Auction(limit: 1) { id hash } }");
    const [{ id, hash } = { id: "", hash: "" }] = answer.data["Auction"] ?? [];
    expect(hash).toMatch(/^\\x([0-9a-f]{2})+$/);
    const filter = JSON.stringify(hash);
    const found = await ask("multichain", `{ Auction(where: {hash: {_eq: ${filter}}}) { id } }`);
    expect(found.data["Auction"]).toContainEqual({ id });
    expect(await ask("subgraph", "{ auctions(first: 1) { hash } }")).toEqual({
      data: { auctions: [{ hash: expect.stringMatching(/^0x/) }] },
    });
  });

  it("error: rows that are not bytes", async () => {
    const { project, config } = raw("envio-3.10", { rows: "rows.json" });
    project.write("rows.json", JSON.stringify({ Auction: [{ id: "a", chainId: 8453, hash: "no" }] }));
    await expect(startProjectEmulator(resolveProject(config, project.root), {})).rejects.toMatchObject({
      context: [expect.stringContaining("has to be hex in a string, 0x and two digits a byte")],
    });
  });

  it("is used by plan, whatever the snapshot has", async () => {
    const { project, config } = raw("envio-3.10");
    const { output } = resolveProject(config, project.root);
    const surface = { protocol: "auctions", style: "multichain" } as const;
    const schema = canonicalize(deriveMultichain(parseEntities(RAW, ""), { release: "3.10" }));
    const text = renderSnapshot(schema, surface);
    project.write(`${output}/${snapshotPath(surface)}`, text);
    const plan = await run(project.root, ["plan", "auctions.graphql"]);
    expect(plan).toMatchObject({ out: expect.stringContaining("bytes_type"), err: "" });
  });

  it("error: another value", async () => {
    const { project } = projectOf({ bytesType: "hex" as "string" });
    const { code, err } = await run(project.root, DERIVE);
    expect(code).toBe(2);
    expect(err).toContain('must be "string" or "uint8array"');
  });
});
