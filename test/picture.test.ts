import { describe, expect, it } from "vitest";
import { drawRooms, findRooms, replaceDrawing } from "../docs/picture/draw-rooms.ts";
import { playSession } from "../docs/picture/play-session.ts";
import { renderTerminal } from "../docs/picture/render-terminal.ts";
import { readRepositoryFile } from "./support/repository.ts";
import { readImports } from "./support/source-facts.ts";

it("the picture in the README shows what the command prints now", async () => {
  // `npm run picture` makes it again.
  expect(readRepositoryFile("docs/picture/drift.svg")).toBe(renderTerminal("lockflow", await playSession()));
});

it("a line that is longer than the picture is wide goes on below, indented, with all of its words", () => {
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

describe("the picture of the rooms", () => {
  it("shows the imports as they are now", () => {
    // `npm run picture` makes it again.
    const drawing = drawRooms(findRooms(readImports()));
    expect(readRepositoryFile("ARCHITECTURE.md")).toContain(`\n\`\`\`mermaid\n${drawing}\`\`\`\n`);
  });

  it("takes the place of the one that is there, and of nothing else", () => {
    expect(replaceDrawing("a\n```mermaid\nold\n```\nb\n```text\nc\n```\n", "new\n")).toBe(
      "a\n```mermaid\nnew\n```\nb\n```text\nc\n```\n",
    );
  });

  it("leaves out what a longer way leads to, and files that lie in no room", () => {
    const rooms = findRooms(
      new Map([
        ["src/cli/a.ts", ["src/cli/b.ts", "src/drift/c.ts", "src/base/d.ts"]],
        ["src/drift/c.ts", ["src/base/d.ts", "src/entry.ts"]],
        ["src/base/d.ts", []],
        ["emulator/styles/one/e.ts", ["src/styles/f.ts"]],
      ]),
    );
    expect(drawRooms(rooms).split("\n").slice(2)).toEqual([
      "    emulator_styles[styles]",
      "  end",
      "  cli --> drift",
      "  drift --> base",
      "  emulator_styles[styles] --> styles",
      "",
    ]);
  });

  it("refuses rooms that need each other", () => {
    const ring = new Map([
      ["src/a/a.ts", ["src/b/b.ts"]],
      ["src/b/b.ts", ["src/a/a.ts"]],
    ]);
    expect(() => drawRooms(findRooms(ring))).toThrow("These rooms need each other: a, b.");
  });
});
