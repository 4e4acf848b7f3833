import { expect, it } from "vitest";
import { compareSchemas } from "../../src/compare/compare-schemas.ts";
import { findApiNames, renameApi } from "../../src/compare/rename-api.ts";
import { styles } from "../../src/dialects/index.ts";
import { STYLE_NAMES } from "../../src/dialects/surface.ts";
import { invertNames } from "../../src/operations/rename-document.ts";
import { apiOf, mergeRenames, oldApi, renamedModel } from "../support/merged-indexer.ts";

const CASES = STYLE_NAMES.flatMap((style) =>
  (["Lockup", "Flow"] as const).map((family) => [style, family] as const),
);

it.each(CASES)("renameApi gives the API that %s derives of the renamed entities of %s", (style, family) => {
  const before = oldApi(family === "Lockup" ? "lockup" : "flow", style);
  const names = findApiNames(before, mergeRenames(family, style), styles[style]);
  const renamed = renameApi(before, names);
  const changes = compareSchemas(renamed, apiOf(style, renamedModel(family, style)));
  expect(changes.filter(({ kind }) => kind !== "description-changed")).toEqual([]);
  expect(renameApi(renamed, invertNames(names))).toEqual(before);
});
