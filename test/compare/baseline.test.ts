import { describe, expect, it } from "vitest";
import { applyBaseline } from "../../src/compare/apply-baseline.ts";
import type { BaselineContext } from "../../src/compare/coverage.ts";
import { type AcceptRequest, acceptFindings, pruneBaseline } from "../../src/compare/edit-baseline.ts";
import { fingerprint } from "../../src/compare/join-findings.ts";
import type { Finding } from "../../src/report/finding.ts";
import { type AcceptedEntry, parseBaseline, renderBaseline } from "../../src/workspace/baseline.ts";
import { goneField } from "../report/fixtures.ts";
import { catchError } from "../support/catch-error.ts";

const TODAY = "2026-11-21";

function shownBy(...chains: string[]): Finding {
  const { where, ...finding } = goneField();
  return {
    ...finding,
    where: where && { ...where, deployments: chains.map((chain) => `lockup-${chain}`) },
  };
}

function entry(chains: string, changes: Partial<AcceptedEntry> = {}): AcceptedEntry {
  return {
    fingerprint: fingerprint(shownBy()),
    code: "drift/field-removed",
    coordinate: "Asset.symbol",
    before: "String!",
    after: null,
    scope: chains.split(" ").flatMap((chain) => (chain === "" ? [] : `lockup-${chain}`)),
    reason: "being rolled out",
    until: null,
    ...changes,
  };
}

function context(answered: string[], changes: Partial<BaselineContext> = {}): BaselineContext {
  return {
    today: TODAY,
    answered: new Set(answered.map((chain) => `lockup-${chain}`)),
    covers: () => true,
    ...changes,
  };
}

/** Each finding as its chains, with a star if it is accepted; a stale entry as its code. */
function outline(findings: ReturnType<typeof applyBaseline>["findings"]): string[] {
  return findings.map(({ code, where, accepted }) =>
    [
      ...(code === "drift/field-removed" ? [] : [code.replace("baseline/", "")]),
      ...(where?.deployments ?? []).map((name) => name.replace("lockup-", "")),
      ...(accepted ? ["*"] : []),
    ].join(" "),
  );
}

const ALL = ["base", "linea", "zksync"];
const LINEA = shownBy("linea");
const BOTH = shownBy("linea", "zksync");

describe("applying accepted findings", () => {
  it.each<
    [name: string, finding: Finding | null, entries: AcceptedEntry[], want: string[], answered?: string[]]
  >([
    ["a new finding", LINEA, [], ["linea"]],
    ["an accepted finding", LINEA, [entry("linea")], ["linea *"]],
    ["one more deployment is new", BOTH, [entry("linea")], ["zksync", "linea *"]],
    [
      "two entries with two reasons",
      BOTH,
      [entry("linea"), entry("zksync", { reason: "other" })],
      ["linea *", "zksync *"],
    ],
    ["on its last day", LINEA, [entry("linea", { until: TODAY })], ["linea *"]],
    ["the day after", LINEA, [entry("linea", { until: "2026-11-20" })], ["linea", "stale"]],
    ["an entry without a finding", null, [entry("linea")], ["stale"]],
    ["another value", { ...LINEA, before: "String" }, [entry("linea")], ["linea", "stale"]],
    ["an entry is not stale after an outage", null, [entry("linea")], [], ["base"]],
    ["one caught up, one is down", null, [entry("linea zksync")], ["partly-stale"], ["base", "linea"]],
    ["one caught up, one did not", shownBy("zksync"), [entry("linea zksync")], ["zksync *", "partly-stale"]],
    ["a finding without deployments", shownBy(), [entry("")], ["*"]],
    ["an entry without deployments and without a finding", null, [entry("")], ["stale"]],
    [
      "an entry without deployments does not accept a deployment's finding",
      LINEA,
      [entry("")],
      ["linea", "stale"],
    ],
  ])("%s", (_, finding, entries, want, answered = ALL) => {
    const findings = finding === null ? [] : [finding];
    expect(outline(applyBaseline(findings, entries, context(answered)).findings)).toEqual(want);
  });

  it("accepts derived findings with their root, and no unrelated ones", () => {
    const leftover = { ...shownBy("linea"), coordinate: "Asset_filter.symbol", derived: 0 };
    const { findings } = applyBaseline([shownBy("linea"), leftover], [entry("linea")], context(ALL));
    expect(findings.map(({ coordinate, derived, accepted }) => [coordinate, derived, accepted])).toEqual([
      ["Asset.symbol", 23, true],
      ["Asset_filter.symbol", 0, false],
    ]);
  });

  it("reports no entry as stale that the run does not cover, unless it expired", () => {
    const entries = [entry("linea"), entry("zksync", { until: "2026-01-01" })];
    const { stale } = applyBaseline([], entries, context(ALL, { covers: () => false }));
    expect(stale.map(({ entry: { scope }, why }) => [scope[0], why])).toEqual([["lockup-zksync", "expired"]]);
  });

  it("prunes stale entries, and stale deployments of a scope", () => {
    const entries = [
      entry("base linea"),
      entry("zksync", { until: "2026-01-01" }),
      entry("linea", { fingerprint: "000000000000" }),
    ];
    const { stale } = applyBaseline([shownBy("base")], entries, context(ALL));
    const pruned = pruneBaseline(entries, stale);
    expect(pruned).toEqual([entry("base")]);
    expect(applyBaseline([shownBy("base")], pruned, context(ALL)).stale).toEqual([]);
  });
});

