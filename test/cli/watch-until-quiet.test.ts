import { describe, expect, it } from "vitest";
import { lookUntilQuiet } from "../../src/cli/look-until-quiet.ts";

describe("lookUntilQuiet", () => {
  it("gathers what changes until a look sees nothing", async () => {
    const looks = [["b"], ["a", "c"], [], ["d"]];
    expect(await lookUntilQuiet(async () => looks.shift() ?? [], ["a"])).toEqual(["a", "b", "c"]);
    expect(looks).toEqual([["d"]]);
  });

  it("does not wait for ever for what never ends", async () => {
    const start = performance.now();
    expect(await lookUntilQuiet(async () => ["a"], ["a"])).toEqual(["a"]);
    expect(performance.now() - start).toBeGreaterThan(900);
  });
});
