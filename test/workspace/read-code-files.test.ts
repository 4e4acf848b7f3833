import { expect, it } from "vitest";
import { resolveProject } from "../../src/project/project.ts";
import { readCodeFiles } from "../../src/workspace/read-code.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { tempProject } from "../support/temp-project.ts";

async function read(files: Readonly<Record<string, string>>): Promise<string[]> {
  const { root } = tempProject(files);
  const { files: kept } = readCodeFiles(openWorkspace(resolveProject({ documents: ["src/**"] }, root)));
  return kept.map(({ path }) => path);
}

it("readCodeFiles returns no files if none contains a document", async () => {
  const files = Array.from({ length: 1_000 }, (_, index): [string, string] => [
    `src/${index % 30}/f${index}.ts`,
    'import { request } from "graphql-request";\n// The graphql client.\nexport * from "./x.js";\n',
  ]);
  expect(await read(Object.fromEntries(files))).toEqual([]);
});

it("readCodeFiles returns only files that use a document tag", async () => {
  expect(
    await read({
      "src/a.ts": "graphql (`{ a }`)",
      "src/b.ts": "const x = $gql`{ a }`, mygraphql = ygraphql`{ a }`;",
      "src/c.ts": 'export { A } from "./a.js";',
      "src/d.ts": 'import { gql as ask } from "urql";',
      "src/e.ts": "gql<A, B>`{ a }`",
      "src/f.ts": "export default A;",
      "src/g.ts": "export const g = 1;",
    }),
  ).toEqual(["src/a.ts", "src/d.ts", "src/e.ts"]);
});
