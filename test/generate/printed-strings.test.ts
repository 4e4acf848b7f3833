import { Kind, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { typescriptLiteral } from "../../src/base/text.ts";
import { printDocument } from "../../src/operations/print-document.ts";

/** Line separators of JavaScript before 2019 and of many editors; JSON does not escape them. */
const SEPARATORS = "a\u2028b\u2029c\u2028";

describe("a string with line separators", () => {
  it("is printed in a document with all of them escaped", () => {
    const [node] = parse(`query Q { a(text: "${SEPARATORS}") }`).definitions;
    if (node?.kind !== Kind.OPERATION_DEFINITION) throw new TypeError("no operation");
    const text = printDocument(node, []);
    expect(text).toBe(String.raw`query Q {
  a(text: "a\u2028b\u2029c\u2028")
}`);
    expect(printDocument(parse(text).definitions[0] as typeof node, [])).toBe(text);
  });

  it("is printed as TypeScript with all of them escaped, also in a key", () => {
    const text = typescriptLiteral({ [SEPARATORS]: [SEPARATORS] });
    expect(text).toBe(String.raw`{ "a\u2028b\u2029c\u2028": ["a\u2028b\u2029c\u2028"] }`);
    expect(JSON.parse(text.slice(2, -2).replace(/^.*: /, ""))).toEqual([SEPARATORS]);
  });
});
