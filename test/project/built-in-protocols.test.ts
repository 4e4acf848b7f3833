import { expect, it } from "vitest";
import { readRepositoryTree } from "../support/repository.ts";

const NAMES = /\b(lockup|flow)\b/i;
/** A line of a comment, where an example needs a name. */
const COMMENT = /^\s*(\/\/|\/?\*|#)/;

it("the protocols that ship are named in their definitions, and else in comments only", () => {
  const found = Object.entries(readRepositoryTree("src")).flatMap(([path, text]) => {
    const isNamed = text.split("\n").some((line) => NAMES.test(line) && !COMMENT.test(line));
    return isNamed || NAMES.test(path) ? [path] : [];
  });
  expect(found).toEqual(["project/protocols.ts"]);
});
