import { describe, expect, it } from "vitest";
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

describe("documents of a configuration", () => {
  it.each<[name: string, documents: Config["documents"], want: ReturnType<typeof resolve>]>([
    ["are none by default", undefined, []],
    [
      "belong to every surface; a pattern that only excludes applies to all entries",
      ["./src/*.ts", "!**/*.test.ts", { files: ["a/*.ts", "!a/b.ts"] }],
      [
        { files: ["src/*.ts"], except: ["**/*.test.ts"], names: NAMES, surfaces: ALL },
        { files: ["a/*.ts"], except: ["a/b.ts", "**/*.test.ts"], names: NAMES, surfaces: ALL },
      ],
    ],
    [
      "belong to the protocol and style of their entry",
      [
        { files: "a.ts", protocol: "flow", names: ["ask"] },
        { files: "b.ts", protocol: "lockup", style: "subgraph" },
      ],
      [
        { files: ["a.ts"], except: [], names: ["ask"], surfaces: ["flow/multichain", "flow/subgraph"] },
        { files: ["b.ts"], except: [], names: NAMES, surfaces: ["lockup/subgraph"] },
      ],
    ],
  ])("%s", (_, documents, want) => {
    expect(resolve(documents)).toEqual(want);
  });

  it("have no surfaces if `only` excludes all of them", () => {
    const documents = [{ files: "a.ts", style: "multichain" } as const];
    expect(resolve(documents, { only: { styles: ["subgraph"] } })).toMatchObject([{ surfaces: [] }]);
  });

  it.each<[name: string, entry: object, sentence: RegExp, hint: RegExp]>([
    [
      "an unknown protocol",
      { protocol: "lockupp" },
      /"documents.1.protocol" is "lockupp", which is not a protocol/,
      /"lockup"/,
    ],
    [
      "a style without deployments",
      { protocol: "own", style: "multichain" },
      /"documents.1" has the style "multichain", but own is not deployed in it/,
      /"protocols"/,
    ],
  ])("error: name %s", (_, entry, sentence, hint) => {
    const protocols = { lockup: true, own: { styles: ["subgraph"] } } as const;
    const documents = ["*.ts", { files: "a.ts", ...entry }];
    expect(catchError(() => resolve(documents, { protocols }))).toMatchObject({
      name: "ConfigError",
      sentence: expect.stringMatching(sentence),
      hint: expect.stringMatching(hint),
    });
  });
});
