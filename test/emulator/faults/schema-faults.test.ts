import { describe, expect, it } from "vitest";
import type { Emulator } from "../../../emulator/server/start-emulator.ts";
import { CHAIN_COUNTS } from "../../support/chain-counts.ts";
import { emulate } from "../support.ts";
import { ask } from "./support.ts";

const BASE = "protocol-lockup-base";
const GNOSIS = "protocol-lockup-gnosis";
const MULTICHAIN = "protocol-lockup-multichain";

type Api = {
  readonly types: readonly {
    readonly name: string;
    readonly fields: readonly { readonly name: string; readonly type: TypeRef }[] | null;
    readonly inputFields: readonly { readonly name: string }[] | null;
    readonly enumValues: readonly { readonly name: string }[] | null;
  }[];
};
type TypeRef = { readonly kind: string; readonly name: string | null; readonly ofType: TypeRef | null };

const TYPE = "kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } }";

async function apiOf(emulator: Emulator, name: string): Promise<Api> {
  const query = `{ __schema { types { name fields { name type { ${TYPE} } } inputFields { name } enumValues { name } } } }`;
  return ((await ask(emulator, name, query)) as { data: { __schema: Api } }).data.__schema;
}

/** Returns the API types with a member named after a field: `field` or `field_…`. */
function places(api: Api, name: string): string[] {
  const is = (one: { readonly name: string }) =>
    one.name === name || (one.name.startsWith(`${name}_`) && !one.name.startsWith(`${name}__`));
  return api.types
    .filter((type) => type.name.startsWith("Stream"))
    .flatMap((type) => {
      const members = [type.fields, type.inputFields, type.enumValues].flatMap((list) => list ?? []);
      return members.some(is) ? [type.name] : [];
    });
}

function typeOf(api: Api, type: string, field: string): string | undefined {
  const render = (ref: TypeRef): string => {
    if (ref.kind === "NON_NULL") return `${ref.ofType && render(ref.ofType)}!`;
    if (ref.kind === "LIST") return `[${ref.ofType && render(ref.ofType)}]`;
    return ref.name ?? "";
  };
  const found = api.types.find(({ name }) => name === type)?.fields?.find(({ name }) => name === field);
  return found && render(found.type);
}

describe("a dropped field", () => {
  it.each([
    [BASE, "{ streams(first: 1) { id sender } }", "Type `Stream` has no field `sender`"],
    [MULTICHAIN, "{ Stream(limit: 1) { id sender } }", "field 'sender' not found in type: 'Stream'"],
  ])("is removed from every type and from the rows: %s", async (name, query, message) => {
    const emulator = await emulate();
    const before = await apiOf(emulator, name);
    expect(places(before, "sender").length).toBeGreaterThan(2);
    await emulator.fault({ kind: "drop-field", field: "Stream.sender" });
    const after = await apiOf(emulator, name);
    expect(places(after, "sender")).toEqual([]);
    expect(places(after, "recipient")).toEqual(places(before, "recipient"));
    expect(JSON.stringify(await ask(emulator, name, query))).toContain(message);
  });

  it("also drops the fields derived from it", async () => {
    const emulator = await emulate({ faults: [{ kind: "drop-field", field: "Action.stream" }] });
    for (const name of [BASE, MULTICHAIN]) {
      const api = await apiOf(emulator, name);
      expect(typeOf(api, "Stream", "actions"), name).toBeUndefined();
      expect(typeOf(api, "Action", "stream"), name).toBeUndefined();
    }
    expect(await ask(emulator, BASE, "{ actions(first: 1) { id stream { id } } }")).toHaveProperty("errors");
  });

  it("is dropped only for the chain in the fault's scope", async () => {
    const emulator = await emulate({
      faults: [{ kind: "drop-field", field: "Stream.intactAmount", deployment: "base" }],
    });
    expect(places(await apiOf(emulator, BASE), "intactAmount")).toEqual([]);
    expect(places(await apiOf(emulator, GNOSIS), "intactAmount")).not.toEqual([]);
    // Flow does not have this field, so it is unchanged.
    expect(await ask(emulator, "protocol-flow-base", "{ streams(first: 1) { id } }")).toHaveProperty(
      "data.streams.0.id",
    );
  });
});

