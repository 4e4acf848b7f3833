import { describe, expect, it } from "vitest";
import { parseReports } from "../../../src/report/forms/index.ts";
import { catchError } from "../../support/catch-error.ts";

describe("--report", () => {
  it.each<[value: string, want: string[]]>([
    ["text", ["text → out"]],
    ["json", ["json → out"]],
    ["text,json=out.json", ["text → out", "json → out.json"]],
    ["text,github,markdown=a=b.md", ["text → out", "github → out", "markdown → a=b.md"]],
    // stdout is reserved for the JSON.
    ["text,json,github", ["text → err", "json → out", "github → err"]],
    ["json=a.json,json=b.json", ["json → a.json", "json → b.json"]],
    ["sarif=a.sarif,junit=b.xml,text", ["sarif → a.sarif", "junit → b.xml", "text → out"]],
  ])("%s", (value, want) => {
    const reports = parseReports(value).map(({ form, file, stream }) => `${form} → ${file ?? stream}`);
    expect(reports).toEqual(want);
  });

  it.each<[value: string, want: RegExp]>([
    ["", /Unknown form ""/],
    [
      "jsno=a",
      /Unknown form "jsno"[\s\S]*forms: text, json, html, github, markdown, sarif, junit[\s\S]*did you mean json/,
    ],
    ["text,", /Unknown form ""/],
    ["JSON", /Unknown form "JSON"/],
    ["constructor", /Unknown form "constructor"/],
    ["markdown=", /markdown= has no file name[\s\S]*it is empty/],
    ["json,sarif", /both json and sarif to the terminal/],
    ["text,text", /the terminal as text twice/],
    ["json=a,sarif=a", /has a twice/],
    ["json=a,html=./b/../a", /has a twice/],
  ])("error: %j", (value, want) => {
    expect(catchError(() => parseReports(value)).message).toMatch(want);
  });
});
