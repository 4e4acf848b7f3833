import { describe, expect, it } from "vitest";
import type { Fault } from "../../emulator/faults/fault.ts";
import { defaultDeployments } from "../../emulator/server/default-deployments.ts";
import type { Finding } from "../../src/report/finding.ts";
import type { Report } from "../../src/report/report.ts";
import {
  type Answer,
  beyondOneScreen,
  drift,
  inFront,
  liveFleet,
  lockup,
  named,
  ONE_SCREEN,
  shareEmulator,
  typeOf,
} from "../support/live-fleet.ts";
import { run } from "../support/run.ts";
import type { TempProject } from "../support/temp-project.ts";

shareEmulator();

const BOTH = { protocols: ["lockup", "flow"] };

const LINEA = "protocol-lockup-linea";
const MULTICHAIN = "protocol-lockup-multichain";

/** The entities of lockup whose aggregates are not public in this repository's snapshot: up to 14 types each. */
const MORE_AGGREGATES = ["Action", "Asset", "Batch", "Batcher", "Segment", "Tranche", "Watcher"];

/** Those whose aggregates are. */
const PUBLIC_AGGREGATES = ["Revenue", "RevenueTransaction", "Stream", "User", "UserTransaction"];

const SUBGRAPHS = { protocol: "lockup", style: "subgraph" } as const;
const EVERYWHERE = { protocol: "lockup", style: "multichain" } as const;

/** What a test says of a finding: `code severity layer coordinate-or-subject`, and the operations by impact. */
function summaryOf({ code, severity, layer, subject, operations }: Finding): string {
  const hit = [...new Set(operations.map(({ name, impact }) => `${impact} ${name}`))];
  return [`${code} ${severity} ${layer} ${subject}`, ...hit].join("; ");
}

function statusOf({ endpoints }: Report, name: string): string | undefined {
  return endpoints.find(({ deployment }) => deployment === name)?.status;
}

const OF_STREAMS = [
  "AllStreams",
  "RecentStreams",
  "StreamById",
  "StreamsByParticipant",
  "StreamsByRecipient",
  "StreamsBySender",
];

type Want = { readonly code: number; readonly findings: readonly string[] };

/** What one deployment answers in its own way, by the chain it is of, and what is told of it. */
const CASES: Readonly<
  Record<
    string,
    {
      readonly change: (answer: Answer) => void;
      readonly findings: readonly string[];
      readonly status: string;
      readonly fails: boolean;
    }
  >
> = {
  // A default changed.
  linea: {
    change: changeType("Query", ({ fields }) => {
      named<Input>(named<Field>(fields, "streams").args, "first").defaultValue = "50";
    }),
    findings: [
      "drift/argument-default-changed risky platform Query.streams(first:); changes-meaning Filtered",
    ],
    status: "drifted",
    fails: false,
  },
  // Descriptions changed.
  base: {
    change: changeType("Stream", (type) => {
      type.description = `Other words, ${"and more of them, ".repeat(40)}and an end.`;
      named<Field>(type.fields, "sender").description = "Whoever sends.";
    }),
    findings: [
      "drift/description-changed cosmetic docs Stream",
      "drift/description-changed cosmetic docs Stream.sender",
    ],
    status: "drifted",
    fails: false,
  },
  // An input field becomes required.
  gnosis: {
    change: changeType("Stream_filter", ({ inputFields }) => {
      const field = named<Input>(inputFields, "asset");
      field.type = { kind: "NON_NULL", name: null, ofType: field.type };
    }),
    findings: [
      [
        "drift/input-field-type-changed breaking platform Stream_filter.asset",
        "broken AllStreams",
        "broken BatchesBySender",
        "broken StreamsByParticipant",
        "broken StreamsByRecipient",
        "broken StreamsBySender",
        "at-risk Filtered",
      ].join("; "),
    ],
    status: "drifted",
    fails: true,
  },
  // A platform of no known release.
  polygon: {
    change: strip,
    findings: [
      "drift/platform-feature-removed breaking platform _Block_.timestamp; broken Health",
      "drift/platform-feature-removed breaking platform and-or; broken StreamsByParticipant; at-risk Filtered",
      "drift/platform-feature-removed breaking platform _change_block; at-risk Filtered",
      "fleet/platform-unknown risky platform schema",
    ],
    status: "platform-variant",
    fails: true,
  },
  // No word of the chain.
  scroll: {
    change: ({ data }) => {
      if (data["watchers"] !== undefined) data["watchers"] = [];
    },
    findings: ["identity/unknown cosmetic identity protocol-lockup-scroll"],
    status: "same",
    fails: false,
  },
  // Nobody who serves it.
  zksync: {
    change: (answer) =>
      Object.assign(answer, { data: null, errors: [{ message: "subgraph not found: no allocations" }] }),
    findings: ["health/dormant risky health protocol-lockup-zksync"],
    status: "dormant",
    fails: false,
  },
  // Half a schema.
  xdc: { change: halve, findings: [], status: "malformed", fails: false },
};

