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

/** The heads that a deployment answered with, by chain id; null for the one chain of a subgraph. */
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

/** A run: its time, and what every deployment answered. */
type Run = readonly [at: string, ...outcomes: readonly Outcome[]];

/** What the last of several runs finds, besides the errors of indexing that all of them have. */
function runAll(runs: readonly Run[]): { readonly memory: Memory; readonly findings: readonly Finding[] } {
  let memory: Memory = new Map();
  let findings: readonly Finding[] = [];
  for (const [at, ...outcomes] of runs) {
    const now = Date.parse(at);
    // The memory goes through the file each time.
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

describe("a head", () => {
  const rows: readonly [name: string, runs: readonly Run[], want: readonly string[]][] = [
    [
      "of the first run is never stuck",
      [["2026-11-20T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 5000])]],
      [`health/behind protocol-lockup-base ${BEHIND} base by 4990.`],
    ],
    [
      "is stuck when its peer went on by more than is usual, and not behind besides",
      [
        ["2026-11-20T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 10])],
        ["2026-11-20T03:17:42Z", head("base", [null, 10]), head("multichain", [BASE, 1011])],
      ],
      [`health/stuck protocol-lockup-base ${STUCK} base at 10 since 2026-11-20 03:00 UTC (1001 behind).`],
    ],
    [
      "is not stuck when its peer went on by as much as is usual",
      [
        ["2026-11-20T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 10])],
        ["2026-12-20T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 1010])],
      ],
      [],
    ],
    [
      "that was behind all along and stands still for a minute is behind",
      [
        ["2026-11-20T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 5000])],
        ["2026-11-20T03:01:00Z", head("base", [null, 10]), head("multichain", [BASE, 5900])],
      ],
      [`health/behind protocol-lockup-base ${BEHIND} base by 5890.`],
    ],
    [
      "is stuck after many runs while its peer moved a little in each",
      [
        ["2026-11-20T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 10])],
        ["2026-11-20T04:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 600])],
        ["2026-11-20T05:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 1200])],
      ],
      [`health/stuck protocol-lockup-base ${STUCK} base at 10 since 2026-11-20 03:00 UTC (1190 behind).`],
    ],
    [
      "that moved by one block is not stuck",
      [
        ["2026-11-20T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 10])],
        ["2026-11-20T04:00:00Z", head("base", [null, 11]), head("multichain", [BASE, 5000])],
      ],
      [`health/behind protocol-lockup-base ${BEHIND} base by 4989.`],
    ],
    [
      "is not stuck because a peer caught up with it",
      [
        ["2026-11-20T03:00:00Z", head("base", [null, 9000]), head("multichain", [BASE, 10])],
        ["2026-11-20T03:01:00Z", head("base", [null, 9000]), head("multichain", [BASE, 9500])],
      ],
      [],
    ],
    [
      "of one chain among many is stuck by itself, also of the other style",
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
      "without a peer is stuck after more than a day",
      [
        ["2026-11-20T03:00:00Z", head("form", [null, 10])],
        ["2026-11-21T03:00:01Z", head("form", [null, 10])],
      ],
      [`health/stuck protocol-lockup-form ${ALONE} form at 10 since 2026-11-20 03:00 UTC.`],
    ],
    [
      "is reported apart from one of another chain that has no peer",
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
      "without a peer is not stuck after a day",
      [
        ["2026-11-20T03:00:00Z", head("form", [null, 10])],
        ["2026-11-21T03:00:00Z", head("form", [null, 10])],
      ],
      [],
    ],
    [
      "whose peer stands still as well is reported with it, once",
      [
        ["2026-11-20T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 12])],
        ["2026-11-21T03:00:01Z", head("base", [null, 10]), head("multichain", [BASE, 12])],
      ],
      [
        "health/stuck undefined No deployment of base has moved since 2026-11-20 03:00 UTC: protocol-lockup-base at 10, protocol-lockup-multichain at 12.",
      ],
    ],
    [
      "whose peer stands still as well is not stuck after a day",
      [
        ["2026-11-20T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 12])],
        ["2026-11-21T03:00:00Z", head("base", [null, 10]), head("multichain", [BASE, 12])],
      ],
      [],
    ],
    [
      "whose peer moved last is reported with it since then, however far that went",
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
      "of a chain that halted is reported apart from those of others that go on",
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
      "stays in the memory while its deployment does not answer",
      [
        ["2026-11-20T03:00:00Z", head("form", [null, 10])],
        ["2026-11-21T03:00:00Z", failed("form", "ENDPOINT_TIMEOUT")],
        ["2026-11-22T03:00:00Z", head("form", [null, 10])],
      ],
      [`health/stuck protocol-lockup-form ${ALONE} form at 10 since 2026-11-20 03:00 UTC.`],
    ],
    [
      "that was seen by a clock that was ahead is counted from now",
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

  it("counts a chain that a server names twice once, and an unknown chain never", () => {
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
      "for fourteen days is not dead yet",
      [
        ["2026-11-01T23:59:00Z", failed("base", "ENDPOINT_TIMEOUT")],
        ["2026-11-15T23:59:00Z", failed("base", "ENDPOINT_TIMEOUT")],
      ],
      [],
    ],
    [
      "for more is dead, in whatever way it did not",
      [
        ["2026-11-01T23:59:00Z", failed("base", "ENDPOINT_TIMEOUT")],
        ["2026-11-09T00:00:00Z", failed("base", "ENDPOINT_RATE_LIMITED")],
        ["2026-11-16T00:00:00Z", failed("base", "ENDPOINT_NOT_JSON")],
      ],
      [`health/endpoint-dead protocol-lockup-base ${DEAD} 2026-11-01.`],
    ],
    [
      "with others is dead in one finding, each since its day",
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
      "and did in between is counted anew",
      [
        ["2026-11-01T03:00:00Z", failed("base", "ENDPOINT_TIMEOUT")],
        ["2026-11-10T03:00:00Z", head("base", [null, 1])],
        ["2026-11-20T03:00:00Z", failed("base", "ENDPOINT_TIMEOUT")],
      ],
      [],
    ],
    [
      "if another deployment answers",
      [
        ["2026-11-01T03:00:00Z", failed("base", "ENDPOINT_TIMEOUT")],
        ["2026-11-10T03:00:00Z", failed("base", "ENDPOINT_WRONG_CHAIN")],
        ["2026-11-20T03:00:00Z", failed("base", "ENDPOINT_TIMEOUT")],
      ],
      [],
    ],
    [
      "and was not asked in between is dead all the same",
      [
        ["2026-11-01T03:00:00Z", failed("base", "ENDPOINT_TIMEOUT")],
        ["2026-11-10T03:00:00Z", head("gnosis", [null, 1])],
        ["2026-11-20T03:00:00Z", failed("base", "ENDPOINT_TIMEOUT")],
      ],
      [`health/endpoint-dead protocol-lockup-base ${DEAD} 2026-11-01.`],
    ],
    [
      "by a clock that was ahead once is counted from then",
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

  it("is one deployment a line, in order, and nothing of URLs, keys or errors", () => {
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

  it("is a file also when there is nothing", () => {
    const text = renderMemory(new Map());
    expect(text).toBe('{\n  "version": 1,\n  "deployments": []\n}\n');
    expect(parseMemory(text, "memory.json")).toEqual(new Map());
  });

  it("does not depend on the order of answers", () => {
    const [[at, ...outcomes]] = runs as [Run];
    const turned: readonly Run[] = [[at, ...outcomes.toReversed()]];
    expect(renderMemory(runAll(turned).memory)).toBe(renderMemory(runAll(runs).memory));
  });

  it("keeps earlier heads for two weeks of runs, and none if no head moved", () => {
    const nights = Array.from({ length: 17 }, (_, night): Run => {
      // On the third night it had not moved.
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

  it("forgets who is retired or no deployment any more", () => {
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
