import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { FileError } from "../../src/base/errors.ts";
import { findFormerPath, openGitTree, readAtRef } from "../../src/base/git.ts";
import { commitAll } from "../support/commit-all.ts";
import { tempProject } from "../support/temp-project.ts";

const FILE = "schema.graphql";

it("throws for a ref that git would parse as an option, and git writes no file", async () => {
  const project = tempProject({ [FILE]: "type Stream { id: ID! }\n" });
  commitAll(project, "main");
  const { root } = project;
  const ref = `--output=${root}/written`;
  await expect(readAtRef(root, ref, FILE)).rejects.toThrow(FileError);
  await expect(openGitTree(root, ref, [FILE])).rejects.toThrow(FileError);
  await expect(findFormerPath(root, ref, FILE)).rejects.toThrow(FileError);
  expect(readdirSync(root).sort()).toEqual([".git", FILE]);
});
