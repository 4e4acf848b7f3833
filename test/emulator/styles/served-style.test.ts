import { expect, it } from "vitest";
import { cacheQueries } from "../../../emulator/styles/served-style.ts";

it("texts are parsed once, and the least recently used are evicted", () => {
  const parse = cacheQueries((text) => ({ text }));
  const first = parse("{ first }");
  for (let index = 0; index < 255; index++) parse(`{ field${index} }`);
  expect(parse("{ first }")).toBe(first);
  const second = parse("{ field0 }");
  for (let index = 0; index < 256; index++) parse(`{ other${index} }`);
  expect(parse("{ field0 }")).not.toBe(second);
});