const nameOf = (suffix: string) => `protocol-lockup-${suffix}`;

describe("drift, one deployment with answers of its own", () => {
  it("tells of each what differs there", async () => {
    const project = await liveFleet([], async (urls) => {
      for (const [suffix, { change }] of Object.entries(CASES)) await inFront(nameOf(suffix), change)(urls);
    });
    project.write(
      "operations/lockup/subgraph/filtered.graphql",
      "query Filtered($where: Stream_filter!) {\n  streams(where: $where) { id }\n}\n",
    );
    const { code, out, report } = await drift(project);
    for (const [suffix, want] of Object.entries(CASES)) {
      const own = report.findings.filter(({ where }) => where?.deployments.includes(nameOf(suffix)));
      // The hash of a schema is nobody's to foresee.
      expect(own.map((finding) => summaryOf(finding).replace(/(schema) \w{8}/, "$1"))).toEqual(want.findings);
      expect(statusOf(report, nameOf(suffix))).toBe(want.status);
      expect(own.some(({ fails }) => fails)).toBe(want.fails);
      for (const { where } of own) expect(where?.deployments).toEqual([nameOf(suffix)]);
    }
    expect(code).toBe(1);
    expect(out.trimEnd().split("\n").at(-1)).toMatch(/^exit 1: /);
  });

  it("is inconclusive where the only one of a style sends half a schema", async () => {
    const { code, out, report } = await drift(await liveFleet([], inFront(MULTICHAIN, halve)));
    expect({ code, findings: report.findings }).toEqual({ code: 3, findings: [] });
    expect(statusOf(report, MULTICHAIN)).toBe("malformed");
    expect(beyondOneScreen(out)).toEqual(ONE_SCREEN);
  });

  it("--update takes nothing from half a schema", async () => {
    const halves = async (urls: Record<string, string>) => {
      for (const deployment of [LINEA, MULTICHAIN]) await inFront(deployment, halve)(urls);
    };
    const project = await liveFleet([], halves, BOTH);
    const before = project.files("generated");
    await drift(project, "--update", "--require", "none");
    expect(project.files("generated")).toEqual(before);
  });
  it("records other descriptions without a schema of their own, and is silent about them afterwards", async () => {
    const project = await liveFleet(
      [],
      inFront(
        LINEA,
        changeType("Stream", (type) => {
          type.description = "Other words.";
        }),
      ),
    );
    const before = Object.keys(project.files("generated"));
    const { out } = await drift(project, "--update");
    expect(out).toContain("linea: the reference in all but descriptions\n");
    expect(Object.keys(project.files("generated"))).toEqual(before);
    expect((await drift(project)).report.findings).toEqual([]);
    expect((await run(project.root, ["diff"])).out).toContain(
      "lockup: 26 subgraph deployments serve one schema, 1 of them with other descriptions\n",
    );
  });
});

it("asks again what answers unlike what is known", async () => {
  let asked = 0;
  const count = inFront(LINEA, () => {
    asked++;
  });
  const fault: Fault = { kind: "add-field", field: "Stream.extra", type: "String", ...lockup("linea") };
  await drift(await liveFleet([fault], count));
  // Its schema, its identity and health; and its schema again, three times.
  expect(asked).toBe(2 + 3);
});

