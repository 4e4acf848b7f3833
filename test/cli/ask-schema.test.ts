import { describe, expect, it } from "vitest";
import { libraryProject } from "../support/library-project.ts";
import { run } from "../support/run.ts";

/** Runs ask in a project whose hosts do not answer. */
async function ask(args: readonly string[]) {
  const project = libraryProject("all-streams", "actions-feed");
  const before = Object.keys(project.files());
  const env = { LOCKFLOW_MULTICHAIN_URL: "http://127.0.0.1:1/{id}", LOCKFLOW_LOCKUP_ID: "a" };
  const { code, out, err } = await run(project.root, ["ask", ...args, "--protocol", "lockup"], { env });
  expect(Object.keys(project.files())).toEqual(before);
  return { code, out, err };
}

describe("--schema", () => {
  it("prints the statement for a file, without a request or a file", async () => {
    const more = ["--pages", "--units", "--out", "exports/streams.csv", "--schema", "duckdb"];
    const { code, out, err } = await ask(["AllStreams", "--chain", "base,optimism", ...more]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain('CREATE TABLE "streams" AS\nSELECT\n  "chain" AS "chain",\n  "id" AS "id",');
    expect(out).toContain("FROM read_csv('exports/streams.csv',");
    expect(out).toContain('AS "depositAmount.units_text",');
  });

  it("prints a view per operation for a folder", async () => {
    const more = ["--since-last", "--out", "lake/", "--schema", "duckdb"];
    const { code, out } = await ask(["AllStreams", "ActionsFeed", "--chain", "base", ...more]);
    expect(code).toBe(0);
    expect([...out.matchAll(/VIEW (\w+) AS|read_parquet\('([^']*)'/g)].map(([, a, b]) => a ?? b)).toEqual([
      ...["all_streams", "lake/AllStreams/part-*.parquet"],
      ...["actions_feed", "lake/ActionsFeed/part-*.parquet"],
    ]);
    expect(out).toContain('SELECT\n  "chain",\n  "id",');
  });

  it.each<[args: string[], want: string]>([
    [["--schema", "duckdb"], "--schema describes a file or folder, so it needs --out."],
    [["--schema", "duckdb", "--out", "a.parquet"], "Parquet files have their types already."],
    [
      ["--schema", "duckdb", "--out", "a.json"],
      "--schema is for folders, and CSV and NDJSON files, not for json.",
    ],
    [["--schema", "mysql", "--out", "a.csv"], '--schema must be duckdb; got "mysql".'],
    [["--schema", "postgres", "--out", "a.csv"], "Hint: print the view of a folder with --schema duckdb"],
    [["--schema", "bigquery", "--out", "a/"], "Spark, Trino and BigQuery run it over an external table"],
  ])("is rejected: %j", async (args, want) => {
    const { code, err } = await ask(["AllStreams", "--chain", "base", "--pages", ...args]);
    expect([code, err]).toEqual([2, expect.stringContaining(want)]);
  });
});
