import { describe, expect, it } from "vitest";
import { findHealth } from "../../src/fleet/health.ts";
import type { Memory } from "../../src/fleet/memory.ts";
import { updateMemory } from "../../src/fleet/memory.ts";
import type { Outcome } from "../../src/fleet/outcome.ts";
import { resolveProject } from "../../src/project/project.ts";
import type { Finding } from "../../src/report/finding.ts";

const project = resolveProject({}, "/");

/** A block, with its time if the platform reports it. */
type Block = readonly [block: number, madeAt?: string];

/** An outcome with the head block of a deployment's one chain, or the head blocks of several by chain key. */
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

/** Returns the findings of the last of several runs, each at its own time. */
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

/** Both protocols and both styles on two chains, and one chain of one style only. */
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

describe("a fleet whose head blocks do not move", () => {
  it("is reported once, for all protocols and styles", () => {
    const findings = run([START, fleet()], [WEEKS_LATER, fleet()]);
    expect(messages(findings)).toEqual([
      "health/stuck No deployment has moved since 2026-11-01 03:00 UTC: all 6 still have the same block.",
    ]);
    expect(findings[0]).toMatchObject({ severity: "risky", where: null, subject: "every deployment" });
  });

  it("names the protocol and style if the fleet has only one", () => {
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

  it("is not reported after exactly a day, but is a second later", () => {
    expect(run([START, fleet()], [DAY_LATER, fleet()])).toEqual([]);
    expect(run([START, fleet()], [MORE_LATER, fleet()])).toHaveLength(1);
  });

  it("is reported since the last move of any deployment", () => {
    const later = [...fleet().slice(1), answer("lockup-base", [11])];
    const findings = run([START, fleet()], ["2026-11-10T03:00:00Z", later], [WEEKS_LATER, later]);
    expect(messages(findings)).toEqual([
      "health/stuck No deployment has moved since 2026-11-10 03:00 UTC: all 6 still have the same block.",
    ]);
    expect(run([START, fleet()], ["2026-11-21T03:00:00Z", later], [WEEKS_LATER, later])).not.toContainEqual(
      expect.objectContaining({ subject: "every deployment" }),
    );
  });

  it("is not reported if a deployment is new", () => {
    const grown = [...fleet(), answer("lockup-linea", [7])];
    expect(run([START, fleet()], [WEEKS_LATER, grown]).map(({ subject }) => subject)).not.toContain(
      "every deployment",
    );
  });

  it("is reported per chain if other chains move", () => {
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

  it("names every chain without progress in one finding", () => {
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

describe("standstill without a memory", () => {
  const OLD = "2026-11-01T02:59:48Z";
  /** Both styles; subgraphs have block times close to each other, and multichain has nearby blocks without times. */
  const dated = (madeAt: string, ahead = 0): Outcome[] => [
    answer("lockup-base", [100, madeAt]),
    answer("lockup-gnosis", [200, "2026-11-01T02:20:00Z"]),
    answer("flow-base", [90, "2026-11-01T02:59:28Z"]),
    answer("lockup-multichain", { base: [100 + ahead], gnosis: [200], morph: [5] }),
  ];

  it("is reported once if the newest blocks are all from about the same past time", () => {
    const findings = run([WEEKS_LATER, dated(OLD)]);
    expect(messages(findings)).toEqual([
      "health/stuck No deployment has moved since 2026-11-01 02:59 UTC: the newest block of all 4 is from then.",
    ]);
  });

  it.each<[name: string, at: string, outcomes: readonly Outcome[]]>([
    ["is exactly a day old", "2026-11-02T02:59:48Z", dated(OLD)],
    ["is from today for one deployment", WEEKS_LATER, dated("2026-11-22T02:59:00Z")],
    ["is in the future for one deployment", WEEKS_LATER, dated("2999-01-01T00:00:00Z")],
    ["is far behind another deployment of the chain", WEEKS_LATER, dated(OLD, 1001)],
    [
      "is unknown for the only deployment of a chain",
      WEEKS_LATER,
      [...dated(OLD), answer("lockup-form", [1])],
    ],
    [
      "is from a different day for each deployment, which may be catching up",
      WEEKS_LATER,
      [
        answer("lockup-base", [100, OLD]),
        answer("lockup-gnosis", [200, "2026-10-10T00:00:00Z"]),
        answer("lockup-linea", [300, "2026-09-10T00:00:00Z"]),
      ],
    ],
    [
      "is from one chain only",
      WEEKS_LATER,
      [answer("lockup-base", [100, OLD]), answer("flow-base", [100, OLD])],
    ],
    ["is unknown", WEEKS_LATER, fleet()],
  ])("is not reported if the newest block %s", (_, at, outcomes) => {
    expect(messages(run([at, outcomes])).filter((line) => line.includes("No deployment has"))).toEqual([]);
  });

  it("is reported if the newest block is a second more than a day old", () => {
    expect(run(["2026-11-02T02:59:49Z", dated(OLD)])).toHaveLength(1);
  });

  it("is reported if the other style is ahead by the usual lag", () => {
    expect(messages(run([WEEKS_LATER, dated(OLD, 1000)]))[0]).toContain("No deployment has moved");
  });

  /** Four chains, each with the time of its newest block. */
  const four = (...times: readonly [string, string, string, string]): Outcome[] =>
    times.map((time, index) => answer(`lockup-${["base", "gnosis", "linea", "form"][index]}`, [100, time]));
  const OLDER = "2026-10-10T00:00:00Z";

  it.each<[name: string, outcomes: readonly Outcome[], isFleet: boolean]>([
    ["from the same time on exactly half of the chains", four(OLD, OLD, OLDER, OLDER), false],
    ["from the same time on more than half of the chains", four(OLD, OLD, OLD, OLDER), true],
    ["exactly an hour apart", four(OLD, "2026-11-01T01:59:48Z", "2026-11-01T01:59:48Z", OLD), true],
    ["more than an hour apart", four(OLD, "2026-11-01T01:59:47Z", "2026-11-01T01:59:47Z", OLD), false],
    ["from the same time on two chains", four(OLD, OLD, OLD, OLD).slice(0, 2), true],
  ])("with newest blocks %s", (_, outcomes, isFleet) => {
    const [first = ""] = messages(run([WEEKS_LATER, outcomes]));
    expect(first.includes("No deployment has moved")).toBe(isFleet);
  });

  it("is reported with the time of the blocks if that is older than the memory", () => {
    const kept = run(["2026-11-20T03:00:00Z", dated(OLD)], [WEEKS_LATER, dated(OLD)]);
    expect(messages(kept)).toEqual(messages(run([WEEKS_LATER, dated(OLD)])));
  });
});