it("style multichain gains the aggregates of seven entities: 92 types, nothing to act on", async () => {
  const deployments = defaultDeployments().map((one) =>
    one.name === MULTICHAIN
      ? { ...one, settings: { aggregates: [...MORE_AGGREGATES, ...PUBLIC_AGGREGATES] } }
      : one,
  );
  const project = await liveFleet([], undefined, { deployments });
  const { code, out, report } = await drift(project);
  expect(report.findings.map(summaryOf)).toEqual(
    MORE_AGGREGATES.map((name) => `drift/platform-feature-added additive platform aggregates of ${name}`),
  );
  expect(statusOf(report, MULTICHAIN)).toBe("platform-variant");
  expect({ code, ...beyondOneScreen(out) }).toEqual({ code: 0, ...ONE_SCREEN });
  const types = () =>
    project.read("generated/schemas/lockup/multichain.graphql").match(/^(type|input|enum|scalar) /gm)?.length;
  const before = types() ?? 0;
  await drift(project, "--update");
  expect((types() ?? 0) - before).toBe(92);
});

/** What one style changed, online and, once the snapshots follow, offline beside the other style. */
describe("drift of one style, and what parity makes of it", () => {
  it.each<[name: string, faults: readonly Fault[], live: Want, parity: Want]>([
    [
      "a field is renamed in the subgraphs",
      [{ kind: "rename-field", field: "Stream.sender", to: "senderAddress", ...SUBGRAPHS }],
      {
        code: 1,
        findings: [
          [
            "drift/field-renamed breaking entity Stream.sender",
            ...["BatchesBySender", ...OF_STREAMS].map((name) => `broken ${name}`),
          ].join("; "),
        ],
      },
      { code: 1, findings: ["parity/renamed breaking entity Stream.sender"] },
    ],
    [
      "a field is renamed in the multichain style",
      [{ kind: "rename-field", field: "Stream.sender", to: "senderAddress", ...EVERYWHERE }],
      {
        code: 1,
        findings: [
          [
            "drift/field-renamed breaking entity Stream.sender",
            ...["BatchesBySender", ...OF_STREAMS].map((name) => `broken ${name}`),
          ].join("; "),
        ],
      },
      { code: 1, findings: ["parity/renamed breaking entity Stream.senderAddress"] },
    ],
    [
      "a relation of the subgraphs may be null",
      [{ kind: "retype-field", field: "Stream.asset", type: "Asset", ...SUBGRAPHS }],
      {
        code: 1,
        findings: [
          [
            "drift/field-type-changed breaking entity Stream.asset",
            ...OF_STREAMS.map((name) => `changes-type ${name}`),
          ].join("; "),
        ],
      },
      { code: 1, findings: ["parity/nullability risky entity Stream.asset"] },
    ],
    [
      // Its field was nullable before; the column of the reference tells.
      "a relation of the multichain style may be null",
      [{ kind: "retype-field", field: "Stream.asset", type: "Asset", ...EVERYWHERE }],
      { code: 0, findings: ["drift/field-type-changed breaking entity Stream.asset"] },
      { code: 1, findings: ["parity/nullability risky entity Stream.asset"] },
    ],
    [
      "an enum of the subgraphs has one more member, which the other style cannot show",
      [{ kind: "add-enum-member", member: "StreamCategory.Vesting", ...SUBGRAPHS }],
      {
        code: 0,
        findings: [
          [
            "drift/enum-value-added risky entity StreamCategory.Vesting",
            ...OF_STREAMS.map((name) => `changes-type ${name}`),
          ].join("; "),
        ],
      },
      { code: 0, findings: [] },
    ],
  ])("%s", async (_, faults, live, parity) => {
    const project = await liveFleet(faults);
    const online = await drift(project, "--update");
    expect(online.report.findings.map(summaryOf)).toEqual(live.findings);
    expect(online.code).toBe(live.code);
    expect(beyondOneScreen(online.out)).toEqual(ONE_SCREEN);
    const offline = await diff(project);
    expect(offline.findings).toEqual(parity.findings);
    expect(offline.code).toBe(parity.code);
    expect(beyondOneScreen(offline.out)).toEqual(ONE_SCREEN);
  });

  it("offers the other name of a field, and says which operations are valid nowhere", async () => {
    const faults: Fault[] = [
      { kind: "rename-field", field: "Stream.sender", to: "senderAddress", ...SUBGRAPHS },
    ];
    const project = await liveFleet(faults);
    await drift(project, "--update");
    const { out } = await run(project.root, ["diff"]);
    expect(out).toMatch(/Stream\.sender {2}multichain: sender, subgraph: senderAddress, and 1 derived/);
    expect(out).toContain("give both one name by an alias in operations");
    expect(out).toContain(
      "  not valid on any chain: `lockflow check` tells why: AllStreams, BatchesBySender, RecentStreams and 4 more\n",
    );
  });
});

