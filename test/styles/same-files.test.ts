import { describe, expect, it } from "vitest";
import { STYLE_NAMES } from "../../src/project/vocabulary.ts";
import { styles } from "../../src/styles/index.ts";
import { readRepositoryTree } from "../support/repository.ts";

/** The files in the folder of a style itself; folders beside them hold what only one dialect has. */
function filesOf(style: string): string[] {
  return Object.keys(readRepositoryTree(`src/styles/${style}`)).filter((path) => !path.includes("/"));
}

describe("the styles", () => {
  it.each(STYLE_NAMES)("have files of the same names, each for one thing: %s", (name) => {
    expect(filesOf(name)).toEqual(filesOf("subgraph"));
    expect(filesOf(name)).toEqual([
      "capabilities.ts",
      "derive.ts",
      "find-breakage.ts",
      "index.ts",
      "list-rows.ts",
      "pitfalls.ts",
      "platform-features.ts",
      "portable.ts",
      "probe.ts",
      "provenance.ts",
      "read-paged-list.ts",
      "read.ts",
      "recognize.ts",
      "release.ts",
      "rename-derived.ts",
      "scalars.ts",
      "text-order.ts",
    ]);
  });

  it.each(STYLE_NAMES)("have a file for each member: %s", (name) => {
    const files = filesOf(name);
    const { name: _, platform, ...members } = styles[name];
    for (const member of Object.keys(members)) {
      expect(files).toContain(`${member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`);
    }
    expect(platform.releases).toContain(platform.defaultRelease);
  });
});
