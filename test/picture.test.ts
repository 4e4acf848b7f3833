import { expect, it } from "vitest";
import { playSession } from "../docs/picture/play-session.ts";
import { renderTerminal } from "../docs/picture/render-terminal.ts";
import { IS_THOROUGH } from "./support/is-thorough.ts";
import { readRepositoryFile } from "./support/repository.ts";

it.runIf(IS_THOROUGH)("the picture in the README shows the current output of the command", async () => {
  // `npm run picture` generates it.
  expect(readRepositoryFile("docs/picture/drift.svg")).toBe(renderTerminal("lockflow", await playSession()));
});

it("renderTerminal wraps and indents a line that is longer than the picture, and keeps all words", () => {
  const words = Array.from({ length: 30 }, (_, index) => `<word-${index}>`);
  const svg = renderTerminal("a", [
    { command: "b", output: [`  ${words.join(" ")}`, ` ${"x".repeat(200)}`] },
  ]);
  const rows = [...svg.matchAll(/<text class="line"[^>]*>([^<]*)</g)].map(([, text]) => text ?? "");
  const [first, ...more] = rows.filter((row) => row.includes("word"));
  expect(first).toMatch(/^ {2}&lt;word-0/);
  expect(more.length).toBeGreaterThan(1);
  for (const row of more) expect(row).toMatch(/^ {6}&lt;/);
  expect(
    [first, ...more].join(" ").replaceAll("&lt;", "<").replaceAll("&gt;", ">").trim().split(/ +/),
  ).toEqual(words);
  expect(rows.join("").replaceAll(/[^x]/g, "")).toHaveLength(200);
});
