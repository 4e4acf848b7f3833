import { describe, expect, it } from "vitest";
import { createIdCodec, type IdPiece } from "../../packages/client/src/create-id-codec.ts";
import { catchError } from "../support/catch-error.ts";

type AnyCodec = {
  readonly parse: (id: unknown) => Record<string, unknown>;
  readonly format: (parts: unknown) => string;
};

function codec(pieces: readonly IdPiece[]): AnyCodec {
  return createIdCodec("Lot", pieces) as unknown as AnyCodec;
}

const LOT = codec([["contract", "bytes"], "-", ["chainId", "chain"], "-", ["tokenId", "number"]]);
/** Valid parts of a lot, except for some. */
const lot = (parts: object) => ({ contract: "0xab", chainId: 1, tokenId: 1, ...parts });
const ADDRESS = "0x355Ba6D17d318069d8B008F41Cb36FbA6572E985";
const LOWER = ADDRESS.toLowerCase();

describe("an id", () => {
  it.each<[name: string, id: string, contract: string, chainId: number, tokenId: string]>([
    ["is parsed", `${LOWER}-8453-12`, LOWER, 8453, "12"],
    ["is parsed in mixed case", `${ADDRESS}-1-0`, LOWER, 1, "0"],
    ["is parsed in upper case", `0X${LOWER.slice(2).toUpperCase()}-1-0`, LOWER, 1, "0"],
    ["keeps integers beyond 2^53", `0xab-1-${2n ** 256n}`, "0xab", 1, String(2n ** 256n)],
  ])("%s, and formatted in lower case", (_, id, contract, chainId, tokenId) => {
    expect(LOT.parse(id)).toEqual({ contract, chainId, tokenId });
    expect(LOT.format({ contract, chainId, tokenId })).toBe(id.toLowerCase());
  });

  it.each<[name: string, id: unknown]>([
    ["an empty text", ""],
    ["a missing part", `${LOWER}-8453`],
    ["an extra part", `${LOWER}-8453-12-1`],
    ["half a byte", "0xabc-1-1"],
    ["an empty hex number", "0x-1-1"],
    ["letters that are not hex", "0xzz-1-1"],
    ["a chain of zero", "0xab-0-1"],
    ["a chain id that is too large", "0xab-1234567890123456-1"],
    ["a leading zero", "0xab-01-1"],
    ["another leading zero", "0xab-1-01"],
    ["a sign", "0xab-1--1"],
    ["a plus", "0xab-1-+1"],
    ["a fraction", "0xab-1-1.5"],
    ["a hex number", "0xab-0x1-1"],
    ["a leading space", " 0xab-1-1"],
    ["a trailing line break", "0xab-1-1\n"],
    ["digits of another script", "0xab-1-١"],
    ["another dash", "0xab‐1‐1"],
    ["a number", 12],
    ["null", null],
    ["a list with an id", ["0xab-1-1"]],
    ["an object whose text is an id", { toString: () => "0xab-1-1" }],
  ])("is rejected: %s", (_, id) => {
    expect(() => LOT.parse(id)).toThrow(
      /^("(?:[^"\\]|\\.){0,90}"|\w+) is not an id of Lot\. Ids of Lot have the form \{contract\}-\{chainId\}-\{tokenId\}\.$/,
    );
    expect(() => LOT.parse(id)).toThrow(TypeError);
  });

  it("is rejected quickly if it is long, with a short message", () => {
    const start = performance.now();
    for (const long of ["-", "0x", "1", "0x00-1-", "a-"].map((text) => text.repeat(300_000))) {
      const error = catchError(() => LOT.parse(long));
      expect(error.message.length).toBeLessThan(200);
    }
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

describe("parts", () => {
  it.each<[name: string, parts: object, id: string]>([
    ["as rows have them", { contract: ADDRESS, chainId: "8453", tokenId: "12" }, `${LOWER}-8453-12`],
    ["as numbers and big integers", { contract: ADDRESS, chainId: 8453n, tokenId: 12 }, `${LOWER}-8453-12`],
    ["beside unknown keys", { contract: "0xab", chainId: 1, tokenId: 1n, moon: 1 }, "0xab-1-1"],
  ])("are formatted %s", (_, parts, id) => {
    expect(LOT.format(parts)).toBe(id);
  });

  it.each<[name: string, parts: unknown, want: RegExp]>([
    ["undefined", undefined, /^undefined is not a valid contract of an id\. Ids of Lot have the form \{con/],
    ["null", null, /valid contract/],
    ["a missing part", lot({ tokenId: undefined }), /^undefined is not a valid tokenId of an id/],
    ["inherited parts", Object.create({ contract: "0xab" }), /valid contract|valid chainId/],
    ["bytes that include the next part", lot({ contract: "0xab-1" }), /^"0xab-1" is not a valid contract/],
    ["half a byte", lot({ contract: "0xabc" }), /^"0xabc" is not a valid contract/],
    ["an invalid chain id", lot({ chainId: "base" }), /^"base" is not a valid chainId/],
    ["a chain of zero", lot({ chainId: 0 }), /valid chainId/],
    ["a fraction", lot({ tokenId: 1.5 }), /^number is not a valid tokenId/],
    ["an unsafe integer", lot({ tokenId: 2 ** 53 }), /valid tokenId/],
    ["NaN", lot({ chainId: Number.NaN }), /valid chainId/],
    ["a leading zero", lot({ tokenId: "01" }), /^"01" is not a valid tokenId/],
    ["a negative number after a dash", lot({ tokenId: -1 }), /is ambiguous/],
    ["a list", lot({ contract: ["0xab"] }), /^object is not a valid contract/],
  ])("are rejected: %s", (_, parts, want) => {
    const error = catchError(() => LOT.format(parts));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(want);
  });
});

const A: IdPiece = ["a", "text"];
const B: IdPiece = ["b", "text"];
const N: IdPiece = ["n", "number"];
const BYTES: IdPiece = ["a", "bytes"];

describe("ids of any pieces", () => {
  it.each<[name: string, pieces: readonly IdPiece[], parts: object, id: string]>([
    ["one field", [["id", "chain"]], { id: 10 }, "10"],
    ["texts with special characters", ["a.b+(", N, ")|[", A, "]$^"], { n: "1", a: "x" }, "a.b+(1)|[x]$^"],
    ["a negative number", [BYTES, "#", N], { a: "0xab", n: "-5" }, "0xab#-5"],
    ["text with dashes, last", ["at-", A], { a: "2025-10-08" }, "at-2025-10-08"],
    ["text with dashes, first", [A, "-", N], { a: "a-b", n: "1" }, "a-b-1"],
    ["several texts, the last with dashes", [A, "-", B], { a: "x", b: "y-z" }, "x-y-z"],
    ["a field twice", [BYTES, ":", BYTES], { a: "0xab" }, "0xab:0xab"],
    ["an inherited name", [["constructor", "number"]], { constructor: "1" }, "1"],
    ["text that is hex", [A, "-", N], { a: "0xab", n: "1" }, "0xab-1"],
    ["any text", [A], { a: "é\n\u202e \0😀" }, "é\n\u202e \0😀"],
  ])("%s", (_, pieces, parts, id) => {
    expect(codec(pieces).parse(id)).toEqual(parts);
    expect(codec(pieces).format(parts)).toBe(id);
  });

  it("have lower-case hex in text fields", () => {
    const { parse, format } = codec([A, "-", N]);
    expect(parse("0xAB-1")).toEqual({ a: "0xab", n: "1" });
    expect(format({ a: "0xAB", n: 1 })).toBe("0xab-1");
  });

  it.each<[name: string, pieces: readonly IdPiece[], parts: object]>([
    ["a text that contains the separator", [A, "-", B], { a: "x-y", b: "z" }],
    ["numbers without a separator", [N, ["m", "number"]], { n: 1, m: 23 }],
    ["an empty text", [A, "-"], { a: "" }],
  ])("are rejected if other parts have the same id: %s", (_, pieces, parts) => {
    expect(() => codec(pieces).format(parts)).toThrow(TypeError);
  });

  it("are rejected if a repeated field has two values", () => {
    expect(() => codec([N, "-", N]).parse("1-2")).toThrow(/is not an id/);
  });
});
