import { expect, it } from "vitest";
import { BUILT_IN_PROTOCOLS } from "../../src/project/protocols.ts";
import { readRepositoryTree } from "../support/repository.ts";

const NAMES = /\b(lockup|flow)\b/i;
/** A line of a comment: examples may use a name. */
const COMMENT = /^\s*(\/\/|\/?\*|#)/;

it("src/ names built-in protocols only in their definitions and templates", () => {
  const found = Object.entries(readRepositoryTree("src")).flatMap(([path, text]) => {
    const isNamed = text.split("\n").some((line) => NAMES.test(line) && !COMMENT.test(line));
    return isNamed || NAMES.test(path) ? [path] : [];
  });
  const templates = BUILT_IN_PROTOCOLS.map((key) => `tasks/init/templates/operations/${key}.fields`);
  expect(found.sort()).toEqual(["project/protocols.ts", ...templates].sort());
});
