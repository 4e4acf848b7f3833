import { describe, expect, it } from "vitest";
import type { Fault } from "../../../emulator/faults/fault.ts";
import type { Emulator } from "../../../emulator/server/start-emulator.ts";
import { INTROSPECTION_QUERY, parseIntrospection } from "../../../src/dialects/introspection.ts";
import { CHAIN_COUNTS } from "../../support/chain-counts.ts";
import { emulate } from "../support.ts";
import { ask, read } from "./support.ts";

const BASE = "protocol-lockup-base";
const GNOSIS = "protocol-lockup-gnosis";
const MULTICHAIN = "protocol-lockup-multichain";

/** Returns the members of all types of the API of a deployment, with the types of fields. */
async function membersOf(emulator: Emulator, name: string): Promise<ReadonlyMap<string, string>> {
  const { types } = parseIntrospection(await read(emulator, name, INTROSPECTION_QUERY));
  const members = types.flatMap((type) => {
    const fields = "fields" in type ? type.fields : [];
    const values = type.kind === "ENUM" ? type.values : [];
    return [...fields, ...values].map((member): [string, string] => [
      `${type.name}.${member.name}`,
      "type" in member ? member.type : "",
    ]);
  });
  return new Map(members);
}

/** Returns the types named after streams with a member named after a field: `field` or `field_…`. */
function places(members: ReadonlyMap<string, string>, field: string): string[] {
  const isOf = new RegExp(`^Stream\\w*\\.${field}(?:_(?!_)|$)`);
  const types = [...members.keys()]
    .filter((member) => isOf.test(member))
    .map((member) => member.split(".")[0]);
  return [...new Set(types)].map(String);
}

const streamIds = async (emulator: Emulator): Promise<string[]> => {
  const query = "{ streams(first: 100) { id } }";
  return (await read<{ streams: { id: string }[] }>(emulator, BASE, query)).streams.map(({ id }) => id);
};

describe("a dropped field", () => {
  it.each([
    [BASE, "{ streams(first: 1) { id sender } }", "Type `Stream` has no field `sender`"],
    [MULTICHAIN, "{ Stream(limit: 1) { id sender } }", "field 'sender' not found in type: 'Stream'"],
  ])("is removed from every type and from the rows: %s", async (name, query, message) => {
    const emulator = await emulate();
    const before = await membersOf(emulator, name);
    expect(places(before, "sender").length).toBeGreaterThan(2);
    await emulator.fault({ kind: "drop-field", field: "Stream.sender" });
    const after = await membersOf(emulator, name);
    expect(places(after, "sender")).toEqual([]);
    expect(places(after, "recipient")).toEqual(places(before, "recipient"));
    expect(JSON.stringify(await ask(emulator, name, query))).toContain(message);
  });

  it("also drops the fields derived from it", async () => {
    const emulator = await emulate({ faults: [{ kind: "drop-field", field: "Action.stream" }] });
    for (const name of [BASE, MULTICHAIN]) {
      const members = await membersOf(emulator, name);
      expect([members.get("Stream.actions"), members.get("Action.stream")]).toEqual([undefined, undefined]);
    }
    expect(await ask(emulator, BASE, "{ actions(first: 1) { id stream { id } } }")).toHaveProperty("errors");
  });

  it("is dropped only for the chain in the fault's scope", async () => {
    const fault: Fault = { kind: "drop-field", field: "Stream.intactAmount", deployment: "base" };
    const emulator = await emulate({ faults: [fault] });
    expect(places(await membersOf(emulator, BASE), "intactAmount")).toEqual([]);
    expect(places(await membersOf(emulator, GNOSIS), "intactAmount")).not.toEqual([]);
    // Flow does not have this field, so it is unchanged.
    const flow = await ask(emulator, "protocol-flow-base", "{ streams(first: 1) { id } }");
    expect(flow).toHaveProperty("data.streams.0.id");
  });
});

describe("a renamed field", () => {
  it.each([
    [BASE, "stream"],
    [MULTICHAIN, "Stream_by_pk"],
  ])("keeps its values and its members in the API: %s", async (name, root) => {
    const emulator = await emulate();
    const before = await membersOf(emulator, name);
    const [id] = await streamIds(emulator);
    const askFor = (field: string) => ask(emulator, name, `{ ${root}(id: "${id}") { value: ${field} } }`);
    const value = await askFor("sender");
    expect(value).toHaveProperty(`data.${root}.value`, expect.stringMatching(/^0x/));
    await emulator.fault({ kind: "rename-field", field: "Stream.sender", to: "payer" });
    const after = await membersOf(emulator, name);
    expect(places(after, "sender")).toEqual([]);
    expect(places(after, "payer")).toEqual(places(before, "sender"));
    expect(await askFor("payer")).toEqual(value);
    expect(await askFor("sender")).toHaveProperty("errors");
  });

  it("can be used in filters and orders", async () => {
    const emulator = await emulate();
    type Streams = { readonly streams: readonly { readonly value: string }[] };
    const before = await read<Streams>(emulator, BASE, "{ streams(orderBy: sender) { value: sender } }");
    await emulator.fault({ kind: "rename-field", field: "Stream.sender", to: "payer" });
    expect(await read(emulator, BASE, "{ streams(orderBy: payer) { value: payer } }")).toEqual(before);
    const [first] = before.streams;
    const filtered = `{ streams(where: { payer: "${first?.value}" }, first: 1) { value: payer } }`;
    expect(await read(emulator, BASE, filtered)).toEqual({ streams: [first] });
  });

  it("is still the source of derived fields", async () => {
    const emulator = await emulate();
    const subgraph = "{ streams(orderBy: id) { id actions(orderBy: id) { id } } }";
    const multichain =
      "{ Stream(limit: 5, order_by: { id: asc }) { id actions(order_by: { id: asc }) { id } } }";
    const rows = async () => [
      await read(emulator, BASE, subgraph),
      await read(emulator, MULTICHAIN, multichain),
    ];
    const before = await rows();
    await emulator.fault({ kind: "rename-field", field: "Action.stream", to: "parent" });
    expect(await rows()).toEqual(before);
    const parents = "{ actions(where: { parent_not: null }, first: 1) { parent { id } } }";
    expect(await ask(emulator, BASE, parents)).toHaveProperty("data.actions.0.parent.id");
  });
});