describe("accepting findings", () => {
  const shown = applyBaseline([shownBy("linea", "zksync")], [], context(ALL)).findings;
  const id = fingerprint(shownBy());
  const request: AcceptRequest = {
    fingerprints: [id],
    reason: " being rolled out ",
    until: null,
    scope: null,
    today: TODAY,
  };

  it("adds an entry for all deployments with the finding, with its values", () => {
    expect(acceptFindings([], shown, request)).toEqual([entry("linea zksync")]);
  });

  it.each<[name: string, entries: AcceptedEntry[], changes: Partial<AcceptRequest>, want: AcceptedEntry[]]>([
    ["for one deployment only", [], { scope: ["lockup-linea"] }, [entry("linea")]],
    ["twice without a change", [entry("linea zksync")], {}, [entry("linea zksync")]],
    ["for more deployments with the same reason", [entry("base")], {}, [entry("base linea zksync")]],
    [
      "for another reason",
      [entry("base linea", { reason: "old" })],
      { scope: ["lockup-linea"] },
      [entry("base", { reason: "old" }), entry("linea")],
    ],
    ["after an expiry", [entry("linea zksync", { until: "2026-01-01" })], {}, [entry("linea zksync")]],
  ])("%s", (_, entries, changes, want) => {
    const accepted = acceptFindings(entries, shown, { ...request, ...changes });
    expect(accepted).toEqual(want);
    expect(parseBaseline(renderBaseline(accepted), "a.json")).toEqual(accepted);
  });

  it("passes the next run", () => {
    const { findings, stale } = applyBaseline(shown, acceptFindings([], shown, request), context(ALL));
    expect([outline(findings), stale]).toEqual([["linea zksync *"], []]);
  });

  it.each<[changes: object, want: string | RegExp]>([
    [{ reason: "  " }, "--reason must not be empty"],
    [{ until: "2027-02-30" }, '--until must be a day such as 2027-01-31; got "2027-02-30"'],
    [{ until: "2026-11-20" }, "--until 2026-11-20 is in the past"],
    [{ fingerprints: ["ffffffffffff"] }, 'No finding has the fingerprint "ffffffffffff"'],
    [{ fingerprints: [`${id.slice(0, 11)}x`] }, `did you mean ${id}`],
    [
      { scope: ["lockup-base"] },
      /lockup-base in --scope does not have finding[\s\S]*Deployments with it: lockup-linea, lockup-zksync/,
    ],
  ])("error: %j: %s", (changes, want) => {
    const error = catchError(() => acceptFindings([], shown, { ...request, ...changes }));
    expect(error.message).toMatch(want);
  });

  it.each(["operation", "generated", "snapshot", "baseline"] as const)(
    "error: a finding of the layer %s",
    (layer) => {
      const changed = shown.map((finding) => ({ ...finding, layer }));
      const error = catchError(() => acceptFindings([], changed, request));
      expect(error.message).toMatch(/has to be corrected and cannot be accepted/);
    },
  );
});