describe("a renamed field", () => {
  it.each([
    [BASE, (field: string, id: string) => `{ stream(id: "${id}") { value: ${field} } }`, "stream"],
    [
      MULTICHAIN,
      (field: string, id: string) => `{ Stream_by_pk(id: "${id}") { value: ${field} } }`,
      "Stream_by_pk",
    ],
  ] as const)("keeps its values and its members in the API: %s", async (name, query, root) => {
    const emulator = await emulate();
    const before = await apiOf(emulator, name);
    const [id] = await idsOf(emulator);
    const value = await ask(emulator, name, query("sender", id ?? ""));
    expect(value).toHaveProperty(`data.${root}.value`, expect.stringMatching(/^0x/));
    await emulator.fault({ kind: "rename-field", field: "Stream.sender", to: "payer" });
    const after = await apiOf(emulator, name);
    expect(places(after, "sender")).toEqual([]);
    expect(places(after, "payer")).toEqual(places(before, "sender"));
    expect(await ask(emulator, name, query("payer", id ?? ""))).toEqual(value);
    expect(await ask(emulator, name, query("sender", id ?? ""))).toHaveProperty("errors");
  });

  it("can be used in filters and orders", async () => {
    const emulator = await emulate();
    const first = (await ask(emulator, BASE, "{ streams(orderBy: sender) { sender } }")) as {
      data: { streams: { sender: string }[] };
    };
    const senders = first.data.streams.map(({ sender }) => sender);
    await emulator.fault({ kind: "rename-field", field: "Stream.sender", to: "payer" });
    expect(await ask(emulator, BASE, "{ streams(orderBy: payer) { payer } }")).toEqual({
      data: { streams: senders.map((payer) => ({ payer })) },
    });
    expect(
      await ask(emulator, BASE, `{ streams(where: { payer: "${senders[0]}" }, first: 1) { payer } }`),
    ).toEqual({
      data: { streams: [{ payer: senders[0] }] },
    });
  });

  it("is still the source of derived fields", async () => {
    const emulator = await emulate();
    const subgraph = "{ streams(orderBy: id) { id actions(orderBy: id) { id } } }";
    const multichain =
      "{ Stream(limit: 5, order_by: { id: asc }) { id actions(order_by: { id: asc }) { id } } }";
    const before = [await ask(emulator, BASE, subgraph), await ask(emulator, MULTICHAIN, multichain)];
    await emulator.fault({ kind: "rename-field", field: "Action.stream", to: "parent" });
    expect([await ask(emulator, BASE, subgraph), await ask(emulator, MULTICHAIN, multichain)]).toEqual(
      before,
    );
    expect(
      await ask(emulator, BASE, "{ actions(where: { parent_not: null }, first: 1) { parent { id } } }"),
    ).toHaveProperty("data.actions.0.parent.id");
  });
});

describe("a retyped field", () => {
  it("has the new type and its filters, and converted values", async () => {
    const emulator = await emulate();
    const query = "{ streams(first: 3, orderBy: id) { cancelable } }";
    const before = (await ask(emulator, BASE, query)) as { data: { streams: { cancelable: boolean }[] } };
    await emulator.fault({ kind: "retype-field", field: "Stream.cancelable", type: "String!" });
    expect(typeOf(await apiOf(emulator, BASE), "Stream", "cancelable")).toBe("String!");
    expect(typeOf(await apiOf(emulator, MULTICHAIN), "Stream", "cancelable")).toBe("String!");
    const streams = before.data.streams.map(({ cancelable }) => ({ cancelable: String(cancelable) }));
    expect(await ask(emulator, BASE, query)).toEqual({ data: { streams } });
    const filtered = '{ Stream(where: { cancelable: { _in: ["true", "false"] } }, limit: 2) { cancelable } }';
    expect(await ask(emulator, MULTICHAIN, filtered)).toHaveProperty(
      "data.Stream.1.cancelable",
      expect.any(String),
    );
  });

  it("that was a reference loses the fields derived from it", async () => {
    const emulator = await emulate({
      faults: [{ kind: "retype-field", field: "Action.stream", type: "String" }],
    });
    const api = await apiOf(emulator, BASE);
    expect([typeOf(api, "Action", "stream"), typeOf(api, "Stream", "actions")]).toEqual([
      "String",
      undefined,
    ]);
    const { data } = (await ask(
      emulator,
      BASE,
      "{ actions(where: { stream_not: null }, first: 1) { stream } }",
    )) as {
      data: { actions: { stream: string }[] };
    };
    expect(await idsOf(emulator)).toContain(data.actions[0]?.stream);
  });
});

