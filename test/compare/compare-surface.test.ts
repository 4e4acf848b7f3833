import { describe, expect, it } from "vitest";
import {
  compareSurface,
  reportGroups,
  type SurfaceComparison,
  type SurfaceInput,
} from "../../src/compare/compare-surface.ts";
import { type Observation, observeAnswers, observeRows } from "../../src/compare/observation.ts";
import type { SchemaReading } from "../../src/fleet/read-schema.ts";
import { answerOf, placedOperation, recordOf, SURFACE, servedWith } from "../tasks/drift/fixtures.ts";

const KNOWN = servedWith();
const NO_ALIAS = servedWith(["alias: String! →"]);
const OTHER_ALIAS = servedWith(["alias: String! → ALIAS: String!"]);
const OTHER_WORDS = servedWith(['type Stream → """Other words.""" type Stream']);
const NEWER = servedWith([], { release: "0.44" });
const NEWER_WITHOUT = servedWith(["alias: String! →"], { release: "0.44" });
const NO_BOOLEANS = servedWith([], { boolFilters: false });

const RULES: Omit<SurfaceInput, "snapshot" | "observations" | "isFleet"> = {
  absent: [],
  operations: [
    placedOperation("query Alias { streams { alias } }"),
    placedOperation('query Both { streams(where: { and: [{ id: "1" }] }) { id } }'),
  ],
  exhaustiveEnums: false,
  fixes: { difference: "look", variant: "rest", minority: "keep" },
  output: "generated",
};

/** Formats a comparison: each finding as `code severity subject @ chains; operations hit`, and the statuses. */
function summarize({ findings, statuses, groups }: SurfaceComparison) {
  return {
    findings: findings.map(({ code, severity, subject, where, operations }) =>
      [
        `${code} ${severity} ${subject.replace(/ \w{8}$/, "")} @ ${shorten(where?.deployments ?? [])}`,
        ...operations.map(({ name, impact }) => `${impact} ${name}`),
      ].join("; "),
    ),
    statuses: Object.fromEntries([...statuses].map(([name, status]) => [shorten([name]), status])),
    groups: groups.map(({ kind, deployments }) => `${kind}: ${shorten(deployments)}`),
  };
}

function shorten(names: readonly string[]): string {
  return names.map((name) => name.replace("protocol-lockup-", "")).join();
}

type Served = Readonly<Record<string, SchemaReading>>;

/** Compares answers with snapshots of the known schema, or with those in `before`. */
async function compareLive(served: Served, before: Served = {}, options: Partial<SurfaceInput> = {}) {
  const known = { arbitrum: KNOWN, base: KNOWN };
  const { snapshot, rows } = recordOf({
    ...known,
    ...Object.fromEntries(Object.keys(served).map((chain) => [chain, KNOWN])),
    ...before,
  });
  const answered = Object.entries({ ...known, ...served }).map((entry) => answerOf(...entry));
  const observations = observeAnswers(answered, snapshot, rows);
  return compareSurface({ ...RULES, snapshot, observations, isFleet: false, ...options });
}

const live = async (served: Served, before?: Served) => summarize(await compareLive(served, before));

/** Compares the recorded snapshots with each other. */
async function fleet(served: Served) {
  const { snapshot, rows } = recordOf({ arbitrum: KNOWN, base: KNOWN, ...served });
  return summarize(
    await compareSurface({ ...RULES, snapshot, observations: observeRows(rows, snapshot), isFleet: true }),
  );
}

const FIELD_REMOVED = "drift/field-removed breaking Stream.alias";

