import { describe, expect, it } from "vitest";
import { chooseChains } from "../../src/ask/choose-chains.ts";
import type { LockflowError } from "../../src/base/errors.ts";
import { STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import { resolveProject } from "../../src/project/project.ts";
import { catchError } from "../support/catch-error.ts";

const PROJECT = resolveProject(
  { chains: { scroll: { status: "retired", since: "2026-01", reason: "it is unused" } } },
  "/",
);

const choose = (names: readonly string[], styles: readonly StyleName[] = STYLE_NAMES) =>
  chooseChains(PROJECT, names, { protocol: "lockup", styles });

describe("chains by their names", () => {
  it.each<[names: string[], keys: string[], isOne: boolean]>([
    [["base"], ["base"], true],
    [["8453"], ["base"], true],
    [["Base", "8453"], ["base"], true],
    [["optimism,base", "1"], ["optimism", "base", "ethereum"], false],
    [[" base , 10 "], ["base", "optimism"], false],
  ])("%j", (names, keys, isOne) => {
    expect(choose(names)).toEqual({ keys, isOne });
  });

  it("are all served chains, or only the mainnets", () => {
    const all = choose(["all"]).keys;
    const mainnets = choose(["mainnets"]).keys;
    expect(all).toHaveLength(PROJECT.chains.length - 1);
    expect(all).not.toContain("scroll");
    expect(all.filter((key) => !mainnets.includes(key)).sort()).toEqual(
      PROJECT.chains.flatMap(({ key, testnet }) => (testnet ? [key] : [])).sort(),
    );
    expect(choose(["sepolia", "mainnets", "base"]).keys).toEqual(["sepolia", ...mainnets]);
  });

  it("are those of the requested style", () => {
    const both = choose(["all"]).keys;
    const multichain = choose(["all"], ["multichain"]).keys;
    expect(multichain.length).toBeLessThan(both.length);
    expect(multichain).not.toContain("blast");
  });

  it("have isOne: false for all, even with one chain", () => {
    const one = resolveProject({ only: { chains: ["base"] } }, "/");
    expect(chooseChains(one, ["all"], { protocol: "lockup", styles: STYLE_NAMES })).toEqual({
      keys: ["base"],
      isOne: false,
    });
  });

  it.each<[names: string[], styles: readonly StyleName[], want: string]>([
    [[], STYLE_NAMES, "`lockflow ask` needs a chain: --chain <key|id|all|mainnets>."],
    [[""], STYLE_NAMES, "`lockflow ask` needs a chain"],
    [["base,"], STYLE_NAMES, "`lockflow ask` needs a chain"],
    [["bsae"], STYLE_NAMES, 'Unknown chain "bsae".\nHint: did you mean "base"?'],
    [["mainets"], STYLE_NAMES, 'Unknown chain "mainets".\nHint: did you mean "mainnets"?'],
    [["12345"], STYLE_NAMES, 'Unknown chain "12345".\nHint: it is served on '],
    [["\u001b[31m"], STYLE_NAMES, 'Unknown chain "[31m".'],
    [["blast"], ["multichain"], "lockup is not served on blast in multichain style."],
    [["scroll"], ["subgraph"], "on scroll in subgraph style any more (retired in 2026-01: it is unused)."],
  ])("are rejected: %j", (names, styles, want) => {
    expect((catchError(() => choose(names, styles)) as LockflowError).message).toContain(want);
  });
});
