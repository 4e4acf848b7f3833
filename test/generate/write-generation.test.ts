import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { REPOSITORY } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

function project() {
  const made = tempProject({
    "lockflow.config.json": '{ "protocols": ["lockup"], "output": "src" }',
    "operations/lockup/subgraph/streams.graphql": "query Streams { streams(first: 5) { id } }\n",
  });
  cpSync(join(REPOSITORY, "generated/schemas/lockup"), join(made.root, "src/schemas/lockup"), {
    recursive: true,
  });
  return made;
}

it("error: generate does not overwrite files of the user before the first generation", async () => {
  const made = project();
  made.write("src/manifest.ts", "export const mine = 1;\n");
  const before = made.files();
  const { code, err } = await run(made.root, ["generate"]);
  expect(code).toBe(2);
  expect(err).toContain(
    "src/manifest.ts was not written by Lockflow, and would be overwritten. Nothing was written.",
  );
  expect(made.files()).toEqual(before);

  made.remove("src/manifest.ts");
  made.write("src/index.ts", "export const mine = 1;\n");
  expect(await run(made.root, ["generate"])).toMatchObject({ code: 0 });
  expect(made.read("src/index.ts")).toBe("export const mine = 1;\n");
});

it("generate rewrites edited and empty generated files", async () => {
  const made = project();
  made.write("src/manifest.ts", "\n");
  expect(await run(made.root, ["generate"])).toMatchObject({ code: 0 });
  const manifest = made.read("src/manifest.ts");
  made.write("src/manifest.ts", "export const mine = 1;\n");
  expect(await run(made.root, ["generate"])).toMatchObject({ code: 0 });
  expect(made.read("src/manifest.ts")).toBe(manifest);
});
