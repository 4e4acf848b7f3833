import { describe, expect, it } from "vitest";
import { applyBaseline } from "../../../../src/compare/apply-baseline.ts";
import {
  type AcceptedEntry,
  type BaselineContext,
  parseBaseline,
  renderBaseline,
} from "../../../../src/compare/baseline.ts";
import { type AcceptRequest, acceptFindings, pruneBaseline } from "../../../../src/compare/edit-baseline.ts";
import { fingerprint } from "../../../../src/compare/join-findings.ts";
import type { Finding } from "../../../../src/report/finding.ts";
import { goneField } from "../../../report/fixtures.ts";
import { catchError } from "../../../support/catch-error.ts";

const TODAY = "2026-11-21";

function shownBy(...chains: string[]): Finding {
  const { where, ...finding } = goneField();
  return {
    ...finding,
    where: where && { ...where, deployments: chains.map((chain) => `lockup-${chain}`) },
  };
}

function entry(chains: string[], changes: Partial<AcceptedEntry> = {}): AcceptedEntry {
  return {
    fingerprint: fingerprint(shownBy()),
    code: "drift/field-removed",
    coordinate: "Asset.symbol",
    before: "String!",
    after: null,
    scope: chains.map((chain) => `lockup-${chain}`),
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

/** Each finding as `code chains`, with a star if it is accepted. */
function outline(findings: ReturnType<typeof applyBaseline>["findings"]): string[] {
  return findings.map(({ code, where, accepted }) =>
    [code, ...(where?.deployments ?? []).map((name) => name.replace("lockup-", "")), accepted ? "*" : ""]
      .join(" ")
      .trim(),
  );
}

const ALL = ["base", "linea", "zksync"];

describe("applying accepted findings", () => {
  it.each<[name: string, finding: Finding[], entries: AcceptedEntry[], want: string[], answered?: string[]]>([
    ["a new finding", [shownBy("linea")], [], ["drift/field-removed linea"]],
    ["an accepted finding", [shownBy("linea")], [entry(["linea"])], ["drift/field-removed linea *"]],
    [
      "one more deployment is new",
      [shownBy("linea", "zksync")],
      [entry(["linea"])],
      ["drift/field-removed zksync", "drift/field-removed linea *"],
    ],
    [
      "two entries with two reasons",
      [shownBy("linea", "zksync")],
      [entry(["linea"]), entry(["zksync"], { reason: "other" })],
      ["drift/field-removed linea *", "drift/field-removed zksync *"],
    ],
    [
      "on its last day",
      [shownBy("linea")],
      [entry(["linea"], { until: TODAY })],
      ["drift/field-removed linea *"],
    ],
    [
      "the day after",
      [shownBy("linea")],
      [entry(["linea"], { until: "2026-11-20" })],
      ["drift/field-removed linea", "baseline/stale"],
    ],
    ["an entry without a finding", [], [entry(["linea"])], ["baseline/stale"]],
    [
      "another value",
      [{ ...shownBy("linea"), before: "String" }],
      [entry(["linea"])],
      ["drift/field-removed linea", "baseline/stale"],
    ],
    ["an entry is not stale after an outage", [], [entry(["linea"])], [], ["base"]],
    [
      "one caught up, one is down",
      [],
      [entry(["linea", "zksync"])],
      ["baseline/partly-stale"],
      ["base", "linea"],
    ],
    [
      "one caught up, one did not",
      [shownBy("zksync")],
      [entry(["linea", "zksync"])],
      ["drift/field-removed zksync *", "baseline/partly-stale"],
    ],
    ["a finding without deployments", [shownBy()], [entry([])], ["drift/field-removed *"]],
    ["an entry without deployments and without a finding", [], [entry([])], ["baseline/stale"]],
    [
      "an entry without deployments does not accept a finding of a deployment",
      [shownBy("linea")],
      [entry([])],
      ["drift/field-removed linea", "baseline/stale"],
    ],
  ])("%s", (_, findings, entries, want, answered = ALL) => {
    expect(outline(applyBaseline(findings, entries, context(answered)).findings)).toEqual(want);
  });

  it("accepts derived findings with their root, and no unrelated ones", () => {
    const leftover = { ...shownBy("linea"), coordinate: "Asset_filter.symbol", derived: 0 };
    const { findings } = applyBaseline([shownBy("linea"), leftover], [entry(["linea"])], context(ALL));
    expect(findings.map(({ coordinate, derived, accepted }) => [coordinate, derived, accepted])).toEqual([
      ["Asset.symbol", 23, true],
      ["Asset_filter.symbol", 0, false],
    ]);
  });

  it("reports no entry as stale that the run does not cover, unless it expired", () => {
    const entries = [entry(["linea"]), entry(["zksync"], { until: "2026-01-01" })];
    const { stale } = applyBaseline([], entries, context(ALL, { covers: () => false }));
    expect(stale.map(({ entry: { scope }, why }) => [scope[0], why])).toEqual([["lockup-zksync", "expired"]]);
  });

  it("prunes stale entries, and stale deployments of a scope", () => {
    const entries = [
      entry(["base", "linea"]),
      entry(["zksync"], { until: "2026-01-01" }),
      entry(["linea"], { fingerprint: "000000000000" }),
    ];
    const { stale } = applyBaseline([shownBy("base")], entries, context(ALL));
    const pruned = pruneBaseline(entries, stale);
    expect(pruned).toEqual([entry(["base"])]);
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
    expect(acceptFindings([], shown, request)).toEqual([entry(["linea", "zksync"])]);
  });

  it.each<[name: string, entries: AcceptedEntry[], changes: Partial<AcceptRequest>, want: AcceptedEntry[]]>([
    ["for one deployment only", [], { scope: ["lockup-linea"] }, [entry(["linea"])]],
    ["twice without a change", [entry(["linea", "zksync"])], {}, [entry(["linea", "zksync"])]],
    [
      "for more deployments with the same reason",
      [entry(["base"])],
      {},
      [entry(["base", "linea", "zksync"])],
    ],
    [
      "for another reason",
      [entry(["base", "linea"], { reason: "old" })],
      { scope: ["lockup-linea"] },
      [entry(["base"], { reason: "old" }), entry(["linea"])],
    ],
    [
      "after an expiry",
      [entry(["linea", "zksync"], { until: "2026-01-01" })],
      {},
      [entry(["linea", "zksync"])],
    ],
  ])("%s", (_, entries, changes, want) => {
    const accepted = acceptFindings(entries, shown, { ...request, ...changes });
    expect(accepted).toEqual(want);
    expect(parseBaseline(renderBaseline(accepted), "a.json")).toEqual(accepted);
  });

  it("passes the next run", () => {
    const { findings, stale } = applyBaseline(shown, acceptFindings([], shown, request), context(ALL));
    expect(findings.every(({ accepted }) => accepted)).toBe(true);
    expect(stale).toEqual([]);
  });

  it.each<[name: string, changes: object, want: RegExp]>([
    ["no reason", { reason: "  " }, /--reason must not be empty/],
    ["an invalid day", { until: "2027-02-30" }, /--until must be a day such as 2027-01-31; got "2027-02-30"/],
    ["a day in the past", { until: "2026-11-20" }, /--until 2026-11-20 is in the past/],
    [
      "an unknown fingerprint",
      { fingerprints: ["ffffffffffff"] },
      /No finding has the fingerprint "ffffffffffff"/,
    ],
    ["a typo", { fingerprints: [`${id.slice(0, 11)}x`] }, new RegExp(`did you mean ${id}`)],
    [
      "a deployment without the finding",
      { scope: ["lockup-base"] },
      /lockup-base in --scope does not have finding[\s\S]*Deployments with it: lockup-linea, lockup-zksync/,
    ],
  ])("error: %s", (_, changes, want) => {
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
      entry(["zksync"], { reason: "b" }),
      entry(["linea"], { until: "2027-01-31" }),
      entry([], { fingerprint: "000000000000", code: "drift/enum-value-added", coordinate: null }),
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

  const file = (change: string) =>
    `{"version":1,"accepted":[${change.replace("{", '{"fingerprint":"000000000000","code":"drift/a","coordinate":null,"before":null,"after":null,"scope":["a"],"reason":"r"')}]}`;
  it.each<[name: string, text: string, want: RegExp]>([
    [
      "text that is not JSON",
      "accepted: []",
      /^drift-accepted.json is not a list of accepted findings: it is not valid JSON\.\nHint: .*lockflow accept/,
    ],
    ["an empty file", "", /it is not valid JSON/],
    ["a list", "[]", /the file is not an object/],
    ["null", "null", /the file is not an object/],
    ["another version", '{"version":2,"accepted":[]}', /"version" is not 1/],
    ["entries that are not a list", '{"version":1,"accepted":{}}', /"accepted" is not a list/],
    ["an unknown key", '{"version":1,"accepted":[],"more":1}', /unknown key "more"/],
    ["an entry that is not an object", '{"version":1,"accepted":[null]}', /entry 1 is not an object/],
    ["an entry with an unknown key", file('{,"ignore":true}'), /entry 1 has an unknown key "ignore"/],
    ["a prototype", file('{,"__proto__":{"reason":"r"}}'), /unknown key "__proto__"/],
    [
      "an invalid fingerprint",
      file('{,"fingerprint":"00000000000G"}'),
      /in entry 1, "fingerprint" is not twelve hex digits/,
    ],
    ["an invalid code", file('{,"code":"drift"}'), /"code" is not a code/],
    ["an invalid coordinate", file('{,"coordinate":1}'), /"coordinate" is not a text or null/],
    [
      "a missing coordinate",
      '{"version":1,"accepted":[{"fingerprint":"000000000000","code":"drift/a"}]}',
      /in entry 1, "coordinate" is not a text or null/,
    ],
    ["a scope that is not a list", file('{,"scope":"linea"}'), /"scope" is not a list of deployment names/],
    ["a scope with invalid names", file('{,"scope":["../a"]}'), /"scope" is not a list of deployment names/],
    ["a scope with a duplicate", file('{,"scope":["a","a"]}'), /"scope" names a deployment twice/],
    ["an empty reason", file('{,"reason":" "}'), /"reason" is not a reason/],
    ["an invalid day", file('{,"until":"2027-02-30"}'), /"until" is not a day/],
    ["null as the day", file('{,"until":null}'), /"until" is not a day/],
    [
      "a duplicate entry",
      file("{}").replace(/\[(\{.*\})\]\}$/, "[$1,$1]}"),
      /entries 1 and 2 both accept 000000000000 of a/,
    ],
  ])("error: %s", (_, text, want) => {
    const error = catchError(() => parseBaseline(text, "drift-accepted.json"));
    expect(error).toMatchObject({ code: "BASELINE_INVALID" });
    expect(error.message).toMatch(want);
  });
});
