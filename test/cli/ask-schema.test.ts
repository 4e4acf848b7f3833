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
  it("prints the statement for the file, without a request or a file", async () => {
    const more = ["--pages", "--units", "--since-last", "--out", "exports/streams.csv", "--schema", "duckdb"];
    const { code, out, err } = await ask(["AllStreams", "--chain", "base,optimism", ...more]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain('CREATE TABLE "streams" AS\nSELECT\n  "chain",\n  "id",');
    expect(out).toContain("  'exports/streams.csv',");
    for (const line of ["'timestamp': 'BIGINT'", "'depositAmount': 'HUGEINT'", "'canceled': 'BOOLEAN'"]) {
      expect(out).toContain(`    ${line},`);
    }
    expect(out).toContain("    'depositAmount.units': 'DECIMAL(38,18)',");
  });

  it("omits the chain column for one chain, and prints a table per operation", async () => {
    const more = ["--format", "ndjson", "--out", "lake/", "--partition", "month", "--schema", "bigquery"];
    const { code, out } = await ask(["AllStreams", "ActionsFeed", "--chain", "base", ...more]);
    expect(code).toBe(0);
    expect([...out.matchAll(/^CREATE TABLE (.*) AS$/gm)].map(([, table]) => table)).toEqual([
      "`AllStreams`",
      "`ActionsFeed`",
    ]);
    expect(out).toContain('hive_partition_uri_prefix = "gs://BUCKET/lake/ActionsFeed"');
    expect(out).not.toContain("`chain`");
  });

  it.each<[args: string[], want: string]>([
    [["--schema", "duckdb"], "--schema describes a file, so it needs --out."],
    [["--schema", "duckdb", "--out", "a.parquet"], "Parquet files have their types already."],
    [["--schema", "duckdb", "--out", "a.json"], "--schema is for CSV and NDJSON, not for json."],
    [["--schema", "mysql", "--out", "a.csv"], '--schema must be duckdb, postgres or bigquery; got "mysql".'],
    [
      ["--schema", "postgres", "--out", "a/", "--format", "csv"],
      "--schema postgres loads one file, not a folder.",
    ],
  ])("is rejected: %j", async (args, want) => {
    const { code, err } = await ask(["AllStreams", "--chain", "base", "--pages", ...args]);
    expect([code, err]).toEqual([2, expect.stringContaining(want)]);
  });
});
