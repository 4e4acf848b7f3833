import { expect, it } from "vitest";
import { readRepositoryTree } from "../../support/repository.ts";

/** What the executors of both styles are made of. The rest of each is for what only its platform does. */
const PARTS = [
  "coerce.ts",
  "collection.ts",
  "column-filter.ts",
  "filter.ts",
  "introspect.ts",
  "like.ts",
  "messages.ts",
  "order.ts",
  "parse-query.ts",
  "prepare-query.ts",
  "query-error.ts",
  "query-value.ts",
  "schema-index.ts",
  "select.ts",
  "sort-rows.ts",
];

const files = Object.keys(readRepositoryTree("emulator/styles"));
const namesIn = (folder: string) =>
  files
    .filter((path) => path.startsWith(folder) && !path.slice(folder.length).includes("/"))
    .map((path) => path.slice(folder.length));

it("gives what both styles do the same file name", () => {
  expect(namesIn("multichain/")).toEqual(namesIn("subgraph/"));
  const others = namesIn("subgraph/execute/");
  expect(namesIn("multichain/execute/").filter((name) => others.includes(name))).toEqual(PARTS);
});
