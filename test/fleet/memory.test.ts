import { describe, expect, it } from "vitest";
import { collectHeads, parseMemory, renderMemory, updateMemory } from "../../src/fleet/memory.ts";
import { findingsOf, outcomesOf, PROJECT, runAll } from "./outcomes.ts";

type Row = readonly [name: string, runs: string, ...want: string[]];

describe("a head block", () => {
  it.each<Row>([
    [
      "is not stuck in the first run",
      "20T03:00 base 10, multichain base 5000",
      "behind base: BEHIND: base by 4990.",
    ],
    [
      "is stuck if its peer moved by more than the usual lag, and is not reported as behind too",
      "20T03:00 base 10, multichain base 10 | 20T03:17 base 10, multichain base 1011",
      "stuck base: PEERS MOVE: base at 10 since 11-20T03:00 (1001 behind).",
    ],
    [
      "is not stuck if its peer moved by the usual lag",
      "20T03:00 base 10, multichain base 10 | 2026-12-20T03:00 base 10, multichain base 1010",
    ],
    [
      "is behind if it was behind before and has not moved for a minute",
      "20T03:00 base 10, multichain base 5000 | 20T03:01 base 10, multichain base 5900",
      "behind base: BEHIND: base by 5890.",
    ],
    [
      "is stuck if its peer moved a little in each of many runs",
      "20T03:00 base 10, multichain base 10 | 20T04:00 base 10, multichain base 600 | 20T05:00 base 10, multichain base 1200",
      "stuck base: PEERS MOVE: base at 10 since 11-20T03:00 (1190 behind).",
    ],
    [
      "is not stuck if it moved by one block",
      "20T03:00 base 10, multichain base 10 | 20T04:00 base 11, multichain base 5000",
      "behind base: BEHIND: base by 4989.",
    ],
    [
      "is not stuck if a peer caught up with it",
      "20T03:00 base 9000, multichain base 10 | 20T03:01 base 9000, multichain base 9500",
    ],
    [
      "is stuck for one of several chains of a multichain deployment",
      "20T03:00 base 10, gnosis 20, multichain base 10 gnosis 20 | 20T04:00 base 3000, gnosis 30, multichain base 10 gnosis 30",
      "stuck multichain: PEERS MOVE: base at 10 since 11-20T03:00 (2990 behind).",
    ],
    [
      "is stuck after more than a day without a peer",
      "20T03:00 form 10 | 21T03:00:01 form 10",
      "stuck form: NO PEER: form at 10 since 11-20T03:00.",
    ],
    ["is not stuck after exactly a day without a peer", "20T03:00 form 10 | 21T03:00 form 10"],
    [
      "is reported with its peers, apart from a head block without a peer",
      "20T03:00 base 10, form 10, multichain base 10 | 22T03:00 base 10, form 10, multichain base 2000",
      "stuck base,form: PEERS MOVE: base at 10 since 11-20T03:00 (1990 behind). NO PEER: form at 10 since 11-20T03:00.",
    ],
    [
      "is reported once with its peer if neither has moved for more than a day",
      "20T03:00 base 10, multichain base 12 | 21T03:00:01 base 10, multichain base 12",
      "stuck fleet: No deployment of base has moved since 11-20T03:00: base at 10, multichain at 12.",
    ],
    [
      "is not stuck if neither it nor its peer has moved for exactly a day",
      "20T03:00 base 10, multichain base 12 | 21T03:00 base 10, multichain base 12",
    ],
    [
      "is reported with its peer since the last move of either",
      "20T03:00 base 10, multichain base 10 | 21T03:00 base 10, multichain base 5000 | 22T03:00:01 base 10, multichain base 5000",
      "stuck fleet: No deployment of base has moved since 11-21T03:00: base at 10, multichain at 5000.",
    ],
    [
      "stays in the memory if its deployment does not answer in between",
      "20T03:00 form 10 | 21T03:00 form TIMEOUT | 22T03:00 form 10",
      "stuck form: NO PEER: form at 10 since 11-20T03:00.",
    ],
    [
      "is counted from the current run if the stored time is in the future",
      "2999-11-20T03:00 form 10 | 20T03:00 form 10 | 21T03:00:01 form 10",
      "stuck form: NO PEER: form at 10 since 11-20T03:00.",
    ],
  ])("%s", (_, runs, ...want) => {
    expect(findingsOf(runs)).toEqual(want);
  });

  it("is collected once per chain, and not for unknown chains", () => {
    const outcomes = outcomesOf("multichain base 7 moon 3 base 9 gnosis -1 base 8");
    const heads = collectHeads(outcomes, PROJECT.chains);
    expect(heads.map(({ chain, block }) => `${chain} ${block}`)).toEqual(["base 9", "gnosis -1"]);
  });
});

