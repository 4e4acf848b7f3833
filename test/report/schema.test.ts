import { describe, expect, it } from "vitest";
import { buildReportFiles } from "../../docs/report/build-report-files.ts";
import { json } from "../../src/report/forms/json.ts";
import { parseReport } from "../../src/report/parse-report.ts";
import { checkReport } from "../support/check-report.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { readRepositoryFile } from "../support/repository.ts";
import { PLAIN, report } from "./fixtures.ts";

describe("the schema of a report", () => {
  it.each(Object.entries(buildReportFiles()))(
    "equals the committed %s, which `npm run docs` writes",
    (path, content) => {
      expect(readRepositoryFile(path)).toBe(content);
    },
  );

  const stored: unknown = JSON.parse(json.render(report(), PLAIN));
  /** Variants of a report: each value replaced by others, each member removed, each list with a duplicate. */
  const spoilt = pathsOf(stored).flatMap((path, place) => {
    const own = path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], stored);
    const twice = Array.isArray(own) && own.length > 0 ? [[...own, own[0]]] : [];
    const values = [null, -1, 0.5, "", "<b>", [], {}, true, undefined];
    // By default two of the values per place, in turn.
    const tried = values.filter((_, at) => IS_THOROUGH || at % 5 === place % 5);
    return [...tried, ...twice].map((value) => ({ path, text: spoil(stored, path, value) }));
  });

  it("accepts the same reports as the parser, which also fills in members with defaults", () => {
    const filledIn = new Set(["derivedCoordinates", "worstDerived", "elsewhere"]);
    const different = spoilt
      .filter(({ text }) => (checkReport(JSON.parse(text)).length === 0) !== isParsed(text))
      .map(({ path, text }) => ({ path: path.join("."), isParsed: isParsed(text) }));
    expect(different.filter(({ path }) => !filledIn.has(path.split(".").at(-1) ?? ""))).toEqual([]);
    expect(different.every((variant) => variant.isParsed)).toBe(true);
    expect(spoilt.length).toBeGreaterThan(IS_THOROUGH ? 1000 : 200);
  });
});

function isParsed(text: string): boolean {
  try {
    parseReport(text, "report.json");
    return true;
  } catch {
    return false;
  }
}

function pathsOf(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    [key],
    ...pathsOf(member).map((path) => [key, ...path]),
  ]);
}

function spoil(report: unknown, path: readonly string[], value: unknown): string {
  const copy = structuredClone(report);
  let at = copy as Record<string, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
  const last = path.at(-1) ?? "";
  if (value === undefined && Array.isArray(at)) at.splice(Number(last), 1);
  else at[last] = value;
  return JSON.stringify(copy);
}
