import { describe, expect, it } from "vitest";
import { styles } from "../../src/dialects/index.ts";
import { STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import { readRepositoryTree } from "../support/repository.ts";

/** Files that only one dialect has, for its own kinds of tables or types. */
const OWN: Readonly<Record<StyleName, readonly string[]>> = {
  multichain: [
    ...["aggregates.ts", "entity-rules.ts", "retyped-fields.ts", "table-origins.ts", "table-types.ts"],
    "tables.ts",
    "read-query.ts",
  ],
  subgraph: ["entity-types.ts", "write-query.ts"],
};

/** Returns the files of a style that the other one needs too; only one style has each folder. */
function filesOf(style: StyleName): string[] {
  const files = Object.keys(readRepositoryTree(`src/dialects/${style}`));
  return files.filter((path) => !path.includes("/") && !OWN[style].includes(path));
}

describe("the styles", () => {
  it.each(STYLE_NAMES)("have files with the same names: %s", (name) => {
    const files = filesOf("subgraph");
    expect(filesOf(name)).toEqual(files);
    expect(styles[name].platform.releases).toContain(styles[name].platform.defaultRelease);
  });
});
