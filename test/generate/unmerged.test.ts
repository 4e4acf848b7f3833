import { expect, it } from "vitest";
import { SCHEMA } from "../operations/portable/schema.ts";
import { portableModules } from "./portable-modules.ts";

it("a list whose rows cannot be merged has the reason in its type and in its constant", async () => {
  const modules = await portableModules({
    entities: SCHEMA,
    operations: "query Heaviest { ships(orderBy: tonnage, orderDirection: desc, first: 5) { id } }",
  });
  const text = modules["auctions/portable.ts"] ?? "";
  expect(text).toContain('"one: select tonnage", typeof ');
  expect(text).toContain('  unmerged: "select tonnage",\n');
});