describe("a deployment that does not answer", () => {
  const DEAD = "endpoint-dead base: SILENT SINCE 2026-11-01.";

  it.each<Row>([
    ["is not dead after fourteen days", "01T23:59 base TIMEOUT | 15T23:59 base TIMEOUT"],
    [
      "is dead after more than fourteen days, whatever the kinds of failure",
      "01T23:59 base TIMEOUT | 09T00:00 base RATE_LIMITED | 16T00:00 base NOT_JSON",
      DEAD,
    ],
    [
      "is dead in one finding with others, each with its first day of silence",
      "01T03:00 gnosis STATUS, base 1 | 02T03:00 base STATUS, gnosis STATUS, linea STATUS | 2026-12-01T03:00 base STATUS, gnosis STATUS, linea STATUS",
      "endpoint-dead base,gnosis,linea: SILENT SINCE 2026-11-01 (gnosis), 2026-11-02 (base, linea).",
    ],
    [
      "is counted anew if it answered in between",
      "01T03:00 base TIMEOUT | 10T03:00 base 1 | 20T03:00 base TIMEOUT",
    ],
    [
      "is counted anew if another deployment answered at its URL",
      "01T03:00 base TIMEOUT | 10T03:00 base WRONG_CHAIN | 20T03:00 base TIMEOUT",
    ],
    [
      "is dead even if it was not queried in between",
      "01T03:00 base TIMEOUT | 10T03:00 gnosis 1 | 20T03:00 base TIMEOUT",
      DEAD,
    ],
    [
      "is counted from the next run if the stored time is in the future",
      "2999-11-01T03:00 base TIMEOUT | 01T03:00 base TIMEOUT | 20T03:00 base TIMEOUT",
      DEAD,
    ],
  ])("%s", (_, runs, ...want) => {
    expect(findingsOf(runs)).toEqual(want);
  });
});

describe("the memory", () => {
  const ONE_RUN = "20T03:00 multichain gnosis 20 base 10, gnosis TIMEOUT, base 12";
  const textOf = (runs: string) => renderMemory(runAll(runs).memory);

  it("has one line per deployment, sorted whatever the order of answers, without URLs, keys or errors", () => {
    const at = '"since":"2026-11-20T03:00:00.000Z"';
    expect(textOf(ONE_RUN).split("\n")).toEqual([
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
    const turned = "20T03:00 base 12, gnosis TIMEOUT, multichain gnosis 20 base 10";
    expect(textOf(turned)).toBe(textOf(ONE_RUN));
  });

  it("is a valid file if it is empty", () => {
    const text = renderMemory(new Map());
    expect(text).toBe('{\n  "version": 1,\n  "deployments": []\n}\n');
    expect(parseMemory(text, "memory.json")).toEqual(new Map());
  });

  it("keeps up to 14 earlier head blocks, and none for a run in which the block did not move", () => {
    // The block does not move on the third night.
    const nights = Array.from({ length: 17 }, (_, night) => {
      return `${String(night + 1).padStart(2, "0")}T03:00 base ${night === 2 ? 101 : 100 + night}`;
    });
    const earlierAfter = (count: number) =>
      [...runAll(nights.slice(0, count).join(" | ")).memory.values()].flatMap(
        ({ heads }) => heads.get("base")?.earlier,
      );
    expect(earlierAfter(1)).toEqual([]);
    expect(earlierAfter(4)).toEqual([
      { block: 100, since: "2026-11-01T03:00:00.000Z" },
      { block: 101, since: "2026-11-02T03:00:00.000Z" },
    ]);
    expect(earlierAfter(17)).toHaveLength(14);
    expect(earlierAfter(17).at(-1)).toEqual({ block: 115, since: "2026-11-16T03:00:00.000Z" });
  });

  it("drops retired and unknown deployments", () => {
    const names = ["base", "xdc", "moon"].map((suffix) => `protocol-lockup-${suffix}`);
    const memory = new Map(names.map((name) => [name, { silentSince: "2026-11-01", heads: new Map() }]));
    const updated = updateMemory(memory, { outcomes: [], now: Date.parse("2026-11-20") }, PROJECT);
    expect([...updated.keys()]).toEqual(["protocol-lockup-base"]);
  });
});
