import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, describe as group, it } from "vitest";
import { once } from "../../src/base/collections.ts";
import { describe } from "../../src/index.ts";
import type { DescribedField } from "../../src/tasks/describe/described-data.ts";
import { generatedProject } from "../support/generated-project.ts";
import { copyFromRepository, REPOSITORY } from "../support/repository.ts";
import { tempProject } from "../support/temp-project.ts";

/** A project with the snapshots of this repository and without operations. */
const root = mkdtempSync(join(tmpdir(), "lockflow test "));
beforeAll(() => copyFromRepository(root, "generated/schemas"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const lockup = once(() => describe({ cwd: root, protocols: ["lockup"] }));

/** Returns what a subject selects there: entities, fields such as `Stream.id sender`, and enums; those of flow say so. */
async function selected(subject: string, protocols?: readonly string[]): Promise<string> {
  const { match, entities, enums } = await describe({ cwd: root, subject, protocols });
  const names = entities.flatMap(({ protocol, name, isSelected, fields }) => [
    ...(isSelected ? [`${protocol} ${name}`] : []),
    ...(fields.length > 0 ? [`${protocol} ${name}.${fields.map((field) => field.name).join(" ")}`] : []),
  ]);
  const all = [...names, ...enums.map((one) => `${one.protocol} ${one.name}`)];
  return `${match}: ${all.join(", ").replaceAll("lockup ", "")}`;
}

group("describe", () => {
  it("lists all entities without a subject", async () => {
    const { match, entities, enums, nearest } = await describe({ cwd: root });
    expect({ match, nearest }).toEqual({ match: "all", nearest: [] });
    // A star marks entities of the multichain style only.
    const names = entities.map(({ protocol, name, styles }) => {
      return `${protocol} ${name}${styles.join() === "multichain,subgraph" ? "" : `* ${styles}`}`;
    });
    const shared = "Action Asset Batch Batcher Revenue* RevenueTransaction*";
    const wanted = {
      lockup: `${shared} Segment Stream Tranche User* UserTransaction* Watcher`,
      flow: `${shared} Stream User* UserTransaction* Watcher`,
    };
    expect(names).toEqual(
      Object.entries(wanted).flatMap(([protocol, list]) =>
        list.split(" ").map((name) => `${protocol} ${name.replace("*", "* multichain")}`),
      ),
    );
    expect(entities.filter(({ description, fields }) => description === null || fields.length === 0)).toEqual(
      [],
    );
    const silent = entities.flatMap(({ fields }) => fields).filter(({ description }) => description === null);
    expect(silent).toEqual([]);
    expect(enums.map(({ protocol, name }) => `${protocol} ${name}`).join()).toBe(
      "lockup ActionCategory,lockup StreamCategory,flow ActionCategory,flow StreamCategory",
    );
  });

  it.each<[subject: string, want: string]>([
    ["Tranche", "entity: Tranche, Tranche.amount endAmount endTime id position startAmount startTime stream"],
    ["Stream.category", "field: Stream.category, flow Stream.category, StreamCategory, flow StreamCategory"],
    ["ActionCategory", "enum: Action.category, flow Action.category, ActionCategory, flow ActionCategory"],
    // Words of descriptions, in any case.
    ["EXPONENT", "word: Segment, Segment.exponent"],
    // A member of an enum, which its description names.
    ["LockupLinear", "word: StreamCategory"],
    // The name of an entity in lower case is a word.
    [
      "batcher",
      "word: Batch.batcher id position, Batcher, Batcher.id, flow Batch.batcher id position, flow Batcher, flow Batcher.id",
    ],
  ])("finds %s", async (subject, want) => {
    expect(await selected(subject)).toBe(want);
  });

  it("searches only the selected protocols", async () => {
    expect(await selected("Stream.category", ["flow"])).toBe(
      "field: flow Stream.category, flow StreamCategory",
    );
    expect(await selected("Tranche", ["flow"])).toBe("word: ");
  });

  it.each([
    ["Stram", "Stream"],
    ["recipent", "recipient"],
    ["Stream.recipent", "Stream.recipient"],
    ["Stram.recipient", "Stream.recipient"],
    ["StreamCategry", "StreamCategory"],
    ["qqqqqqqqqqqq", undefined],
    ["Stream.qqqqqqqqqqqq", undefined],
  ])("suggests names for %s: %s", async (subject, want) => {
    const { nearest, ...data } = await describe({ cwd: root, subject, protocols: ["lockup"] });
    expect(data).toEqual({ match: "word", entities: [], enums: [] });
    expect(nearest[0]).toBe(want);
    expect(nearest.length).toBeLessThanOrEqual(5);
  });

  it.each<[name: string, want: string]>([
    ["Stream.alias", "String! and String!; equal"],
    ["Stream.shape", "String? and String?; equal"],
    [
      "Stream.sender",
      "String! and Bytes!; mapped; The scalar is String on multichain and Bytes on subgraph.",
    ],
    [
      "Stream.endTime",
      "numeric! and BigInt!; mapped; The scalar is numeric on multichain and BigInt on subgraph.; time",
    ],
    [
      "Stream.asset",
      "Asset? and Asset!; equal; Nullable only on multichain, like every relation there.; to Asset",
    ],
    ["Stream.actions", "[Action!]! and [Action!]!; equal; to list of Action by stream"],
    [
      "Stream.category",
      "streamcategory! and StreamCategory!; mapped; Multichain shows the enum StreamCategory as the scalar streamcategory.; enum StreamCategory",
    ],
    ["User.address", "String! and nothing; only-multichain; Only on multichain."],
  ])("describes the types, the difference, the relation and the time of %s", async (name, want) => {
    const [owner, own] = name.split(".");
    const { fields = [] } = (await lockup()).entities.find((one) => one.name === owner) ?? {};
    expect(fields.filter((field) => field.name === own).map(factsOf)).toEqual([want]);
  });

  it("lists the operations that select a field, portable ones once, also by column", async () => {
    const { root } = generatedProject(
      {
        "portable/senders.graphql":
          "query Senders {\n  streams { ...Own }\n}\nfragment Own on Stream { id sender }",
        "multichain/sums.graphql":
          "query Counters { Watcher { id } }\n\nquery Assets { Stream { asset_id asset { symbol } } }",
        "subgraph/aliases.graphql": "query Aliases { streams { alias none } }",
        "subgraph/broken.graphql": "query Broken { streams { alias",
      },
      ENTITIES,
    );
    const operationsOf = async (subject: string) => {
      const { match, entities } = await describe({ cwd: root, subject });
      const [entity] = entities;
      const found = match === "entity" ? entity?.operations : entity?.fields[0]?.operations;
      return found?.map(({ name, file, line, isPortable, styles }) =>
        [name, file.replace("operations/lockup/", ""), line, isPortable, styles.join()].join(" "),
      );
    };
    const ALIASES = "Aliases subgraph/aliases.graphql 1 false subgraph";
    const ASSETS = "Assets multichain/sums.graphql 3 false multichain";
    const SENDERS = "Senders portable/senders.graphql 1 true multichain,subgraph";
    expect(await operationsOf("Stream")).toEqual([ALIASES, ASSETS, SENDERS]);
    expect(await operationsOf("Stream.sender")).toEqual([SENDERS]);
    expect(await operationsOf("Stream.asset")).toEqual([ASSETS]);
    expect(await operationsOf("Stream.alias")).toEqual([ALIASES]);
    expect(await operationsOf("Stream.amount")).toEqual([]);
    expect(await operationsOf("Watcher")).toEqual(["Counters multichain/sums.graphql 1 false multichain"]);
  });

  it("describes a project with one style: no comparison, and the members of built-in enums", async () => {
    const config = { protocols: { lockup: { styles: ["multichain"] } } };
    const project = tempProject({
      "lockflow.config.json": JSON.stringify(config),
      "generated/schemas/lockup/multichain.graphql": read(REPOSITORY),
      "operations/lockup/multichain/sum.graphql":
        "query Sum { Stream_aggregate { aggregate { sum { depositAmount } } } }",
    });
    const sums = await describe({ cwd: project.root, subject: "Stream.depositAmount" });
    expect(sums.entities[0]?.fields[0]?.operations).toMatchObject([{ name: "Sum", isPortable: false }]);
    const { entities, enums } = await describe({ cwd: project.root, subject: "Stream.category" });
    expect(entities[0]?.fields).toMatchObject([
      { multichain: { type: "streamcategory!" }, subgraph: null, verdict: null, difference: null },
    ]);
    expect(enums).toMatchObject([
      {
        name: "StreamCategory",
        multichain: "streamcategory",
        subgraph: null,
        members: [{ name: "LockupDynamic" }, { name: "LockupLinear" }, { name: "LockupTranched" }],
      },
    ]);
  });

  it("reads descriptions from the entity SDL if no API has them", async () => {
    const project = tempProject({
      "lockflow.config.json": JSON.stringify({
        protocols: { lockup: { styles: ["multichain"], entities: "entities.graphql" } },
      }),
      "entities.graphql": ENTITIES,
      "generated/schemas/lockup/multichain.graphql": read(generatedProject({}, ENTITIES).root),
    });
    const { entities } = await describe({ cwd: project.root, subject: "Stream" });
    expect(entities[0]).toMatchObject({ description: "One stream, of two lines." });
  });

  it.each<[options: object, code: string]>([
    [{ protocols: ["locku"] }, "USAGE"],
    [{ subject: " " }, "USAGE"],
  ])("error: %j: %s", async (options, code) => {
    await expect(describe({ cwd: root, ...options })).rejects.toMatchObject({ code });
  });

  it("error: no snapshots", async () => {
    const { root: cwd } = tempProject();
    await expect(describe({ cwd })).rejects.toMatchObject({ code: "SCHEMA_SNAPSHOT_MISSING" });
  });
});

const ENTITIES = `
  enum StreamCategory { LockupDynamic LockupLinear LockupTranched }
  """
  One stream,
  of two lines.
  """
  type Stream @entity(immutable: false) {
    id: String! chainId: BigInt! alias: String! sender: Bytes! asset: Asset! amount: BigInt! category: StreamCategory!
  }
  type Asset @entity(immutable: false) { id: String! chainId: BigInt! symbol: String! }
  type Watcher @entity(immutable: false) { id: String! chainId: BigInt! }
`;

/** The types of both styles with a mark of nullable ones, the verdict, and what else is known of a field. */
function factsOf(field: DescribedField): string {
  const { multichain, subgraph, verdict, difference, relation, enum: name, isTime } = field;
  const typeOf = (side: DescribedField["multichain"]) =>
    side === null ? "nothing" : `${side.type}${side.nullable ? "?" : ""}`;
  return [
    `${typeOf(multichain)} and ${typeOf(subgraph)}`,
    verdict,
    difference,
    relation &&
      `to ${relation.isList ? "list of " : ""}${relation.entity}`.concat(
        relation.through ? ` by ${relation.through}` : "",
      ),
    name && `enum ${name}`,
    isTime && "time",
  ]
    .filter(Boolean)
    .join("; ");
}

function read(root: string): string {
  return readFileSync(join(root, "generated/schemas/lockup/multichain.graphql"), "utf8");
}
