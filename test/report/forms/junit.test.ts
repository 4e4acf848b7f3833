import { describe, expect, it } from "vitest";
import { junit } from "../../../src/report/forms/junit.ts";
import { endpoint, goneField, inSubgraphs, PLAIN, report } from "../fixtures.ts";

const render = (...given: Parameters<typeof report>) => junit.render(report(...given), PLAIN);

/** Returns each case as `suite/name result`, and checks that all elements are closed. */
function casesOf(xml: string): string[] {
  const open: string[] = [];
  const cases: string[] = [];
  for (const [, slash, name = "", attributes = "", empty] of xml.matchAll(
    /<(\/?)(\w[\w-]*)([^>]*?)(\/?)>/g,
  )) {
    if (slash) expect(open.pop()).toBe(name);
    else if (!empty) open.push(name);
    const suite = /classname="lockflow\.([^"]*)" name="([^"]*)"/.exec(attributes);
    if (suite) cases.push(`${suite[1]}/${suite[2]} passed`);
    if (name === "failure" || name === "skipped") cases.push(`${cases.pop()?.replace(/ \w+$/, "")} ${name}`);
  }
  expect(open).toEqual([]);
  return [...new Set(cases)];
}

describe("the JUnit report", () => {
  it("has a suite per category, a case per deployment or operation, and skips failed endpoints", () => {
    const xml = render();
    expect(casesOf(xml)).toEqual([
      "drift/lockup-base skipped",
      "drift/lockup-ethereum passed",
      "drift/lockup-gnosis passed",
      "drift/lockup-linea failure",
      "drift/lockup-zksync failure",
      "operations/lockup/subgraph AssetById failure",
      "operations/lockup/subgraph Recent passed",
    ]);
    expect(xml).toContain('<testsuites name="lockflow" tests="7" failures="3" errors="0" skipped="1">');
    expect(xml).toContain('<testsuite name="drift" tests="5" failures="2" errors="0" skipped="1">');
  });

  it("fails an unreachable deployment with a failing finding, instead of skipping it", () => {
    const endpoints = ["base", "gnosis"].map((chain) => endpoint(chain, { status: "unreachable" }));
    const findings = [
      goneField({ where: inSubgraphs("lockup-base") }),
      goneField({ where: inSubgraphs("lockup-gnosis"), fails: false }),
    ];
    const xml = render({ endpoints, findings, operations: [] });
    expect(casesOf(xml)).toEqual(["drift/lockup-base failure", "drift/lockup-gnosis skipped"]);
    expect(xml).toContain('<testsuites name="lockflow" tests="2" failures="1" errors="0" skipped="1">');
  });

  it("fails an operation that breaks in a fragment, but not its namesake in another protocol", () => {
    const file = "operations/lockup/subgraph/fragments/asset-fields.graphql";
    const plain = report();
    const operations = plain.operations.flatMap((operation) => [
      operation,
      { ...operation, protocol: "flow" as const },
    ]);
    const [finding = goneField()] = plain.findings;
    const findings = [
      { ...finding, operations: finding.operations.map((operation) => ({ ...operation, file })) },
    ];
    expect(casesOf(render({ operations, findings })).filter((row) => row.includes("AssetById"))).toEqual([
      "operations/flow/subgraph AssetById passed",
      "operations/lockup/subgraph AssetById failure",
    ]);
  });

  it("has a case per file for findings about files", () => {
    const about = { coordinate: null, where: null, operations: [], layer: "generated" } as const;
    const place = { file: "generated/a.ts", line: 3, column: null };
    const findings = [goneField({ ...about, place, code: "generated/stale" })];
    const outcome = {
      exit: 1,
      reason: "r",
      categories: [{ name: "generated", findings: 1, failing: 1, accepted: 0 }],
    } as const;
    expect(casesOf(render({ findings, outcome, endpoints: [], operations: [] }))).toEqual([
      "generated/generated/a.ts:3 failure",
    ]);
  });

  it("passes cases with findings that do not fail, and lists the findings", () => {
    const xml = render({ findings: [goneField({ fails: false })] });
    expect(casesOf(xml).filter((row) => row.endsWith("failure"))).toEqual([]);
    expect(xml).toContain("<system-out>breaking Asset.symbol: String! → gone");
  });

  it("is well-formed XML with any untrusted text", () => {
    const evil = '<a b="c">&amp; ]]> \u0000\u001b\uffff\ud800 \'é';
    const xml = render({
      endpoints: [endpoint("base", { status: "malformed", message: evil })],
      findings: [goneField({ message: evil, before: evil, coordinate: evil })],
    });
    casesOf(xml);
    expect(xml).toContain("&lt;a b=&quot;c&quot;&gt;&amp;amp; ]]&gt;");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b-\u001f\uffff]|\p{Surrogate}/u);
  });
});
