import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { text } from "../../../src/report/forms/text.ts";
import type { DecidedFinding } from "../../../src/report/outcome.ts";
import type { Report } from "../../../src/report/report.ts";
import { ACCEPTED, endpoint, goneField, inSubgraphs, PLAIN, report } from "../fixtures.ts";

const render = (...[changes, options = {}]: [Parameters<typeof report>[0], Partial<typeof PLAIN>?]) =>
  text.render(report(changes), { ...PLAIN, ...options });

describe("the text report", () => {
  it("has the verdict first, then the findings and next commands, and the exit code last", () => {
    expect(render({}).split("\n")).toEqual([
      "Not clean: 1 breaking; of 2 operations 1 broken.",
      "",
      "Endpoints",
      "  lockup/subgraph  2 same; 2 drifted: linea, zksync; 1 unreachable: base",
      "Schemas",
      "  lockup/subgraph  2 of 4: the reference, graph-node-0.42 (schema 1f3a9c04)",
      "  lockup/subgraph  linea, zksync: other entities, graph-node-0.42, without and-or (schema b3f10000)",
      "Endpoints without an answer, not compared",
      "  lockup-base  It did not answer in 15 s.",
      "",
      "Findings",
      "  breaking  Asset.symbol  String! → gone, and 23 derived  breaks 1 operation  lockup/subgraph: linea, zksync  [drift/field-removed 9c41e07ab2d5]",
      '      operations/lockup/subgraph/asset.graphql:7:5  AssetById  Cannot query field "symbol" on type "Asset".',
      "      remove the selection, or wait for linea and zksync to catch up.",
      "",
      "Next",
      "  lockflow explain drift/field-removed",
      '  lockflow accept 9c41e07ab2d5 --reason "…" --from report.json',
      "  (--report text,json=report.json saves that report)",
      "",
      "exit 1: 1 finding to act on: 1 breaks operations",
      "",
    ]);
  });

  it.each([
    [4, "      and 1 more place in operations"],
    [5, "      and 2 more places in operations"],
  ])("counts the places in operations that it leaves out: %i", (count, line) => {
    const { operations } = goneField();
    const many = Array.from({ length: count }, () => operations).flat();
    expect(render({ findings: [goneField({ operations: many })] }).split("\n")).toContain(line);
  });

  it("counts a portable operation once, and operations of each style apart", () => {
    const { operations } = goneField();
    const inStyle = (style: "multichain" | "subgraph") =>
      operations.map((operation) => ({ ...operation, protocol: "lockup", style }));
    const documents = (["multichain", "subgraph"] as const).flatMap((style) =>
      inStyle(style).map((operation) => ({ ...operation, chains: [], missing: [] })),
    );
    const findings = [goneField({ operations: [...inStyle("multichain"), ...inStyle("subgraph")] })];
    const of = (all: Report["operations"]) => render({ findings, operations: all });
    expect(of(documents)).toMatch(/; of 2 operations 2 broken\.[\s\S]* {2}breaks 2 operations {2}/);
    expect(of(documents.map((document) => ({ ...document, portable: true as const })))).toMatch(
      /; of 1 operation 1 broken\.[\s\S]* {2}breaks 1 operation {2}/,
    );
  });

  it("has only a verdict and the exit code without findings", () => {
    const outcome = { exit: 0, reason: "nothing to act on", categories: [] } as const;
    const clean = { outcome, endpoints: [], groups: [], findings: [], operations: [] };
    expect(render(clean)).toBe("Clean: no findings.\n\nexit 0: nothing to act on\n");
  });

  const [recent] = report().operations.filter(({ name }) => name === "Recent");
  it.each<[head: string, changes: Partial<DecidedFinding>]>([
    ["Nothing to act on: 1 breaking; of 1 operation none affected.", {}],
    ["Nothing to act on: 1 risky; of 1 operation none affected.", { severity: "risky" }],
    ["Clean: 1 additive; of 1 operation none affected.", { severity: "additive" }],
    ["Clean: 1 cosmetic; of 1 operation none affected.", { severity: "cosmetic" }],
    ["Clean: 1 accepted; of 1 operation none affected.", { accepted: true }],
    // Without operations, the reason is there.
    [
      "Nothing known to act on: 1 breaking; no operations were compared: there are no operations of lockup/subgraph.",
      {},
    ],
    [
      "Nothing known to act on: 1 risky; no operations were compared: the two schemas are not known to be of one protocol and style.",
      { severity: "risky", where: null },
    ],
    ["Clean: 1 additive.", { severity: "additive" }],
    ["Clean: 1 accepted.", { accepted: true }],
  ])("has a verdict for findings that do not affect operations: %s", (head, changes) => {
    const outcome = { exit: 0, reason: "none", categories: [] } as const;
    const findings = [goneField({ operations: [], fails: false, ...changes })];
    const operations = recent && head.includes("of 1 operation") ? [recent] : [];
    expect(render({ outcome, findings, operations }).split("\n")[0]).toBe(head);
  });

  it("lists derived changes with --verbose, and the cause of the severity always", () => {
    const derivedCoordinates = Array.from({ length: 250 }, (_, index) => `A.f${index + 100}`);
    const retyped = { before: "Int!", after: "Float!" };
    const worstDerived = ["A.f101", "A.f102"].map((coordinate) => ({ coordinate, ...retyped }));
    const findings = [goneField({ derivedCoordinates, worstDerived, operations: [] })];
    const short = render({ findings });
    expect(short).toContain("\n      breaking by A.f101  Int! → Float!, and 1 more\n");
    expect(short).not.toContain("A.f102");
    const long = render({ findings }, { verbose: true });
    expect(long).toContain(
      "\n      breaking by A.f102  Int! → Float!\n      derived:  A.f100  A.f101  A.f102",
    );
    expect(long).toContain("and 150 more: use --report json=<file>");
    expect(long.split("\n").length).toBeLessThan(40);
  });

  it("is sorted by impact, severity and coordinate, with accepted findings last", () => {
    const operation = goneField().operations[0];
    const operations = operation ? [{ ...operation, impact: "changes-type" as const }] : [];
    const findings = [
      goneField({
        ...ACCEPTED,
        coordinate: "A.accepted",
        acceptance: { reason: "old", until: "2027-01-31" },
      }),
      goneField({ coordinate: "B.quiet", operations: [], severity: "additive" }),
      goneField({ coordinate: "B.loud", operations: [] }),
      goneField({ coordinate: "A.loud", operations: [] }),
      goneField({ coordinate: "Z.hit", operations, severity: "risky" }),
      goneField({ coordinate: "Z.broken" }),
    ];
    const lines = render({ findings }).split("\n");
    const titles = lines.flatMap(
      (line) => /^ {2}(?:breaking|risky|additive)? *(\w+\.\w+) {2}/.exec(line)?.[1] ?? [],
    );
    expect(titles).toEqual(["Z.broken", "Z.hit", "A.loud", "B.loud", "B.quiet", "A.accepted"]);
    expect(lines).toContain(
      "  A.accepted  String! → gone, and 23 derived  lockup/subgraph: linea, zksync until 2027-01-31: old",
    );
    expect(render({ findings: findings.reverse() })).toBe(lines.join("\n"));
  });

  it("has fewer than 50 lines, and the number of findings left out", () => {
    const findings = Array.from({ length: 500 }, (_, index) => goneField({ coordinate: `A.f${index}` }));
    const shown = render({ findings });
    expect(shown.split("\n").length).toBeLessThan(50);
    expect(shown).toContain("and 488 more: use --verbose or --report json=<file>");
    expect(render({ findings }, { verbose: true })).toContain("A.f499");
  });

  it("has the same fix of several findings once", () => {
    const findings = ["A.a", "A.b", "A.c"].map((coordinate) => goneField({ coordinate, operations: [] }));
    expect(render({ findings }).match(/remove the selection/g)).toHaveLength(1);
  });

  it("has the actual and the expected line of a stale file", () => {
    const facts = { coordinate: null, where: null, operations: [], layer: "generated" } as const;
    const place = { file: "generated/a.ts", line: 3, column: null };
    const stale = { code: "generated/stale", before: "a: string", after: "a: number" };
    const shown = render({ findings: [goneField({ ...facts, ...stale, place })] });
    expect(shown).toMatch(
      /breaking {2}generated\/a.ts:3 {2}The field[\s\S]*is: {8}a: number\n +should be: a: string/,
    );
    expect(shown).not.toContain("lockflow accept");
  });

  it.each<[names: number, all: number, want: string]>([
    [26, 26, ": all 26"],
    [2, 26, ": c10, c11"],
    [24, 26, ": 24 of 26, not c34, c35"],
    [12, 26, ": 12 of 26: c10, c11, c12 and 9 more"],
    [1, 1, ""],
  ])("summarizes %i of %i deployments", (names, all, want) => {
    const endpoints = Array.from({ length: all }, (_, index) => endpoint(`c${index + 10}`));
    const deployments = endpoints.slice(0, names).map(({ deployment }) => deployment);
    const findings = [goneField({ where: inSubgraphs(...deployments) })];
    expect(render({ endpoints, groups: [], findings })).toMatch(
      new RegExp(`breaks 1 operation\\s+lockup/subgraph${want} {2}\\[`),
    );
  });

  it("lists six files that a run wrote and counts the others, which --verbose lists too", () => {
    const moved = [..."abcdefgh"].map((file) => ({ file, change: "written" as const }));
    expect(render({ moved })).toContain("Moved\n  a  b  c  d  e  f  and 2 more\n");
    expect(render({ moved }, { verbose: true })).toContain("Moved\n  a  b  c  d  e  f  g  h\n");
  });

  it("has colors only with the option color", () => {
    expect(render({})).not.toContain("\u001b");
    const colored = render({}, { color: true });
    expect(colored).toContain("\u001b[31mbreaking\u001b[39m");
    expect(stripVTControlCharacters(colored)).toBe(render({}));
  });
});

it("the text report lists an operation at risk once, and with --verbose at each finding", () => {
  const atRisk = (fingerprint: string) =>
    goneField({
      fingerprint,
      operations: goneField().operations.map((operation) => ({
        ...operation,
        name: "Filtered",
        impact: "at-risk",
      })),
    });
  const findings = [atRisk("a".repeat(12)), atRisk("b".repeat(12))];
  const plain = text.render(report({ findings }), PLAIN);
  expect(plain.match(/Filtered/g)).toHaveLength(1);
  expect(plain).toMatch(/^At risk\n {2}\S+ {2}Filtered {2}through variables, because of 2 findings$/m);
  expect(text.render(report({ findings }), { ...PLAIN, verbose: true })).not.toContain("At risk\n");
});
