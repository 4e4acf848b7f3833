import { expect, it } from "vitest";
import { readRepositoryTree } from "../../support/repository.ts";

/** The files that both executors have. The other files implement features of one platform. */
const PARTS = [
  "collection.ts",
  "column-filter.ts",
  "execute.ts",
  "filter.ts",
  "index.ts",
  "messages.ts",
  "query-value.ts",
  "schema-index.ts",
  "select.ts",
];

const files = Object.keys(readRepositoryTree("emulator/styles"));
const namesIn = (folder: string) =>
  files
    .filter((path) => path.startsWith(folder) && !path.slice(folder.length).includes("/"))
    .map((path) => path.slice(folder.length));

it("the executors of both styles share exactly these file names", () => {
  const others = namesIn("subgraph/");
  expect(namesIn("multichain/").filter((name) => others.includes(name))).toEqual(PARTS);
});
