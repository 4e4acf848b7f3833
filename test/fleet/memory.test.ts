import { describe, expect, it } from "vitest";
import { EndpointError } from "../../src/base/errors.ts";
import { findHealth } from "../../src/fleet/health.ts";
import type { Memory } from "../../src/fleet/memory.ts";
import { collectHeads, parseMemory, renderMemory, updateMemory } from "../../src/fleet/memory.ts";
import type { Outcome } from "../../src/fleet/outcome.ts";
import { resolveProject } from "../../src/project/project.ts";
import type { Finding } from "../../src/report/finding.ts";

const project = resolveProject(
  { protocols: ["lockup"], deployments: { "protocol-lockup-xdc": { status: "retired" } } },
  "/",
);

function deploymentOf(suffix: string): Outcome["deployment"] {
  const found = project.deployments.find(({ name }) => name === `protocol-lockup-${suffix}`);
  if (found === undefined) throw new Error(`there is no ${suffix}`);
  return found;
}

/** An outcome with the heads of a deployment by chain id; null for the one chain of a subgraph. */
function head(
  suffix: string,
  ...heads: readonly (readonly [chainId: number | null, block: number])[]
): Outcome {
  return {
    kind: "introspected",
    deployment: deploymentOf(suffix),
    reading: {
      schema: EMPTY,
      hashes: { schema: "", docs: "" },
      entities: "",
      plainProtocols: [],
      errors: [],
    },
    probe: {
      chainIds: null,
      heads: heads.map(([chainId, block]) => ({ chainId, block })),
      hasIndexingErrors: true,
      deployment: null,
    },
    notes: [],
  };
}

const EMPTY = { queryType: "Query", mutationType: null, subscriptionType: null, types: [], directives: [] };

function failed(suffix: string, code: EndpointError["code"]): Outcome {
  const error = new EndpointError({ code, sentence: "It failed." });
  return { kind: "failed", deployment: deploymentOf(suffix), error, probe: null };
}

const [GNOSIS, BASE] = [100, 8453];

/** A run: its time and the outcome of every deployment. */
type Run = readonly [at: string, ...outcomes: readonly Outcome[]];

/** Returns the findings of the last of several runs, without the indexing errors that all runs have. */
function runAll(runs: readonly Run[]): { readonly memory: Memory; readonly findings: readonly Finding[] } {
  let memory: Memory = new Map();
  let findings: readonly Finding[] = [];
  for (const [at, ...outcomes] of runs) {
    const now = Date.parse(at);
    // The memory is rendered and parsed for each run.
    memory = parseMemory(renderMemory(updateMemory(memory, { outcomes, now }, project)), "memory.json");
    findings = findHealth(outcomes, project.chains, { memory, now });
  }
  return { memory, findings: findings.filter(({ code }) => code !== "health/indexing-error") };
}

function described(findings: readonly Finding[]): string[] {
  return findings.map(({ code, where, message }) => `${code} ${where?.deployments.join()} ${message}`);
}

const STUCK = "Its head block does not move, but its peers do:";
const ALONE = "Its head block has not moved for more than 24 hours, and there is no peer to compare it with:";
const BEHIND = "Its head block is behind that of its peers on the same chain:";

