import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROTOCOLS, STYLE_NAMES } from "../src/project/vocabulary.ts";
import { REPOSITORY, readRepositoryFile } from "./support/repository.ts";
import { runNode } from "./support/run-process.ts";
import { tempProject } from "./support/temp-project.ts";

/** Everything the configuration reads. */
const NEEDED = [
  "codegen.ts",
  "emulator",
  "examples/inline",
  "generated",
  "lockflow.config.ts",
  "operations",
  "package.json",
  "src",
  "tsconfig.json",
];

const WRITTEN = [
  ...PROTOCOLS.flatMap((protocol) => STYLE_NAMES.map((style) => `generated/${protocol}/${style}.ts`)),
  ...["gql", "graphql", "index"].map((name) => `examples/inline/gql/${name}.ts`),
];

describe("codegen.ts", () => {
  it("gives GraphQL Code Generator's own command the files that are committed", async () => {
    const project = tempProject();
    for (const path of NEEDED) cpSync(join(REPOSITORY, path), join(project.root, path), { recursive: true });
    symlinkSync(join(REPOSITORY, "node_modules"), join(project.root, "node_modules"));
    const others = Object.keys(project.files("generated")).filter((path) => !WRITTEN.includes(path));
    for (const path of WRITTEN) project.remove(path);

    const { code, out, err } = await runNode([codegenProgram(), "--config", "codegen.ts"], {
      cwd: project.root,
    });

    expect(code, `${out}${err}`).toBe(0);
    for (const path of WRITTEN) {
      expect(project.read(path) === readRepositoryFile(path), `${path} is as committed`).toBe(true);
    }
    expect(Object.keys(project.files("generated")).sort()).toEqual(
      [...others, ...WRITTEN.filter((path) => path.startsWith("generated/"))].sort(),
    );
  });
});

/** The file that `npx graphql-codegen` runs. */
function codegenProgram(): string {
  const folder = "node_modules/@graphql-codegen/cli";
  const { bin } = JSON.parse(readRepositoryFile(`${folder}/package.json`)) as {
    readonly bin: Readonly<Record<string, string>>;
  };
  return join(REPOSITORY, folder, bin["graphql-codegen"] ?? "");
}
