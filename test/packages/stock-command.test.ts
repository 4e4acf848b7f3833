import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { STYLE_NAMES } from "../../src/dialects/surface.ts";
import { BUILT_IN_PROTOCOLS } from "../../src/project/protocols.ts";
import { builtProgram } from "../support/built-program.ts";
import { copyFromRepository, REPOSITORY, readRepositoryFile } from "../support/repository.ts";
import { runNode } from "../support/run-process.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

/** Everything that the configuration reads, apart from the program. */
const NEEDED = ["examples/inline", "generated", "lockflow.config.ts", "operations"];

const WRITTEN = [
  ...BUILT_IN_PROTOCOLS.flatMap((protocol) =>
    STYLE_NAMES.map((style) => `generated/${protocol}/${style}.ts`),
  ),
  ...["gql", "graphql", "index"].map((name) => `examples/inline/gql/${name}.ts`),
];

// `npm test` reads the files from the configuration itself.
describe("codegen.ts", () => {
  it("generates the committed files with the command of GraphQL Code Generator", async () => {
    const project = withModules();
    copyFromRepository(project.root, ...NEEDED);
    // Users import it like this; the sources would have to be compiled first.
    const config = readRepositoryFile("codegen.ts").replace('"./src/codegen.ts"', '"lockflow/codegen"');
    project.write("codegen.ts", config);
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

  it.each(["ts", "js"])(
    "generates the same files as `lockflow generate` for a custom protocol: .%s",
    async (format) => {
      const project = withModules();
      cpSync(join(REPOSITORY, "examples/own-protocol"), project.root, { recursive: true });
      const config = project.read("lockflow.config.ts");
      project.write(
        "lockflow.config.ts",
        config.replace("defineConfig({", `defineConfig({ format: "${format}",`),
      );
      project.write(
        "codegen.ts",
        'import { codegenTargets } from "lockflow/codegen";\nexport default { generates: codegenTargets() };\n',
      );
      const cwd = project.root;
      const synced = await runNode([builtProgram(), "sync"], { cwd });
      expect(synced.code, `${synced.out}${synced.err}`).toBe(0);
      const generated = project.files("generated");
      project.remove("generated/auctions");
      const { code, out, err } = await runNode([codegenProgram(), "--config", "codegen.ts"], { cwd });
      expect(code, `${out}${err}`).toBe(0);
      expect(project.files("generated")).toEqual(generated);
    },
  );
});

/** A project with the published program and all packages that this repository has installed. */
function withModules(): TempProject {
  const project = tempProject({ "package.json": '{ "type": "module" }' });
  const installed = join(REPOSITORY, "node_modules");
  mkdirSync(join(project.root, "node_modules"));
  for (const name of readdirSync(installed)) {
    symlinkSync(join(installed, name), join(project.root, "node_modules", name));
  }
  symlinkSync(join(builtProgram(), "../.."), join(project.root, "node_modules/lockflow"));
  return project;
}

/** The file that `npx graphql-codegen` runs. */
function codegenProgram(): string {
  const folder = "node_modules/@graphql-codegen/cli";
  const { bin } = JSON.parse(readRepositoryFile(`${folder}/package.json`)) as {
    readonly bin: Readonly<Record<string, string>>;
  };
  return join(REPOSITORY, folder, bin["graphql-codegen"] ?? "");
}
