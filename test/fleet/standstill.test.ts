import { describe, expect, it } from "vitest";
import { findHealth } from "../../src/fleet/health.ts";
import type { Memory } from "../../src/fleet/memory.ts";
import { updateMemory } from "../../src/fleet/memory.ts";
import type { Outcome } from "../../src/fleet/outcome.ts";
import { resolveProject } from "../../src/project/project.ts";
import type { Finding } from "../../src/report/finding.ts";

const project = resolveProject({}, "/");

/** A block, and when it was made, where the platform says so. */
type Block = readonly [block: number, madeAt?: string];

/** The progress of the chains that a deployment serves: of its one, or of some by their keys. */
function answer(name: string, heads: Block | Readonly<Record<string, Block>>): Outcome {
  const deployment = project.deployments.find((one) => one.name === `protocol-${name}`);
  if (deployment === undefined) throw new Error(`there is no ${name}`);
  const chainIdOf = (key: string) => project.chains.find((chain) => chain.key === key)?.chainId ?? null;
  const answered: readonly (readonly [number | null, Block])[] = isBlock(heads)
    ? [[null, heads]]
    : Object.entries(heads).map(([key, block]) => [chainIdOf(key), block]);
  return {
    kind: "introspected",
    deployment,
    reading: {
      schema: EMPTY,
      hashes: { schema: "", docs: "" },
      entities: "",
      plainProtocols: [],
      errors: [],
    },
    probe: {
      chainIds: null,
      heads: answered.map(([chainId, [block, madeAt]]) => ({
        chainId,
        block,
        ...(madeAt === undefined ? {} : { timestamp: Date.parse(madeAt) / 1000 }),
      })),
      hasIndexingErrors: false,
      deployment: null,
    },
    notes: [],
  };
}

const EMPTY = { queryType: "Query", mutationType: null, subscriptionType: null, types: [], directives: [] };

function isBlock(heads: Block | Readonly<Record<string, Block>>): heads is Block {
  return Array.isArray(heads);
}

/** What the last of several runs finds, each at a time of its own. */
function run(...runs: readonly (readonly [at: string, outcomes: readonly Outcome[]])[]): Finding[] {
  let memory: Memory = new Map();
  let findings: Finding[] = [];
  for (const [at, outcomes] of runs) {
    const now = Date.parse(at);
    memory = updateMemory(memory, { outcomes, now }, project);
    findings = findHealth(outcomes, project.chains, { memory, now });
  }
  return findings;
}

const messages = (findings: readonly Finding[]) => findings.map(({ code, message }) => `${code} ${message}`);

/** Both protocols and both styles on two chains, and one chain that one style has alone. */
const fleet = (block = 10): Outcome[] => [
  answer("lockup-base", [block]),
  answer("lockup-gnosis", [block + 1]),
  answer("flow-base", [block]),
  answer("flow-form", [block]),
  answer("lockup-multichain", { base: [block], gnosis: [block] }),
  answer("flow-multichain", { base: [block] }),
];

const START = "2026-11-01T03:00:00Z";
const DAY_LATER = "2026-11-02T03:00:00Z";
const MORE_LATER = "2026-11-02T03:00:01Z";
const WEEKS_LATER = "2026-11-22T03:00:00Z";

describe("a whole fleet at one block", () => {
  it("is reported once, for all protocols and styles", () => {
    const findings = run([START, fleet()], [WEEKS_LATER, fleet()]);
    expect(messages(findings)).toEqual([
      "health/stuck No deployment has moved since 2026-11-01 03:00 UTC: all 6 still have the same block.",
    ]);
    expect(findings[0]).toMatchObject({ severity: "risky", where: null, subject: "every deployment" });
  });

  it("is of its protocol and style where there is no other", () => {
    const subgraphs = [answer("lockup-base", [1]), answer("lockup-gnosis", [2]), answer("lockup-form", [3])];
    const findings = run([START, subgraphs], [WEEKS_LATER, subgraphs]);
    expect(messages(findings)).toEqual([
      "health/stuck No deployment has moved since 2026-11-01 03:00 UTC: all 3 still have the same block.",
    ]);
    expect(findings[0]?.where).toEqual({
      protocol: "lockup",
      style: "subgraph",
      deployments: ["protocol-lockup-base", "protocol-lockup-gnosis", "protocol-lockup-form"],
    });
  });

  it("is none for a day, and is one a second after", () => {
    expect(run([START, fleet()], [DAY_LATER, fleet()])).toEqual([]);
    expect(run([START, fleet()], [MORE_LATER, fleet()])).toHaveLength(1);
  });

  it("counts from the last that moved", () => {
    const later = [...fleet().slice(1), answer("lockup-base", [11])];
    const findings = run([START, fleet()], ["2026-11-10T03:00:00Z", later], [WEEKS_LATER, later]);
    expect(messages(findings)).toEqual([
      "health/stuck No deployment has moved since 2026-11-10 03:00 UTC: all 6 still have the same block.",
    ]);
    expect(run([START, fleet()], ["2026-11-21T03:00:00Z", later], [WEEKS_LATER, later])).not.toContainEqual(
      expect.objectContaining({ subject: "every deployment" }),
    );
  });

  it("is reported of no deployment that was not there before", () => {
    const grown = [...fleet(), answer("lockup-linea", [7])];
    expect(run([START, fleet()], [WEEKS_LATER, grown]).map(({ subject }) => subject)).not.toContain(
      "every deployment",
    );
  });

  it("is reported of the chains that stand still where others go on", () => {
    const moved = [...fleet().filter(({ deployment }) => !deployment.chains.includes("gnosis"))];
    const gnosis = (block: number) => [
      answer("lockup-gnosis", [block]),
      answer("lockup-multichain", { base: [10], gnosis: [block] }),
    ];
    const findings = run([START, [...moved, ...gnosis(5)]], [WEEKS_LATER, [...moved, ...gnosis(6)]]);
    expect(messages(findings)).toEqual([
      "health/stuck Its head block has not moved for more than 24 hours, and there is no peer to compare it with: form at 10 since 2026-11-01 03:00 UTC.",
      "health/stuck No deployment of base has moved since 2026-11-01 03:00 UTC: protocol-flow-base at 10, protocol-lockup-base at 10, protocol-lockup-multichain at 10.",
    ]);
    expect(findings[1]).toMatchObject({ where: null, subject: "base" });
  });

  it("names every chain that stands still, in one finding", () => {
    const halted = [
      answer("lockup-base", [1]),
      answer("flow-base", [1]),
      answer("lockup-gnosis", [2]),
      answer("flow-gnosis", [2]),
    ];
    const goingOn = (block: number) => [answer("lockup-linea", [block]), answer("flow-linea", [block])];
    const findings = run([START, [...halted, ...goingOn(1)]], [WEEKS_LATER, [...halted, ...goingOn(2)]]);
    expect(messages(findings)).toEqual([
      "health/stuck No deployment of these chains has moved: base since 2026-11-01 03:00 UTC, gnosis since 2026-11-01 03:00 UTC.",
    ]);
    expect(findings[0]?.subject).toBe("several chains");
  });
});

