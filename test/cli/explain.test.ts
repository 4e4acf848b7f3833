import { describe, expect, it } from "vitest";
import { renderExplanation } from "../../src/report/explanations.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

describe("explain", () => {
  it("prints the explanation of a code, without a project", async () => {
    const project = tempProject();
    const out = `${renderExplanation("drift/field-removed")}\n`;
    expect(await run(project.root, ["explain", "drift/field-removed"])).toEqual({ code: 0, out, err: "" });
    expect(project.files()).toEqual({});
  });

  it.each<[name: string, args: string[], want: RegExp]>([
    ["a typo", ["drift/field-removd"], /No finding has the code[\s\S]*"drift\/field-removed"/],
    ["an unknown code", ["moon"], /No finding has the code "moon"[\s\S]*in brackets/],
    ["an inherited name", ["constructor"], /No finding has the code "constructor"/],
    ["control characters", ["a\u001b[2Jb"], /No finding has the code "a \[2Jb"/],
    ["no code", [], /needs a code: <code>/],
    ["two codes", ["parity/scalar", "parity/renamed"], /does not take "parity\/renamed"/],
  ])("error: %s", async (_, args, want) => {
    const { code, out, err } = await run(tempProject().root, ["explain", ...args]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(want);
  });
});