describe("an added field", () => {
  it.each([
    ["String", "String", null],
    ["BigInt!", "BigInt!", "0"],
    ["[Bytes!]!", "[Bytes!]!", []],
  ])("of type %s is null or empty", async (type, shown, value) => {
    const emulator = await emulate({ faults: [{ kind: "add-field", field: "Stream.note", type }] });
    expect(typeOf(await apiOf(emulator, BASE), "Stream", "note")).toBe(shown);
    expect(await ask(emulator, BASE, "{ streams(first: 1) { note } }")).toEqual({
      data: { streams: [{ note: value }] },
    });
    expect(await ask(emulator, MULTICHAIN, "{ Stream(limit: 1) { note } }")).toEqual({
      data: { Stream: [{ note: value }] },
    });
  });

  it("can be a required reference", async () => {
    const emulator = await emulate({
      faults: [{ kind: "add-field", field: "Stream.first", type: "Asset!" }],
    });
    expect(await ask(emulator, BASE, "{ streams(first: 1) { first { id } } }")).toHaveProperty(
      "data.streams.0.first.id",
    );
    expect(await ask(emulator, MULTICHAIN, "{ Stream(limit: 1) { first { id } first_id } }")).toHaveProperty(
      "data.Stream.0.first.id",
    );
  });
});

describe("an added enum member", () => {
  it("is in the schema and in one row per chain", async () => {
    const emulator = await emulate({ faults: [{ kind: "add-enum-member", member: "StreamCategory.Novel" }] });
    const api = await apiOf(emulator, BASE);
    const members = api.types
      .find(({ name }) => name === "StreamCategory")
      ?.enumValues?.map(({ name }) => name);
    expect(members?.at(-1)).toBe("Novel");
    const subgraph = (await ask(emulator, BASE, "{ streams(where: { category: Novel }) { category } }")) as {
      data: { streams: unknown[] };
    };
    expect(subgraph.data.streams).toEqual([{ category: "Novel" }]);
    const multichain = (await ask(
      emulator,
      MULTICHAIN,
      '{ Stream(where: { category: { _eq: "Novel" } }) { chainId } }',
    )) as {
      data: { Stream: unknown[] };
    };
    expect(multichain.data.Stream).toHaveLength(CHAIN_COUNTS.multichain);
  });
});

describe("several edits", () => {
  it("apply in order, and edits that no longer fit are skipped", async () => {
    const emulator = await emulate({
      faults: [
        { kind: "rename-field", field: "Stream.sender", to: "payer" },
        { kind: "retype-field", field: "Stream.payer", type: "String!" },
      ],
    });
    expect(typeOf(await apiOf(emulator, BASE), "Stream", "payer")).toBe("String!");
    expect(await ask(emulator, BASE, "{ streams(first: 1) { payer } }")).toHaveProperty(
      "data.streams.0.payer",
      expect.stringMatching(/^0x/),
    );
    const renamed = await emulator.fault({ kind: "rename-field", field: "Stream.alias", to: "name" });
    await emulator.fault({ kind: "drop-field", field: "Stream.name" });
    renamed.lift();
    expect(await ask(emulator, BASE, "{ streams(first: 1) { alias } }")).toHaveProperty(
      "data.streams.0.alias",
    );
  });

  it("apply to new blocks, too", async () => {
    const emulator = await emulate({
      faults: [{ kind: "rename-field", field: "Action.block", to: "height" }],
    });
    const query = "{ actions(first: 1, orderBy: height, orderDirection: desc) { height } }";
    const before = await ask(emulator, BASE, query);
    emulator.advance(500);
    const after = await ask(emulator, BASE, query);
    expect(after).toHaveProperty("data.actions.0.height");
    expect(after).not.toEqual(before);
  });
});

async function idsOf(emulator: Emulator): Promise<string[]> {
  const answer = (await ask(emulator, BASE, "{ streams(first: 100) { id } }")) as {
    data: { streams: { id: string }[] };
  };
  return answer.data.streams.map(({ id }) => id);
}