describe("the file of accepted findings", () => {
  it("has one entry per line in a fixed order, and is the same when written again", () => {
    const entries = [
      entry("zksync", { reason: "b" }),
      entry("linea", { until: "2027-01-31" }),
      entry("", { fingerprint: "000000000000", code: "drift/enum-value-added", coordinate: null }),
    ];
    const text = renderBaseline(entries);
    expect(text.split("\n")).toEqual([
      "{",
      '  "version": 1,',
      '  "accepted": [',
      '    {"fingerprint":"000000000000","code":"drift/enum-value-added","coordinate":null,"before":"String!","after":null,"scope":[],"reason":"being rolled out"},',
      expect.stringMatching(
        /"scope":\["lockup-linea"\],"reason":"being rolled out","until":"2027-01-31"\},$/,
      ),
      expect.stringMatching(/"scope":\["lockup-zksync"\],"reason":"b"\}$/),
      "  ]",
      "}",
      "",
    ]);
    expect(renderBaseline([...entries].reverse())).toBe(text);
    expect(renderBaseline(parseBaseline(text, "a.json"))).toBe(text);
    expect(parseBaseline(`\uFEFF${text.replaceAll("\n", "\r\n")}`, "a.json")).toHaveLength(3);
    expect(parseBaseline(renderBaseline([]), "a.json")).toEqual([]);
  });

  const ENTRY =
    '"fingerprint":"000000000000","code":"drift/a","coordinate":null,"before":null,"after":null,"scope":["a"],"reason":"r"';
  const file = (...entries: readonly string[]) => `{"version":1,"accepted":[${entries.join()}]}`;

  it.each<[text: string, want: string | RegExp]>([
    [
      "accepted: []",
      /^drift-accepted.json is not a list of accepted findings: it is not valid JSON\.\nHint: .*lockflow accept/,
    ],
    ["", "it is not valid JSON"],
    ["[]", "the file is not an object"],
    ["null", "the file is not an object"],
    ['{"version":2,"accepted":[]}', '"version" is not 1'],
    ['{"version":1,"accepted":{}}', '"accepted" is not a list'],
    ['{"version":1,"accepted":[],"more":1}', 'unknown key "more"'],
    [file("null"), "entry 1 is not an object"],
    [
      file('{"fingerprint":"000000000000","code":"drift/a"}'),
      'in entry 1, "coordinate" is not a text or null',
    ],
    [file(`{${ENTRY}}`, `{${ENTRY}}`), "entries 1 and 2 both accept 000000000000 of a"],
    ...[
      ['"ignore":true', 'entry 1 has an unknown key "ignore"'],
      ['"__proto__":{"reason":"r"}', 'unknown key "__proto__"'],
      ['"fingerprint":"00000000000G"', 'in entry 1, "fingerprint" is not twelve hex digits'],
      ['"code":"drift"', '"code" is not a code'],
      ['"coordinate":1', '"coordinate" is not a text or null'],
      ['"scope":"linea"', '"scope" is not a list of deployment names'],
      ['"scope":["../a"]', '"scope" is not a list of deployment names'],
      ['"scope":["a","a"]', '"scope" names a deployment twice'],
      ['"reason":" "', '"reason" is not a reason'],
      ['"until":"2027-02-30"', '"until" is not a day'],
      ['"until":null', '"until" is not a day'],
    ].map(([member, want = ""]): [string, string] => [file(`{${ENTRY},${member}}`), want]),
  ])("error: %s: %s", (text, want) => {
    const error = catchError(() => parseBaseline(text, "drift-accepted.json"));
    expect(error).toMatchObject({ code: "BASELINE_INVALID" });
    expect(error.message).toMatch(want);
  });
});