describe("without a memory", () => {
  const OLD = "2026-11-01T02:59:48Z";
  /** Both styles; the newest blocks of the subgraphs are of one time, and who has no times has near blocks. */
  const dated = (madeAt: string, ahead = 0): Outcome[] => [
    answer("lockup-base", [100, madeAt]),
    answer("lockup-gnosis", [200, "2026-11-01T02:20:00Z"]),
    answer("flow-base", [90, "2026-11-01T02:59:28Z"]),
    answer("lockup-multichain", { base: [100 + ahead], gnosis: [200], morph: [5] }),
  ];

  it("a fleet whose newest blocks are all of one past day is reported once", () => {
    const findings = run([WEEKS_LATER, dated(OLD)]);
    expect(messages(findings)).toEqual([
      "health/stuck No deployment has moved since 2026-11-01 02:59 UTC: the newest block of all 4 is from then.",
    ]);
  });

  it.each<[name: string, at: string, outcomes: readonly Outcome[]]>([
    ["is a day old", "2026-11-02T02:59:48Z", dated(OLD)],
    ["is of today for one of them", WEEKS_LATER, dated("2026-11-22T02:59:00Z")],
    ["is of the future for one of them", WEEKS_LATER, dated("2999-01-01T00:00:00Z")],
    ["is far behind what another has of the chain", WEEKS_LATER, dated(OLD, 1001)],
    [
      "is not known of a deployment that has a chain of its own",
      WEEKS_LATER,
      [...dated(OLD), answer("lockup-form", [1])],
    ],
    [
      "is of another day for each: they may be catching up",
      WEEKS_LATER,
      [
        answer("lockup-base", [100, OLD]),
        answer("lockup-gnosis", [200, "2026-10-10T00:00:00Z"]),
        answer("lockup-linea", [300, "2026-09-10T00:00:00Z"]),
      ],
    ],
    [
      "is of one chain only",
      WEEKS_LATER,
      [answer("lockup-base", [100, OLD]), answer("flow-base", [100, OLD])],
    ],
    ["is unknown", WEEKS_LATER, fleet()],
  ])("it is not where the newest block %s", (_, at, outcomes) => {
    expect(messages(run([at, outcomes])).filter((line) => line.includes("No deployment has"))).toEqual([]);
  });

  it("it is where that is a second more than a day", () => {
    expect(run(["2026-11-02T02:59:49Z", dated(OLD)])).toHaveLength(1);
  });

  it("it is where the other style is as far ahead as is usual", () => {
    expect(messages(run([WEEKS_LATER, dated(OLD, 1000)]))[0]).toContain("No deployment has moved");
  });

  /** Four chains, each with a newest block of its own time. */
  const four = (...times: readonly [string, string, string, string]): Outcome[] =>
    times.map((time, index) => answer(`lockup-${["base", "gnosis", "linea", "form"][index]}`, [100, time]));
  const OLDER = "2026-10-10T00:00:00Z";

  it.each<[name: string, outcomes: readonly Outcome[], isFleet: boolean]>([
    ["of exactly half of the chains are of one time", four(OLD, OLD, OLDER, OLDER), false],
    ["of more than half of the chains are of one time", four(OLD, OLD, OLD, OLDER), true],
    ["are an hour apart", four(OLD, "2026-11-01T01:59:48Z", "2026-11-01T01:59:48Z", OLD), true],
    ["are more than an hour apart", four(OLD, "2026-11-01T01:59:47Z", "2026-11-01T01:59:47Z", OLD), false],
    ["are of two chains", four(OLD, OLD, OLD, OLD).slice(0, 2), true],
  ])("where the newest blocks %s", (_, outcomes, isFleet) => {
    const [first = ""] = messages(run([WEEKS_LATER, outcomes]));
    expect(first.includes("No deployment has moved")).toBe(isFleet);
  });

  it("the time of the blocks is reported where it says more than the memory", () => {
    const kept = run(["2026-11-20T03:00:00Z", dated(OLD)], [WEEKS_LATER, dated(OLD)]);
    expect(messages(kept)).toEqual(messages(run([WEEKS_LATER, dated(OLD)])));
  });
});
