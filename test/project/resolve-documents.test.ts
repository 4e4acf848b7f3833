import { expect, it } from "vitest";
import type { SurfaceId } from "../../src/dialects/surface.ts";
import type { Config } from "../../src/project/config.ts";
import { resolveProject } from "../../src/project/project.ts";
import { catchError } from "../support/catch-error.ts";

function resolve(documents: Config["documents"], config: Config = {}) {
  return resolveProject({ ...config, documents }, "/project").documents.map(({ surfaces, ...entry }) => ({
    ...entry,
    surfaces: surfaces.map(({ id }) => id),
  }));
}

const ALL: SurfaceId[] = ["lockup/multichain", "lockup/subgraph", "flow/multichain", "flow/subgraph"];
const NAMES = ["graphql", "gql"];

const entry = (files: string[], except: string[] = [], more = {}) => {
  return { files, except, names: NAMES, surfaces: ALL, ...more };
};
it.each<[name: string, documents: Config["documents"], want: object[]]>([
  ["are none by default", undefined, []],
  [
    "belong to every surface; a pattern that only excludes applies to all entries",
    ["./src/*.ts", "!**/*.test.ts", { files: ["a/*.ts", "!a/b.ts"] }],
    [entry(["src/*.ts"], ["**/*.test.ts"]), entry(["a/*.ts"], ["a/b.ts", "**/*.test.ts"])],
  ],
  [
    "belong to the protocol of their entry",
    [{ files: "a.ts", protocol: "flow", names: ["ask"] }],
    [entry(["a.ts"], [], { names: ["ask"], surfaces: ["flow/multichain", "flow/subgraph"] })],
  ],
  [
    "belong to the protocol and style of their entry",
    [{ files: "b.ts", protocol: "lockup", style: "subgraph" }],
    [entry(["b.ts"], [], { surfaces: ["lockup/subgraph"] })],
  ],
])("documents of a configuration %s", (_, documents, want) => {
  expect(resolve(documents)).toEqual(want);
});

it("documents of a configuration have no surfaces if `only` excludes all of them", () => {
  const documents = [{ files: "a.ts", style: "multichain" } as const];
  expect(resolve(documents, { only: { styles: ["subgraph"] } })).toMatchObject([{ surfaces: [] }]);
});

it.each([
  [{ protocol: "lockupp" }, '"documents.1.protocol" is "lockupp", which is not a protocol', '"lockup"'],
  [
    { protocol: "own", style: "multichain" },
    '"documents.1" has the style "multichain", but own is not deployed in it',
    '"protocols"',
  ],
])("error: documents of a configuration name %j: %s", (entry, sentence, hint) => {
  const protocols = { lockup: true, own: { styles: ["subgraph"] } } as const;
  const documents = ["*.ts", { files: "a.ts", ...entry }] as Config["documents"];
  expect(catchError(() => resolve(documents, { protocols }))).toMatchObject({
    ...{
      name: "ConfigError",
      sentence: expect.stringContaining(sentence),
      hint: expect.stringContaining(hint),
    },
  });
});
