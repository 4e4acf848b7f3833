import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pluckDocuments } from "../../src/operations/find-in-code.ts";
import { runs } from "../support/runs.ts";

/** A character of a text, and its source in a literal. */
type Piece = { readonly text: string; readonly raw: string };

const hex = (text: string, width: number) => text.charCodeAt(0).toString(16).padStart(width, "0");

const character = fc.constantFrom(...'ab{}()$:# ,"\n😀é'.split(""), "😀", "\u2028");

/** A literal character or one of its escapes, and line continuations, which have no text. */
const piece = (isTemplate: boolean): fc.Arbitrary<Piece> =>
  fc.oneof(
    {
      weight: 9,
      arbitrary: character
        .map((text) => ({ text, raw: text }))
        .filter(({ text }) => (isTemplate ? !/[`\\$]/.test(text) : !/["\\\n]/.test(text))),
    },
    { weight: 1, arbitrary: fc.constant({ text: "\n", raw: "\\n" }) },
    { weight: 1, arbitrary: fc.constant({ text: "", raw: "\\\n" }) },
    { weight: 1, arbitrary: fc.constant({ text: '"', raw: '\\"' }) },
    { weight: 1, arbitrary: fc.constant({ text: "`", raw: "\\`" }) },
    { weight: 1, arbitrary: fc.constant({ text: "😀", raw: "\\u{1F600}" }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("a", "{", "é").map((text) => ({ text, raw: `\\u${hex(text, 4)}` })),
    },
    { weight: 1, arbitrary: fc.constantFrom("a", "}").map((text) => ({ text, raw: `\\x${hex(text, 2)}` })) },
  );

describe("pluckDocuments", () => {
  it.each([
    ["a template", true],
    ["quotes", false],
  ])("locates every character of a document in %s, also after escapes", (_, isTemplate) => {
    fc.assert(
      fc.property(
        fc.array(piece(isTemplate), { maxLength: 30 }),
        fc.constantFrom("", "\n", "/* x */ "),
        (pieces, before) => {
          const quote = isTemplate ? "`" : '"';
          const start = `${before}gql(${quote}`;
          const text = `${start}${pieces.map(({ raw }) => raw).join("")}${quote});`;
          const { documents } = pluckDocuments([{ path: "a.ts", text, names: ["gql"], surfaces: [] }]);
          const [document] = documents;
          expect(document?.text).toBe(pieces.map((one) => one.text).join(""));
          let at = 0;
          let raw = start;
          for (const one of pieces) {
            if (one.text !== "") {
              const lines = raw.split("\n");
              const place = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
              expect(document?.locate(at)).toEqual(place);
            }
            at += one.text.length;
            raw += one.raw;
          }
        },
      ),
      { numRuns: runs(10, 40) },
    );
  });
});
