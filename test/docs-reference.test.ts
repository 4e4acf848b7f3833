import { describe, expect, it } from "vitest";
import { buildReference } from "../docs/api/build-reference.ts";
import { parseTsdoc } from "../docs/api/parse-tsdoc.ts";
import { buildDataPage } from "../docs/data/build-data-page.ts";
import { REPOSITORY, readRepositoryFile, readRepositoryTree } from "./support/repository.ts";

describe("the reference", () => {
  const pages = buildReference(REPOSITORY);

  it("equals the output of `npm run docs`", () => {
    const written = Object.entries(readRepositoryTree("docs/api")).filter(([path]) => path.endsWith(".md"));
    expect(Object.fromEntries(written)).toEqual(pages);
  });

  it("lists the data of the current snapshots", async () => {
    const [[path = "", page] = []] = Object.entries(await buildDataPage(REPOSITORY));
    expect(readRepositoryFile(path)).toBe(page);
  });

  it("has a sentence about every export and member", () => {
    const silent = Object.entries(pages).flatMap(([file, text]) =>
      text
        .split("\n")
        // The sentence above a fault describes its kind.
        .filter((line) => !line.startsWith("| `kind` | `"))
        .filter((line, index, lines) => /^\| .*\|\s*\|$/.test(line) && !lines[index + 1]?.startsWith("| ---"))
        .map((line) => `${file} ${line}`),
    );
    expect(silent).toEqual([]);
    const bare = Object.entries(pages).flatMap(([file, text]) =>
      [...text.matchAll(/^##+ (.+)\n\n(?=\W|Everything of|Returns `)/gm)].map(
        ([, name]) => `${file} ${name}`,
      ),
    );
    expect(bare).toEqual([]);
  });
});

describe("the comment of a declaration", () => {
  it("is parsed into its parts", () => {
    const comment = [
      'One sentence of `a@b.example`. @default ["a"]',
      "@param name what it is,",
      "  in two lines",
      "@returns a value.",
      "@throws ConfigError for this.",
      "@throws RangeError",
      "@example",
      "```ts",
      'import "@default/param";',
      "```",
    ];
    expect(parseTsdoc(comment.join("\n"))).toEqual({
      text: "One sentence of `a@b.example`.",
      defaultValue: '["a"]',
      parameters: new Map([["name", "what it is,\n  in two lines"]]),
      returns: "a value.",
      throws: ["ConfigError for this.", "RangeError"],
      examples: ['```ts\nimport "@default/param";\n```'],
    });
  });
});
