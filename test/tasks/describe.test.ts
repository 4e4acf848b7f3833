import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, describe as group, it } from "vitest";
import { describe } from "../../src/index.ts";
import type { DescribedField } from "../../src/tasks/describe/described-data.ts";
import { generatedProject } from "../support/generated-project.ts";
import { REPOSITORY } from "../support/repository.ts";
import { tempProject } from "../support/temp-project.ts";

/** Returns the names that a subject selects in this repository, as `lockup Stream.sender`, with selected entities. */
async function selected(subject: string, protocols?: readonly string[]) {
  const data = await describe({ cwd: REPOSITORY, subject, protocols });
  const names = data.entities.flatMap(({ protocol, name, isSelected, fields }) => [
    ...(isSelected ? [`${protocol} ${name}`] : []),
    ...fields.map((field) => `${protocol} ${name}.${field.name}`),
  ]);
  return { match: data.match, names, enums: data.enums.map((one) => `${one.protocol} ${one.name}`) };
}

group("describe", () => {
  it("lists all entities without a subject", async () => {
    const { match, entities, enums, nearest } = await describe({ cwd: REPOSITORY });
    expect({ match, nearest }).toEqual({ match: "all", nearest: [] });
    expect(entities.map(({ protocol, name, styles }) => `${protocol} ${name} ${styles.join()}`)).toEqual([
      ...[
        ...["Action", "Asset", "Batch", "Batcher"].map((name) => `lockup ${name} multichain,subgraph`),
        ...["Revenue", "RevenueTransaction"].map((name) => `lockup ${name} multichain`),
        ...["Segment", "Stream", "Tranche"].map((name) => `lockup ${name} multichain,subgraph`),
        ...["User", "UserTransaction"].map((name) => `lockup ${name} multichain`),
        "lockup Watcher multichain,subgraph",
      ],
      ...[
        ...["Action", "Asset", "Batch", "Batcher"].map((name) => `flow ${name} multichain,subgraph`),
        ...["Revenue", "RevenueTransaction"].map((name) => `flow ${name} multichain`),
        "flow Stream multichain,subgraph",
        ...["User", "UserTransaction"].map((name) => `flow ${name} multichain`),
        "flow Watcher multichain,subgraph",
      ],
    ]);
    expect(entities.filter(({ description, fields }) => description === null || fields.length === 0)).toEqual(
      [],
    );
    const silent = entities.flatMap(({ fields }) => fields).filter(({ description }) => description === null);
    expect(silent).toEqual([]);
    expect(enums.map(({ protocol, name }) => `${protocol} ${name}`)).toEqual([
      ...["lockup ActionCategory", "lockup StreamCategory", "flow ActionCategory", "flow StreamCategory"],
    ]);
  });

  it.each([
    [
      "an entity",
      "Tranche",
      {
        match: "entity",
        names: [
          "lockup Tranche",
          ...["amount", "endAmount", "endTime", "id", "position", "startAmount", "startTime", "stream"].map(
            (field) => `lockup Tranche.${field}`,
          ),
        ],
        enums: [],
      },
    ],
    [
      "a field of two protocols",
      "Stream.category",
      {
        match: "field",
        names: ["lockup Stream.category", "flow Stream.category"],
        enums: ["lockup StreamCategory", "flow StreamCategory"],
      },
    ],
    [
      "an enum",
      "ActionCategory",
      {
        match: "enum",
        names: ["lockup Action.category", "flow Action.category"],
        enums: ["lockup ActionCategory", "flow ActionCategory"],
      },
    ],
    [
      "a word of descriptions, in any case",
      "EXPONENT",
      { match: "word", names: ["lockup Segment", "lockup Segment.exponent"], enums: [] },
    ],
    [
      "a member of an enum, and its description",
      "LockupLinear",
      { match: "word", names: [], enums: ["lockup StreamCategory"] },
    ],
    [
      "the name of an entity in lower case, which is a word",
      "batcher",
      {
        match: "word",
        names: ["lockup", "flow"].flatMap((protocol) =>
          ["Batch.batcher", "Batch.id", "Batch.position", "Batcher", "Batcher.id"].map(
            (name) => `${protocol} ${name}`,
          ),
        ),
        enums: [],
      },
    ],
  ])("finds %s", async (_, subject, want) => {
    expect(await selected(subject)).toEqual(want);
  });

  it("searches only the selected protocols", async () => {
    expect((await selected("Stream.category", ["flow"])).names).toEqual(["flow Stream.category"]);
    expect((await selected("Tranche", ["flow"])).names).toEqual([]);
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
    const { nearest, ...data } = await describe({ cwd: REPOSITORY, subject, protocols: ["lockup"] });
    expect(data).toEqual({ match: "word", entities: [], enums: [] });
    expect(nearest[0]).toBe(want);
    expect(nearest.length).toBeLessThanOrEqual(5);
  });

  it("describes the types, the difference, the relation and the time of a field", async () => {
    const { entities } = await describe({ cwd: REPOSITORY, protocols: ["lockup"] });
    const facts = (name: string) => {
      const [entity, field] = name.split(".");
      const found = entities.find((one) => one.name === entity)?.fields.find((one) => one.name === field);
      return found && factsOf(found);
    };
    expect(Object.fromEntries(FIELDS.map(([name]) => [name, facts(name)]))).toEqual(
      Object.fromEntries(FIELDS),
    );
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
    expect({
      Stream: await operationsOf("Stream"),
      "Stream.sender": await operationsOf("Stream.sender"),
      "Stream.asset": await operationsOf("Stream.asset"),
      "Stream.alias": await operationsOf("Stream.alias"),
      "Stream.amount": await operationsOf("Stream.amount"),
      Watcher: await operationsOf("Watcher"),
    }).toEqual({
      Stream: [
        "Aliases subgraph/aliases.graphql 1 false subgraph",
        "Assets multichain/sums.graphql 3 false multichain",
        "Senders portable/senders.graphql 1 true multichain,subgraph",
      ],
      "Stream.sender": ["Senders portable/senders.graphql 1 true multichain,subgraph"],
      "Stream.asset": ["Assets multichain/sums.graphql 3 false multichain"],
      "Stream.alias": ["Aliases subgraph/aliases.graphql 1 false subgraph"],
      "Stream.amount": [],
      Watcher: ["Counters multichain/sums.graphql 1 false multichain"],
    });
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
        ...{ name: "StreamCategory", multichain: "streamcategory", subgraph: null },
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

  it.each<[name: string, options: Parameters<typeof describe>[0], want: object]>([
    ["no snapshots", { cwd: "" }, { code: "SCHEMA_SNAPSHOT_MISSING" }],
    ["an unknown protocol", { cwd: REPOSITORY, protocols: ["locku"] }, { code: "USAGE" }],
    ["an empty subject", { cwd: REPOSITORY, subject: " " }, { code: "USAGE" }],
  ])("error: %s", async (_, options, want) => {
    await expect(describe({ ...options, cwd: options.cwd || tempProject().root })).rejects.toMatchObject(
      want,
    );
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

function factsOf({
  multichain,
  subgraph,
  verdict,
  difference,
  relation,
  enum: name,
  isTime,
}: DescribedField) {
  return { types: [multichain, subgraph], verdict, difference, relation, enum: name, isTime };
}

type Facts = ReturnType<typeof factsOf>;

const PLAIN = { verdict: "equal", difference: null, relation: null, enum: null, isTime: false } as const;
const nullable = (type: string) => ({ type, nullable: true });
const required = (type: string) => ({ type, nullable: false });

const FIELDS: readonly (readonly [name: string, want: Facts])[] = [
  ["Stream.alias", { ...PLAIN, types: [required("String!"), required("String!")] }],
  ["Stream.shape", { ...PLAIN, types: [nullable("String"), nullable("String")] }],
  [
    "Stream.sender",
    {
      ...PLAIN,
      types: [required("String!"), required("Bytes!")],
      verdict: "mapped",
      difference: "The scalar is String on multichain and Bytes on subgraph.",
    },
  ],
  [
    "Stream.endTime",
    {
      ...PLAIN,
      types: [required("numeric!"), required("BigInt!")],
      verdict: "mapped",
      difference: "The scalar is numeric on multichain and BigInt on subgraph.",
      isTime: true,
    },
  ],
  [
    "Stream.asset",
    {
      ...PLAIN,
      types: [nullable("Asset"), required("Asset!")],
      difference: "Nullable only on multichain, like every relation there.",
      relation: { entity: "Asset", isList: false, through: null },
    },
  ],
  [
    "Stream.actions",
    {
      ...PLAIN,
      types: [required("[Action!]!"), required("[Action!]!")],
      relation: { entity: "Action", isList: true, through: "stream" },
    },
  ],
  [
    "Stream.category",
    {
      ...PLAIN,
      types: [required("streamcategory!"), required("StreamCategory!")],
      verdict: "mapped",
      difference: "Multichain shows the enum StreamCategory as the scalar streamcategory.",
      enum: "StreamCategory",
    },
  ],
  [
    "User.address",
    {
      ...PLAIN,
      types: [required("String!"), null],
      verdict: "only-multichain",
      difference: "Only on multichain.",
    },
  ],
];

function read(root: string): string {
  return readFileSync(join(root, "generated/schemas/lockup/multichain.graphql"), "utf8");
}
