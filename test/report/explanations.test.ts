import { describe, expect, it } from "vitest";
import { RULES } from "../../src/compare/severity-rules.ts";
import { STYLES } from "../../src/report/codes/surfaces.ts";
import { readExplanations, renderExplanation } from "../../src/report/explanations.ts";
import { SEVERITIES } from "../../src/report/finding.ts";
import { ROWS } from "../compare/change-rows.ts";
import { readRepositoryTree } from "../support/repository.ts";

const WORDS =
  "(drift|parity|fleet|identity|health|operation|portable|port|generated|snapshot|plan|baseline|adapt)/[a-z][a-z-]*";
const CODE = new RegExp(`^${WORDS}$`);
const QUOTED = new RegExp(`["'\`]${WORDS}["'\`]`, "g");

const EXPLANATIONS = readExplanations();

describe("explanations", () => {
  const used = usedCodes();

  it("exist for the codes of findings, and no others", () => {
    expect([...EXPLANATIONS.keys()].sort()).toEqual([...used].sort());
  });

  it.each([...EXPLANATIONS])(
    "have sentences for the meaning, the reason and the action: %s",
    (name, code) => {
      expect(name).toMatch(CODE);
      // Each reason of `port` and `adapt` is one line of a table.
      const isRow = /^(?:port|adapt)\//.test(name);
      const texts = isRow ? [code.means, code.act] : [code.means, code.matters, code.act];
      for (const text of texts) expect(text).toMatch(/^\S.{5,}\.$/);
    },
  );

  it("are rendered with the meaning, why it matters and what to do", () => {
    expect(renderExplanation("generated/stale")?.split("\n")).toEqual([
      "generated/stale",
      expect.stringMatching(/^ {2}A generated file/),
      "",
      "Why it matters",
      expect.stringMatching(/^ {2}Its types/),
      "",
      "What to do",
      expect.stringMatching(/^ {2}Run `lockflow generate`/),
    ]);
  });

  const seen = severitiesByKind();

  it.each([...seen])("of a change explain each severity that it can have: %s", (kind, severities) => {
    const explanation = EXPLANATIONS.get(`drift/${kind}`);
    const explained = [...(explanation?.severities.keys() ?? [])];
    if (severities.size > 1 || explained.length > 0)
      expect(explained).toEqual(expect.arrayContaining([...severities]));
  });

  it.each([
    "platform-feature-added",
    "platform-feature-removed",
    "platform-feature-changed",
    "platform-release-changed",
  ])("of the platform have every severity: %s", (kind) => {
    const { means = "", matters = "", severities = new Map() } = EXPLANATIONS.get(`drift/${kind}`) ?? {};
    expect([...severities.keys()]).toEqual([...SEVERITIES]);
    expect(`${means} ${matters}`).not.toMatch(/only new|nothing has to be done/i);
  });

  it("list the worst severity first, and explain a severity of derived changes", () => {
    expect(renderExplanation("drift/field-added")?.split("\n").slice(6, 10)).toEqual([
      "What its severity means",
      "  additive  Only new requests become possible.",
      "  A worse severity comes from a derived change. The finding names one of them, and --verbose lists all.",
      "",
    ]);
    expect(renderExplanation("drift/enum-value-removed")).toMatch(
      /\n {2}breaking .*\n {2}risky .*\n {2}cosmetic .*\n\n/,
    );
  });

  it.each(["", "drift", "drift/moon", "constructor", "__proto__"])("do not exist for %j", (code) => {
    expect([EXPLANATIONS.has(code), renderExplanation(code)]).toEqual([false, null]);
  });
});

/** The severities of each kind of change in the table of all changes. */
function severitiesByKind(): Map<string, Set<string>> {
  const seen = new Map<string, Set<string>>();
  for (const { want } of ROWS) {
    for (const line of want) {
      const [severity = "", kind = ""] = line.split(" ").reverse();
      seen.set(kind, (seen.get(kind) ?? new Set()).add(severity));
    }
  }
  return seen;
}

/** The codes in the sources, and those that are built from kinds of changes and verdicts of parity. */
function usedCodes(): Set<string> {
  const codes = new Set([...Object.keys(RULES).map((kind) => `drift/${kind}`), ...Object.keys(STYLES)]);
  for (const [path, text] of Object.entries(readRepositoryTree("src"))) {
    if (!path.endsWith(".ts") || path.startsWith("report/codes/")) continue;
    const code = text.replaceAll(/^ *(\*|\/[/*]).*/gm, "");
    for (const [quoted] of code.matchAll(QUOTED)) codes.add(quoted.slice(1, -1));
  }
  return codes;
}
