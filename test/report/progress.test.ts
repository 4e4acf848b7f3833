import { describe, expect, it } from "vitest";
import { createProgress } from "../../src/report/terminal.ts";

function record(isTerminal: boolean, total: number): string[] {
  const written: string[] = [];
  const progress = createProgress({
    total,
    what: "deployments",
    write: (text) => written.push(text),
    isTerminal,
  });
  for (let index = 0; index < total; index++) progress.advance(`deployment-${index}`);
  progress.finish();
  return written;
}

describe("progress", () => {
  it("writes a line to a log for every tenth and for the last", () => {
    expect(record(false, 54).map((line) => line.trim())).toEqual(
      [6, 12, 18, 24, 30, 36, 42, 48, 54].map((done) => `${done}/54 deployments`),
    );
    expect(record(false, 3)).toEqual(["1/3 deployments\n", "2/3 deployments\n", "3/3 deployments\n"]);
  });

  it("redraws one bar on a terminal and clears it at the end", () => {
    const written = record(true, 4);
    expect(written[2]).toBe(`\r\u001b[2K${"█".repeat(14)}${"░".repeat(14)} 2/4 deployments  deployment-1`);
    expect(written.at(-1)).toBe("\r\u001b[2K");
    expect(written.join("")).not.toContain("\n");
  });
});