describe("a retyped field", () => {
  it("has the new type and its filters, and converted values", async () => {
    const emulator = await emulate();
    const query = "{ streams(first: 3, orderBy: id) { cancelable } }";
    const before = await read<{ streams: { cancelable: boolean }[] }>(emulator, BASE, query);
    await emulator.fault({ kind: "retype-field", field: "Stream.cancelable", type: "String!" });
    for (const name of [BASE, MULTICHAIN]) {
      expect((await membersOf(emulator, name)).get("Stream.cancelable")).toBe("String!");
    }
    const streams = before.streams.map(({ cancelable }) => ({ cancelable: String(cancelable) }));
    expect(await read(emulator, BASE, query)).toEqual({ streams });
    const filtered = '{ Stream(where: { cancelable: { _in: ["true", "false"] } }, limit: 2) { cancelable } }';
    const two = await read(emulator, MULTICHAIN, filtered);
    expect(two).toHaveProperty("Stream.1.cancelable", expect.any(String));
  });

  it("that was a reference loses the fields derived from it", async () => {
    const fault: Fault = { kind: "retype-field", field: "Action.stream", type: "String" };
    const emulator = await emulate({ faults: [fault] });
    const members = await membersOf(emulator, BASE);
    expect([members.get("Action.stream"), members.get("Stream.actions")]).toEqual(["String", undefined]);
    const query = "{ actions(where: { stream_not: null }, first: 1) { stream } }";
    const { actions } = await read<{ actions: { stream: string }[] }>(emulator, BASE, query);
    expect(await streamIds(emulator)).toContain(actions[0]?.stream);
  });
});

describe("an added field", () => {
  it.each([
    ["String", null],
    ["BigInt!", "0"],
    ["[Bytes!]!", []],
  ])("of type %s is null or empty", async (type, note) => {
    const emulator = await emulate({ faults: [{ kind: "add-field", field: "Stream.note", type }] });
    expect((await membersOf(emulator, BASE)).get("Stream.note")).toBe(type);
    expect(await read(emulator, BASE, "{ rows: streams(first: 1) { note } }")).toEqual({ rows: [{ note }] });
    const multichain = "{ rows: Stream(limit: 1) { note } }";
    expect(await read(emulator, MULTICHAIN, multichain)).toEqual({ rows: [{ note }] });
  });

  it.each([
    [BASE, "{ rows: streams(first: 1) { first { id } } }"],
    [MULTICHAIN, "{ rows: Stream(limit: 1) { first { id } first_id } }"],
  ])("can be a required reference: %s", async (name, query) => {
    const emulator = await emulate({
      faults: [{ kind: "add-field", field: "Stream.first", type: "Asset!" }],
    });
    expect(await ask(emulator, name, query)).toHaveProperty("data.rows.0.first.id");
  });
});

describe("an added enum member", () => {
  it("is in the schema and in one row per chain", async () => {
    const emulator = await emulate({ faults: [{ kind: "add-enum-member", member: "StreamCategory.Novel" }] });
    const members = [...(await membersOf(emulator, BASE)).keys()];
    expect(members.findLast((member) => member.startsWith("StreamCategory."))).toBe("StreamCategory.Novel");
    const subgraph = "{ streams(where: { category: Novel }) { category } }";
    expect(await read(emulator, BASE, subgraph)).toEqual({ streams: [{ category: "Novel" }] });
    const multichain = '{ Stream(where: { category: { _eq: "Novel" } }) { chainId } }';
    const { Stream } = await read<{ Stream: unknown[] }>(emulator, MULTICHAIN, multichain);
    expect(Stream).toHaveLength(CHAIN_COUNTS.multichain);
  });
});

describe("several edits", () => {
  it("apply in order, and edits that no longer fit are skipped", async () => {
    const faults: Fault[] = [
      { kind: "rename-field", field: "Stream.sender", to: "payer" },
      { kind: "retype-field", field: "Stream.payer", type: "String!" },
    ];
    const emulator = await emulate({ faults });
    expect((await membersOf(emulator, BASE)).get("Stream.payer")).toBe("String!");
    const payer = await read(emulator, BASE, "{ streams(first: 1) { payer } }");
    expect(payer).toHaveProperty("streams.0.payer", expect.stringMatching(/^0x/));
    const renamed = await emulator.fault({ kind: "rename-field", field: "Stream.alias", to: "name" });
    await emulator.fault({ kind: "drop-field", field: "Stream.name" });
    renamed.lift();
    const alias = await read(emulator, BASE, "{ streams(first: 1) { alias } }");
    expect(alias).toHaveProperty("streams.0.alias");
  });

  it("apply to new blocks, too", async () => {
    const fault: Fault = { kind: "rename-field", field: "Action.block", to: "height" };
    const emulator = await emulate({ faults: [fault] });
    const query = "{ actions(first: 1, orderBy: height, orderDirection: desc) { height } }";
    const before = await read(emulator, BASE, query);
    emulator.advance(500);
    const after = await read(emulator, BASE, query);
    expect(after).toHaveProperty("actions.0.height");
    expect(after).not.toEqual(before);
  });
});