describe("one screen", () => {
  it.each<[name: string, faults: readonly Fault[]]>([
    [
      "everything at once",
      [
        { kind: "500", ...lockup("base") },
        { kind: "502", ...lockup("gnosis") },
        { kind: "429", retryAfter: 30, ...lockup("polygon") },
        { kind: "drop-field", field: "Stream.sender", ...lockup("zksync") },
        { kind: "drop-field", field: "Stream.sender", ...lockup("scroll") },
        { kind: "wrong-chain", chain: "sepolia", ...lockup("linea") },
      ],
    ],
    [
      "a release of the multichain style with other tables",
      [{ kind: "release", release: "envio-3.8", ...EVERYWHERE }],
    ],
  ])("%s", async (_, faults) => {
    const project = await liveFleet(faults);
    const online = await drift(project, "--update");
    expect({ code: online.code, ...beyondOneScreen(online.out) }).toEqual({ code: 1, ...ONE_SCREEN });
    expect(beyondOneScreen((await run(project.root, ["diff"])).out)).toEqual(ONE_SCREEN);
  });
});

/** Parity and the fleets, without what only the multichain style is meant to have. */
async function diff(project: TempProject) {
  const { code, out } = await run(project.root, ["diff", "--report", "text,json=diff.json"]);
  const report: Report = JSON.parse(project.read("diff.json"));
  return {
    code,
    out,
    findings: report.findings.filter(({ severity }) => severity !== "additive").map(summaryOf),
  };
}

type Input = { readonly name: string; type: unknown; defaultValue: string | null };
type Field = { readonly name: string; description: string | null; readonly args: Input[] };
type Type = { description: string | null; readonly fields: Field[]; readonly inputFields: Input[] };

/** Changes one type of an introspection, and no other answer. */
function changeType(name: string, change: (type: Type) => void): (answer: Answer) => void {
  return (answer) => {
    const type: Type | undefined = typeOf(answer, name);
    if (type !== undefined) change(type);
  };
}

/** A schema that is valid and lacks most of its entities. */
function halve({ data }: Answer): void {
  const schema = data["__schema"];
  if (schema === undefined) return;
  type Reference = { readonly name: string | null; readonly ofType: Reference | null };
  const find = (name: string) => schema.types.find((type: { readonly name: string }) => type.name === name);
  const root = find(schema.queryType.name);
  root.fields = root.fields.filter(({ name }: Field) => /^(stream|_meta|watcher)/i.test(name));
  const kept = new Set<string>();
  const keep = (reference: Reference | null): void => {
    if (reference?.ofType) {
      keep(reference.ofType);
      return;
    }
    if (!reference?.name || kept.has(reference.name)) return;
    kept.add(reference.name);
    const { fields, inputFields } = find(reference.name);
    for (const field of [...(fields ?? []), ...(inputFields ?? [])]) {
      keep(field.type);
      for (const argument of field.args ?? []) keep(argument.type);
    }
  };
  for (const { name } of schema.types) if (/^__|^(String|Boolean|Int|Float|ID)$/.test(name)) kept.add(name);
  keep({ name: root.name, ofType: null });
  for (const { args } of schema.directives) for (const { type } of args) keep(type);
  schema.subscriptionType = null;
  schema.types = schema.types.filter(({ name }: { readonly name: string }) => kept.has(name));
}

/** Takes everything away that releases of graph-node are told by. */
function strip(answer: Answer): void {
  const schema = answer.data["__schema"];
  if (schema === undefined) return;
  type Member = { readonly name: string };
  const gone = /^(Timestamp|Int8|Aggregation_\w+|BlockChangedFilter)$/;
  schema.types = schema.types.filter(({ name }: Member) => !gone.test(name));
  const block = typeOf(answer, "_Block_");
  block.fields = block.fields.filter(({ name }: Member) => !["timestamp", "parentHash"].includes(name));
  for (const type of schema.types) {
    const isIn = ({ name }: Member) => !["and", "or", "_change_block"].includes(name);
    if (/_filter$/.test(type.name)) type.inputFields = type.inputFields.filter(isIn);
    if (/_orderBy$/.test(type.name)) {
      type.enumValues = type.enumValues.filter(({ name }: Member) => !name.includes("__"));
    }
  }
}
