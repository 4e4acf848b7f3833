import { describe, expect, it, onTestFinished } from "vitest";
import { startProjectEmulator } from "../../emulator/server/start-project-emulator.ts";
import type { ProtocolDefinition } from "../../src/dialects/protocol.ts";
import type { Config } from "../../src/project/config.ts";
import { resolveProject } from "../../src/project/project.ts";
import { post } from "../emulator/support.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

/** Envio accepts ids of big numbers since 3.5. */
const ENTITIES = "type Auction @entity { id: BigInt! chainId: Int! price: BigInt! }";
const HINT =
  "envio-3.5 accepts it: if that release runs, name it with --release, or as `release` in the protocol's definition.";

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
  ])("is named in the hint of %s where it accepts what the default one refuses", async (_, args) => {
    const { code, err } = await run(projectOf({}).project.root, args);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(HINT) });
  });

  it.each([
    ["derive", DERIVE],
    ["init", ["init", "--yes"]],
  ])("is that of %s", async (_, args) => {
    const { project } = projectOf({ release: { multichain: "envio-3.5" } });
    expect(await run(project.root, args)).toMatchObject({ code: 0, err: "" });
  });

  it("is that of derive from any folder, unless --release names another", async () => {
    const { project } = projectOf({ release: { multichain: "envio-3.8" } });
    expect((await run(project.root, DERIVE)).out).toContain("ecosystem: String");
    const args = [...DERIVE, "--release", "envio-3.5"];
    expect((await run(project.root, args)).out).not.toContain("ecosystem: String");
  });

  it.each([
    ["3.8", { data: { _meta: [{ ecosystem: "evm" }] } }],
    ["3.5", { errors: [expect.objectContaining({ message: expect.stringContaining("ecosystem") })] }],
  ])("is what the emulator of the project serves: %s", async (release, want) => {
    const { project, config } = projectOf({ release: { multichain: `envio-${release}` } });
    const emulator = await startProjectEmulator(resolveProject(config, project.root), { streams: 5 });
    onTestFinished(() => emulator.close());
    const answer = await post(emulator.endpoints[0]?.url ?? "", { query: "{ _meta { ecosystem } }" });
    expect(await answer.json()).toEqual(want);
  });

  it.each([
    ["derive", DERIVE],
    ["emulate", ["emulate", "--port", "0"]],
  ])("error: one that the platform does not have, by %s", async (_, args) => {
    const { project } = projectOf({ release: { multichain: "envio-1.0" } });
    const { code, err } = await run(project.root, args);
    expect(code).toBe(2);
    expect(err).toContain('envio has no release "envio-1.0".');
  });

  it("is not named where no release accepts the entities", async () => {
    const { err } = await run(projectOf({}, "type Auction @entity { price: BigInt! }").project.root, DERIVE);
    expect(err).toContain('has no field "id"');
    expect(err).not.toContain("accepts it");
  });

  it("is one that serves _meta where nothing names or shows one", async () => {
    const { project } = projectOf({}, "type Auction @entity { id: ID! }");
    expect((await run(project.root, DERIVE)).out).toContain("\n  _meta(");
  });
});
