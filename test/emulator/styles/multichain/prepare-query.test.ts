import { describe, expect, it } from "vitest";
import { createQueryPreparer } from "../../../../emulator/styles/multichain/execute.ts";

describe("documents", () => {
  it("are parsed once, and the least recently used are evicted", () => {
    const parse = createQueryPreparer();
    const first = parse("{ first }");
    for (let index = 0; index < 255; index++) parse(`{ field${index} }`);
    expect(parse("{ first }")).toBe(first);
    const second = parse("{ field0 }");
    for (let index = 0; index < 256; index++) parse(`{ other${index} }`);
    expect(parse("{ field0 }")).not.toBe(second);
  });

  it("with a syntax error throw every time", () => {
    const parse = createQueryPreparer();
    for (let time = 0; time < 2; time++) expect(() => parse("{")).toThrow("not a valid graphql query");
  });
});
