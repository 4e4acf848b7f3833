import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { generatedProject } from "../support/generated-project.ts";
import { SMALL_ENTITIES } from "../support/indexer-answers.ts";
import { run } from "../support/run.ts";
import type { TempProject } from "../support/temp-project.ts";

/** A project with a portable operation whose filter needs the client's code. */
function portableProject(config: object = {}): TempProject {
  const entities = SMALL_ENTITIES.replace("alias: String!", "alias: String! chainId: BigInt!");
  const project = generatedProject(
    {
      "portable/recent.graphql":
        "query Recent($where: Stream_filter) { streams(where: $where, first: 5) { id } }",
    },
    entities,
  );
  project.write("lockflow.config.json", JSON.stringify({ protocols: ["lockup"], ...config }));
  return project;
}

it.each(["", ".js", ".ts"])("generated modules import each other with %j", async (importExtension) => {
  const project = portableProject({ importExtension });
  expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
  const imported = Object.keys(project.files("generated"))
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) => {
      const text = readFileSync(join(project.root, path), "utf8");
      return [...text.matchAll(/^(?:import|export \*|\} from) .*"(\..*)";$/gm)].map(([, from = ""]) => ({
        path,
        from,
      }));
    });
  expect(new Set(imported.map(({ path }) => path))).toEqual(
    new Set([
      "generated/client.ts",
      "generated/manifest.ts",
      "generated/proxied.ts",
      "generated/proxy.ts",
      "generated/lockup/portable.ts",
      "generated/lockup/multichain.documents.ts",
      "generated/lockup/proxied.ts",
      "generated/lockup/multichain.strings.ts",
      "generated/lockup/multichain.ts",
      "generated/lockup/subgraph.documents.ts",
      "generated/lockup/subgraph.strings.ts",
      "generated/lockup/subgraph.ts",
      "generated/lockup/testing.ts",
    ]),
  );
  for (const { path, from } of imported) {
    expect(from.endsWith(importExtension)).toBe(true);
    const name = from.slice(0, from.length - importExtension.length);
    expect([path, from, existsSync(join(project.root, dirname(path), `${name}.ts`))]).toEqual([
      path,
      from,
      true,
    ]);
  }
  expect((await run(project.root, ["check"])).out).not.toContain("generated/stale");
});

it("another import extension makes generated files stale", async () => {
  const project = portableProject();
  project.write("node_modules/.keep", "");
  expect(await run(project.root, ["generate"])).toMatchObject({ code: 0 });
  project.write("lockflow.config.json", '{ "protocols": ["lockup"], "importExtension": "" }');
  expect((await run(project.root, ["check"])).out).toContain("generated/client.ts");
});

it("error: the import extension .ts with the format js", async () => {
  const project = portableProject({ format: "js", importExtension: ".ts" });
  expect(await run(project.root, ["generate"])).toMatchObject({
    code: 2,
    err: expect.stringContaining('"importExtension" is ".ts", but "format" is "js".'),
  });
});

it("every module begins with comments that disable linters and formatters", async () => {
  const project = portableProject();
  expect(await run(project.root, ["generate"])).toMatchObject({ code: 0 });
  const modules = Object.entries(project.files("generated")).filter(([path]) => path.endsWith(".ts"));
  expect(modules.length).toBeGreaterThan(5);
  for (const [path, text] of modules) {
    expect([path, text.split("\n").slice(0, 2)]).toEqual([
      path,
      ["/* eslint-disable */", "// biome-ignore-all lint format assist: generated"],
    ]);
    expect(text).not.toMatch(/@ts-(ignore|expect-error|nocheck)/);
  }
});
