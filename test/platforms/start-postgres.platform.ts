import { expect, it, onTestFinished } from "vitest";
import { startPostgres } from "../../packages/graph-node/src/index.ts";

it("reports the rows that PostgreSQL rejects, and continues", async () => {
  const postgres = await startPostgres();
  onTestFinished(postgres.close);
  const client = postgres.connect("postgres");
  await client.query("CREATE TABLE ship (id text PRIMARY KEY, tons int)");
  const copy = (...lines: string[]) => client.copy("COPY ship FROM STDIN", lines);
  await expect(copy("a\t1\n", "a\t2\n")).rejects.toThrow("duplicate key value");
  await expect(copy("a\tmany\n")).rejects.toThrow("invalid input syntax for type integer");
  await expect(client.copy("COPY boat FROM STDIN", [])).rejects.toThrow('relation "boat" does not exist');
  await copy("a\t1\n");
  expect(await client.query("SELECT * FROM ship")).toEqual([{ id: "a", tons: "1" }]);
});
