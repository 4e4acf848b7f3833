import ts from "typescript";
import { describe, expect, it } from "vitest";
import { EXPLANATIONS, explain, renderExplanation } from "../../src/report/explanations/index.ts";
import { readRepositoryTree } from "../support/repository.ts";

const CODE = /^(drift|parity|fleet|identity|health|operation|generated|snapshot|baseline)\/[a-z][a-z-]*$/;

/** Codes that are explained already and found by nobody yet. One that is found is taken from here. */
const NOT_FOUND_YET: readonly string[] = [];

describe("the explanations", () => {
  const used = usedCodes();

  it("are there for every code that any finding can have", () => {
    expect([...used].filter((code) => explain(code) === null)).toEqual([]);
  });

  it("are of codes that a finding can have", () => {
    const unused = Object.keys(EXPLANATIONS).filter((code) => !used.has(code));
    expect(unused.sort()).toEqual([...NOT_FOUND_YET].sort());
  });

  it.each(Object.entries(EXPLANATIONS))(
    "say three things in sentences: %s",
    (code, { means, matters, act }) => {
      expect(code).toMatch(CODE);
      for (const text of [means, matters, act]) expect(text).toMatch(/^\S.{5,}\.$/);
    },
  );

  it("are shown with what it means, why it matters and what to do", () => {
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

  it.each(["", "drift", "drift/moon", "constructor", "__proto__"])("are none of %j", (code) => {
    expect([explain(code), renderExplanation(code)]).toEqual([null, null]);
  });
});

/** The codes that stand in the sources, and those that are made of every kind of change. */
function usedCodes(): Set<string> {
  const codes = new Set<string>();
  for (const [path, text] of Object.entries(readRepositoryTree("src"))) {
    if (!path.endsWith(".ts") || path.startsWith("report/explanations/")) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isStringLiteralLike(node) && CODE.test(node.text)) codes.add(node.text);
      if (path === "model/change.ts" && ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)) {
        codes.add(`drift/${node.literal.text}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true));
  }
  return codes;
}
