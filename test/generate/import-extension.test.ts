import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { Config } from "../../src/project/config.ts";
import { resolveProject } from "../../src/project/project.ts";
import { generatedProject } from "../support/generated-project.ts";
import { run } from "../support/run.ts";
import { filesIn, WITH_CHAIN } from "./generate-in.ts";

/** A project with a portable operation whose filter needs the client's code. */
function portableProject() {
  const text = "query Recent($where: Stream_filter) { streams(where: $where, first: 5) { id } }";
  return generatedProject({ "portable/recent.graphql": text }, WITH_CHAIN);
}

/** Returns the generated modules by path. */
async function modulesWith(config: Config): Promise<[path: string, text: string][]> {
  const files = Object.entries(await filesIn(portableProject(), config));
  return files.filter(([path]) => path.endsWith(".ts"));
}

it.each(["", ".js", ".ts"] as const)(
  "generated modules import each other with %j",
  async (importExtension) => {
    const modules = await modulesWith({ importExtension });
    const imports = modules.flatMap(([path, text]) =>
      [...text.matchAll(/^(?:import|export \*|\} from) .*"(\..*)";$/gm)].map(([, from = ""]) => ({
        path,
        from,
      })),
    );
    const importing = new Set(imports.map(({ path }) => path));
    const paths = modules.map(([path]) => path);
    expect(paths.filter((path) => !importing.has(path))).toEqual(["routes.ts"]);
    for (const { path, from } of imports) {
      expect(from.endsWith(importExtension), `${path} ${from}`).toBe(true);
      const name = from.slice(0, from.length - importExtension.length);
      expect(paths).toContain(join(dirname(path), `${name}.ts`));
    }
  },
);

it("another import extension makes generated files stale", async () => {
  const project = portableProject();
  project.write("node_modules/.keep", "");
  expect(await run(project.root, ["generate"])).toMatchObject({ code: 0 });
  project.write("lockflow.config.json", '{ "protocols": ["lockup"], "importExtension": "" }');
  expect((await run(project.root, ["check"])).out).toContain("generated/client.ts");
});

it("error: the import extension .ts with the format js", () => {
  expect(() => resolveProject({ format: "js", importExtension: ".ts" }, "/project")).toThrow(
    '"importExtension" is ".ts", but "format" is "js".',
  );
});

it("every module begins with comments that disable linters and formatters", async () => {
  const modules = await modulesWith({});
  expect(modules.length).toBeGreaterThan(5);
  for (const [path, text] of modules) {
    expect([path, ...text.split("\n").slice(0, 2)]).toEqual([
      path,
      "/* eslint-disable */",
      "// biome-ignore-all lint format assist: generated",
    ]);
    expect(text).not.toMatch(/@ts-(ignore|expect-error|nocheck)/);
  }
});