describe("compareSurface of live answers and of snapshots", () => {
  const NEW_FEATURES = ["_logs", "current"].map(
    (feature) => `drift/platform-feature-added additive ${feature} @ zksync`,
  );

  it.each<[name: string, served: Served, ...want: string[]]>([
    ["no differences", { linea: KNOWN }],
    ["one deployment lacks a field", { linea: NO_ALIAS }, `${FIELD_REMOVED} @ linea; broken Alias`],
    [
      "two deployments of different releases lack a field, which is reported once",
      { linea: NO_ALIAS, zksync: NEWER_WITHOUT },
      `${FIELD_REMOVED} @ linea,zksync; broken Alias`,
      ...NEW_FEATURES,
    ],
    [
      "two deployments run a newer release",
      { linea: NEWER, zksync: NEWER },
      "fleet/platform-variant additive schema @ linea,zksync",
    ],
    [
      "one platform lacks a feature that an operation uses",
      { linea: NO_BOOLEANS },
      "fleet/platform-variant additive schema @ linea",
      "drift/platform-feature-removed breaking and-or @ linea; broken Both",
    ],
  ])("%s", async (_, served, ...want) => {
    expect((await live(served)).findings).toEqual(want);
    expect((await fleet(served)).findings).toEqual(want);
  });

  it.each<[name: string, chains: readonly string[], followed: string | undefined, want: string]>([
    ["a minority", ["linea"], undefined, "keep"],
    ["half", ["linea", "zksync"], undefined, "keep"],
    ["most", ["linea", "scroll", "zksync"], undefined, "write"],
    ["a minority with the followed deployment", ["linea"], "protocol-lockup-linea", "write"],
    ["most without the followed deployment", ["linea", "scroll", "zksync"], "protocol-lockup-base", "keep"],
  ])("suggests to rewrite operations if the snapshot will change: %s", async (_, chains, followed, want) => {
    const served = Object.fromEntries(chains.map((chain) => [chain, OTHER_ALIAS]));
    const [renamed] = (await compareLive(served, {}, { followed })).findings;
    expect(renamed?.code).toBe("drift/field-renamed");
    expect(renamed?.fix).toBe(want === "keep" ? want : 'write "ALIAS" in place of "alias".\nlook');
    // The nearest name is that of another field.
    expect(renamed?.operations.map(({ message }) => message)).toEqual([
      'Cannot query field "alias" on type "Stream".',
    ]);
  });

  it("returns the status of each deployment and groups deployments by schema", async () => {
    expect(await live({ linea: NO_ALIAS, scroll: NEWER, zksync: OTHER_WORDS })).toMatchObject({
      statuses: { linea: "drifted", scroll: "platform-variant", zksync: "drifted" },
      groups: ["reference: arbitrum,base", "entities: linea", "platform: scroll", "docs: zksync"],
    });
  });

  it("reports changed descriptions of live answers, not of snapshots", async () => {
    expect((await live({ linea: OTHER_WORDS })).findings).toEqual([
      "drift/description-changed cosmetic Stream @ linea",
    ]);
    expect((await fleet({ linea: OTHER_WORDS })).findings).toEqual([]);
  });

  it("compares an answer with the deployment's own snapshot, not with the reference", async () => {
    expect((await live({ linea: NO_ALIAS }, { linea: NO_ALIAS })).findings).toEqual([]);
    expect(await live({ linea: KNOWN }, { linea: NO_ALIAS })).toMatchObject({
      findings: ["drift/field-added additive Stream.alias @ linea"],
      statuses: { linea: "drifted" },
    });
  });

  it("reports two alternating answers as one finding with the severity of the worse one", async () => {
    const { snapshot, rows } = recordOf({ arbitrum: KNOWN, linea: KNOWN });
    const [observation] = observeAnswers([answerOf("linea", KNOWN)], snapshot, rows);
    if (observation === undefined) throw new Error("It answered.");
    const flap = async (second: SchemaReading) => {
      const observations = [{ ...observation, second }];
      return summarize(await compareSurface({ ...RULES, snapshot, observations, isFleet: false }));
    };
    expect(await flap(NEWER)).toMatchObject({
      findings: [expect.stringMatching(/^fleet\/flapping risky graph-node-\S+ and graph-node-\S+ @ linea$/)],
      statuses: { linea: "flapping" },
    });
    expect((await flap(NO_ALIAS)).findings).toEqual([
      expect.stringMatching(/^fleet\/flapping breaking two schemas of .* @ linea; broken Alias$/),
    ]);
  });

  it("reports a change once if two deployments with different snapshots share it", async () => {
    const neither = servedWith(["alias: String! →", "sender: Bytes! →"]);
    const noSender = servedWith(["sender: Bytes! →"]);
    const { findings } = await live({ linea: noSender, zksync: neither }, { zksync: NO_ALIAS });
    expect(findings).toEqual(["drift/field-removed breaking Stream.sender @ linea,zksync"]);
  });

  it.each([
    [false, "risky"],
    [true, "breaking"],
  ])("with exhaustiveEnums %j, a new enum value is %s", async (exhaustiveEnums, severity) => {
    const linea = servedWith(["Linear Dynamic¦ Tranched"]);
    const { findings } = await compareLive({ linea }, {}, { exhaustiveEnums });
    expect(findings).toMatchObject([{ code: "drift/enum-value-added", severity }]);
  });
});

/** Observations as `deployment entities schema docs`. */
const observe = (text: string): Observation[] =>
  text.split(", ").map((words) => {
    const [deployment = "", entities = "", schema = "", docs = "d"] = words.split(" ");
    const [known] = observeAnswers([answerOf("base", KNOWN)], recordOf({ base: KNOWN }).snapshot, []);
    return { ...(known as Observation), deployment, entities, hashes: { schema, docs } };
  });

describe("reportGroups", () => {
  it.each<[name: string, observations: Observation[], ...groups: string[]]>([
    ["no deployments", []],
    ["equal deployments", observe("b e s, a e s"), "reference: a b"],
    [
      "one deployment with different entities",
      observe("a e1 s1, b e2 s2, c e1 s1"),
      "reference: a c",
      "entities: b",
    ],
    [
      "another release of the platform, other descriptions",
      observe("a e s, b e s, c e new, d e s other"),
      "reference: a b",
      "platform: c",
      "docs: d",
    ],
    [
      // Four share their entities, but no three of them share a schema.
      "variants of the platform do not outvote the entities they share",
      observe("a e1 s1, b e1 s1, c e1 s2, d e1 s3, e e2 s4, f e2 s4, g e2 s4"),
      "reference: a b",
      "entities: e f g",
      "platform: c",
      "platform: d",
    ],
    ["a tie, decided by the smaller hash", observe("a e2 s2, b e1 s1"), "reference: b", "entities: a"],
  ])("%s", (_, fleet, ...want) => {
    for (const observations of [fleet, fleet.toReversed()]) {
      const groups = reportGroups(observations, SURFACE);
      expect(groups.map(({ kind, deployments }) => `${kind}: ${deployments.join(" ")}`)).toEqual(want);
    }
  });

  it("returns the release of each group", () => {
    expect(reportGroups(observe("a e s"), SURFACE)[0]?.release).toBe("graph-node-0.38");
  });
});