describe("a head block", () => {
  const rows: readonly [name: string, runs: readonly Run[], want: readonly string[]][] = [
    [
      "is not stuck in the first run",
      [["2026-11-20T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 5000])]],
      [`health/behind protocol-lockup-base ${BEHIND} base by 4990.`],
    ],
    [
      "is stuck if its peer moved by more than the usual lag, and is not reported as behind too",
      [
        ["2026-11-20T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 10])],
        ["2026-11-20T03:17:42Z", head("base", [null, 10]), head("multichain", [BASE, 1011])],
      ],
      [`health/stuck protocol-lockup-base ${STUCK} base at 10 since 2026-11-20 03:00 UTC (1001 behind).`],
    ],
    [
      "is not stuck if its peer moved by the usual lag",
      [
        ["2026-11-20T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 10])],
        ["2026-12-20T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 1010])],
      ],
      [],
    ],
    [
      "is behind if it was behind before and has not moved for a minute",
      [
        ["2026-11-20T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 5000])],
        ["2026-11-20T03:01:00Z", head("base", [null, 10]), head("multichain", [BASE, 5900])],
      ],
      [`health/behind protocol-lockup-base ${BEHIND} base by 5890.`],
    ],
    [
      "is stuck if its peer moved a little in each of many runs",
      [
        ["2026-11-20T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 10])],
        ["2026-11-20T04:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 600])],
        ["2026-11-20T05:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 1200])],
      ],
      [`health/stuck protocol-lockup-base ${STUCK} base at 10 since 2026-11-20 03:00 UTC (1190 behind).`],
    ],
    [
      "is not stuck if it moved by one block",
      [
        ["2026-11-20T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 10])],
        ["2026-11-20T04:00:00Z", head("base", [null, 11]), head("multichain", [BASE, 5000])],
      ],
      [`health/behind protocol-lockup-base ${BEHIND} base by 4989.`],
    ],
    [
      "is not stuck if a peer caught up with it",
      [
        ["2026-11-20T03:00:00Z", head("base", [null, 9000]), head("multichain", [BASE, 10])],
        ["2026-11-20T03:01:00Z", head("base", [null, 9000]), head("multichain", [BASE, 9500])],
      ],
      [],
    ],
    [
      "is stuck for one of several chains of a multichain deployment",
      [
        [
          "2026-11-20T03:00:00Z",
          head("base", [null, 10]),
          head("gnosis", [null, 20]),
          head("multichain", [BASE, 10], [GNOSIS, 20]),
        ],
        [
          "2026-11-20T04:00:00Z",
          head("base", [null, 3000]),
          head("gnosis", [null, 30]),
          head("multichain", [BASE, 10], [GNOSIS, 30]),
        ],
      ],
      [
        `health/stuck protocol-lockup-multichain ${STUCK} base at 10 since 2026-11-20 03:00 UTC (2990 behind).`,
      ],
    ],
    [
      "is stuck after more than a day without a peer",
      [
        ["2026-11-20T03:00:00Z", head("form", [null, 10])],
        ["2026-11-21T03:00:01Z", head("form", [null, 10])],
      ],
      [`health/stuck protocol-lockup-form ${ALONE} form at 10 since 2026-11-20 03:00 UTC.`],
    ],
    [
      "is reported with its peers, apart from a head block without a peer",
      [
        [
          "2026-11-20T03:00:00Z",
          head("base", [null, 10]),
          head("form", [null, 10]),
          head("multichain", [BASE, 10]),
        ],
        [
          "2026-11-22T03:00:00Z",
          head("base", [null, 10]),
          head("form", [null, 10]),
          head("multichain", [BASE, 2000]),
        ],
      ],
      [
        `health/stuck protocol-lockup-base,protocol-lockup-form ${STUCK} base at 10 since 2026-11-20 03:00 UTC (1990 behind). ${ALONE} form at 10 since 2026-11-20 03:00 UTC.`,
      ],
    ],
    [
      "is not stuck after exactly a day without a peer",
      [
        ["2026-11-20T03:00:00Z", head("form", [null, 10])],
        ["2026-11-21T03:00:00Z", head("form", [null, 10])],
      ],
      [],
    ],
    [
      "is reported once with its peer if neither has moved for more than a day",
      [
        ["2026-11-20T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 12])],
        ["2026-11-21T03:00:01Z", head("base", [null, 10]), head("multichain", [BASE, 12])],
      ],
      [
        "health/stuck undefined No deployment of base has moved since 2026-11-20 03:00 UTC: protocol-lockup-base at 10, protocol-lockup-multichain at 12.",
      ],
    ],
    [
      "is not stuck if neither it nor its peer has moved for exactly a day",
      [
        ["2026-11-20T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 12])],
        ["2026-11-21T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 12])],
      ],
      [],
    ],
    [
      "is reported with its peer since the last move of either",
      [
        ["2026-11-20T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 10])],
        ["2026-11-21T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 5000])],
        ["2026-11-22T03:00:01Z", head("base", [null, 10]), head("multichain", [BASE, 5000])],
      ],
      [
        "health/stuck undefined No deployment of base has moved since 2026-11-21 03:00 UTC: protocol-lockup-base at 10, protocol-lockup-multichain at 5000.",
      ],
    ],
    [
      "is reported for a halted chain, and not for other chains that move",
      [
        [
          "2026-11-20T03:00:00Z",
          head("base", [null, 10]),
          head("gnosis", [null, 20]),
          head("multichain", [BASE, 10], [GNOSIS, 20]),
        ],
        [
          "2026-11-22T03:00:00Z",
          head("base", [null, 10]),
          head("gnosis", [null, 21]),
          head("multichain", [BASE, 10], [GNOSIS, 22]),
        ],
      ],
      [
        "health/stuck undefined No deployment of base has moved since 2026-11-20 03:00 UTC: protocol-lockup-base at 10, protocol-lockup-multichain at 10.",
      ],
    ],
    [
      "stays in the memory if its deployment does not answer in between",
      [
        ["2026-11-20T03:00:00Z", head("form", [null, 10])],
        ["2026-11-21T03:00:00Z", failed("form", "ENDPOINT_TIMEOUT")],
        ["2026-11-22T03:00:00Z", head("form", [null, 10])],
      ],
      [`health/stuck protocol-lockup-form ${ALONE} form at 10 since 2026-11-20 03:00 UTC.`],
    ],
    [
      "is counted from the current run if the stored time is in the future",
      [
        ["2999-11-20T03:00:00Z", head("form", [null, 10])],
        ["2026-11-20T03:00:00Z", head("form", [null, 10])],
        ["2026-11-21T03:00:01Z", head("form", [null, 10])],
      ],
      [`health/stuck protocol-lockup-form ${ALONE} form at 10 since 2026-11-20 03:00 UTC.`],
    ],
  ];

  it.each(rows)("%s", (_, runs, want) => {
    expect(described(runAll(runs).findings)).toEqual(want);
  });

  it("is collected once per chain, and not for unknown chains", () => {
    const outcome = head("multichain", [BASE, 7], [999_999, 3], [BASE, 9], [GNOSIS, -1], [BASE, 8]);
    const heads = collectHeads([outcome], project.chains);
    expect(heads.map(({ chain, block }) => [chain, block])).toEqual([
      ["base", 9],
      ["gnosis", -1],
    ]);
  });
});

describe("a deployment that does not answer", () => {
  const DEAD = "The endpoint has not answered since";
  const rows: readonly [name: string, runs: readonly Run[], want: readonly string[]][] = [
    [
      "is not dead after fourteen days",
      [
        ["2026-11-01T23:59:00Z", failed("base", "ENDPOINT_TIMEOUT")],
        ["2026-11-15T23:59:00Z", failed("base", "ENDPOINT_TIMEOUT")],
      ],
      [],
    ],
    [
      "is dead after more than fourteen days, whatever the kinds of failure",
      [
        ["2026-11-01T23:59:00Z", failed("base", "ENDPOINT_TIMEOUT")],
        ["2026-11-09T00:00:00Z", failed("base", "ENDPOINT_RATE_LIMITED")],
        ["2026-11-16T00:00:00Z", failed("base", "ENDPOINT_NOT_JSON")],
      ],
      [`health/endpoint-dead protocol-lockup-base ${DEAD} 2026-11-01.`],
    ],
    [
      "is dead in one finding with others, each with its first day of silence",
      [
        ["2026-11-01T03:00:00Z", failed("gnosis", "ENDPOINT_STATUS"), head("base", [null, 1])],
        [
          "2026-11-02T03:00:00Z",
          failed("base", "ENDPOINT_STATUS"),
          failed("gnosis", "ENDPOINT_STATUS"),
          failed("linea", "ENDPOINT_STATUS"),
        ],
        [
          "2026-12-01T03:00:00Z",
          failed("base", "ENDPOINT_STATUS"),
          failed("gnosis", "ENDPOINT_STATUS"),
          failed("linea", "ENDPOINT_STATUS"),
        ],
      ],
      [
        `health/endpoint-dead protocol-lockup-base,protocol-lockup-gnosis,protocol-lockup-linea ${DEAD} 2026-11-01 (protocol-lockup-gnosis), 2026-11-02 (protocol-lockup-base, protocol-lockup-linea).`,
      ],
    ],
    [
      "is counted anew if it answered in between",
      [
        ["2026-11-01T03:00:00Z", failed("base", "ENDPOINT_TIMEOUT")],
        ["2026-11-10T03:00:00Z", head("base", [null, 1])],
        ["2026-11-20T03:00:00Z", failed("base", "ENDPOINT_TIMEOUT")],
      ],
      [],
    ],
    [
      "is counted anew if another deployment answered at its URL",
      [
        ["2026-11-01T03:00:00Z", failed("base", "ENDPOINT_TIMEOUT")],
        ["2026-11-10T03:00:00Z", failed("base", "ENDPOINT_WRONG_CHAIN")],
        ["2026-11-20T03:00:00Z", failed("base", "ENDPOINT_TIMEOUT")],
      ],
      [],
    ],
    [
      "is dead even if it was not queried in between",
      [
        ["2026-11-01T03:00:00Z", failed("base", "ENDPOINT_TIMEOUT")],
        ["2026-11-10T03:00:00Z", head("gnosis", [null, 1])],
        ["2026-11-20T03:00:00Z", failed("base", "ENDPOINT_TIMEOUT")],
      ],
      [`health/endpoint-dead protocol-lockup-base ${DEAD} 2026-11-01.`],
    ],
    [
      "is counted from the next run if the stored time is in the future",
      [
        ["2999-11-01T03:00:00Z", failed("base", "ENDPOINT_TIMEOUT")],
        ["2026-11-01T03:00:00Z", failed("base", "ENDPOINT_TIMEOUT")],
        ["2026-11-20T03:00:00Z", failed("base", "ENDPOINT_TIMEOUT")],
      ],
      [`health/endpoint-dead protocol-lockup-base ${DEAD} 2026-11-01.`],
    ],
  ];

  it.each(rows)("%s", (_, runs, want) => {
    expect(described(runAll(runs).findings)).toEqual(want);
  });
});

describe("the memory", () => {
  const runs: readonly Run[] = [
    [
      "2026-11-20T03:00:00Z",
      head("multichain", [GNOSIS, 20], [BASE, 10]),
      failed("gnosis", "ENDPOINT_TIMEOUT"),
      head("base", [null, 12]),
    ],
  ];

  it("has one line per deployment, sorted, without URLs, keys or errors", () => {
    const at = '"since":"2026-11-20T03:00:00.000Z"';
    expect(renderMemory(runAll(runs).memory).split("\n")).toEqual([
      "{",
      '  "version": 1,',
      '  "deployments": [',
      `    {"name":"protocol-lockup-base","silentSince":null,"heads":[{"chain":"base","block":12,${at},"furthest":12}]},`,
      '    {"name":"protocol-lockup-gnosis","silentSince":"2026-11-20","heads":[]},',
      `    {"name":"protocol-lockup-multichain","silentSince":null,"heads":[{"chain":"base","block":10,${at},"furthest":12},{"chain":"gnosis","block":20,${at},"furthest":20}]}`,
      "  ]",
      "}",
      "",
    ]);
  });

  it("is a valid file if it is empty", () => {
    const text = renderMemory(new Map());
    expect(text).toBe('{\n  "version": 1,\n  "deployments": []\n}\n');
    expect(parseMemory(text, "memory.json")).toEqual(new Map());
  });

  it("does not depend on the order of answers", () => {
    const [[at, ...outcomes]] = runs as [Run];
    const turned: readonly Run[] = [[at, ...outcomes.toReversed()]];
    expect(renderMemory(runAll(turned).memory)).toBe(renderMemory(runAll(runs).memory));
  });

  it("keeps up to 14 earlier head blocks, and none for a run in which the block did not move", () => {
    const nights = Array.from({ length: 17 }, (_, night): Run => {
      // The block does not move on the third night.
      const block = night === 2 ? 101 : 100 + night;
      return [`2026-11-${String(night + 1).padStart(2, "0")}T03:00:00Z`, head("base", [null, block])];
    });
    const earlierOf = (runs: readonly Run[]) =>
      [...runAll(runs).memory.values()].flatMap(({ heads }) => heads.get("base")?.earlier);
    expect(earlierOf(nights.slice(0, 1))).toEqual([]);
    expect(earlierOf(nights.slice(0, 4))).toEqual([
      { block: 100, since: "2026-11-01T03:00:00.000Z" },
      { block: 101, since: "2026-11-02T03:00:00.000Z" },
    ]);
    const kept = earlierOf(nights);
    expect(kept).toHaveLength(14);
    expect(kept.at(-1)).toEqual({ block: 115, since: "2026-11-16T03:00:00.000Z" });
    const { memory } = runAll(nights);
    expect(parseMemory(renderMemory(memory), "memory.json")).toEqual(memory);
  });

  it("drops retired and unknown deployments", () => {
    const text = renderMemory(
      new Map(
        ["base", "xdc", "moon"].map((suffix) => [
          `protocol-lockup-${suffix}`,
          { silentSince: "2026-11-01", heads: new Map() },
        ]),
      ),
    );
    const memory = updateMemory(
      parseMemory(text, "memory.json"),
      { outcomes: [], now: Date.parse("2026-11-20") },
      project,
    );
    expect([...memory.keys()]).toEqual(["protocol-lockup-base"]);
  });
});
