import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { detectRepository } from "../../../src/tasks/init/detect-repository.ts";
import { planEslint } from "../../../src/tasks/init/plan-eslint.ts";
import { tempProject } from "../../support/temp-project.ts";

const PACKAGE = { "package.json": "{}" };

/** A place where the glob of the folder is added. */
const NEXT = `export default defineConfig([
  ...nextVitals,
  globalIgnores([¦
    // Default ignores:
    ".next/**",
  ]),
]);
`;

it.each<[name: string, marked: string, added: string]>([
  ["a list with lines", NEXT, '\n    "generated/**",'],
  ["line ends of Windows", NEXT.replaceAll("\n", "\r\n"), '\r\n    "generated/**",'],
  ["a list on one line", "export default [globalIgnores([¦'dist'])];", "'generated/**', "],
  ["an empty list", "export default [globalIgnores([¦])];", '"generated/**"'],
  ["an empty list with lines", "x(globalIgnores([¦\n]))", '"generated/**"'],
  ["a call below a comment", "// globalIgnores([])\nx(globalIgnores([¦]))", '"generated/**"'],
])("planEslint adds the folder to %s", async (_, marked, added) => {
  const text = marked.replace("¦", "");
  const { edited, advice } = await plan({ "eslint.config.mjs": text });
  expect(edited).toEqual({
    kind: "add",
    path: "eslint.config.mjs",
    content: marked.replace("¦", added),
    rows: ['"generated/**"'],
  });
  expect(advice).toBeNull();
});

it.each([
  ["a configuration without the list", "export default tseslint.config(tseslint.configs.strict);"],
  ["a list that is not a literal", "export default [globalIgnores(ignored)];"],
  ["a list in a comment", "// globalIgnores([])\nexport default [];"],
  ["a list in a text", "const text = 'globalIgnores([';\nexport default [];"],
])("planEslint advises a line for %s", async (_, text) => {
  expect(await plan({ "eslint.config.ts": text })).toEqual({
    edited: null,
    advice: { path: "eslint.config.ts", line: '{ ignores: ["generated/**"] },' },
  });
});

it.each(["generated", "generated/", "./generated/**", "**/generated/**/*"])(
  "planEslint plans nothing if %s is ignored",
  async (glob) => {
    const text = `export default [{ ignores: ['${glob}'] }, globalIgnores([])];`;
    expect(await plan({ "eslint.config.js": text })).toEqual({ edited: null, advice: null });
  },
);

it("planEslint plans nothing without a flat configuration", async () => {
  expect(await plan({ ".eslintrc.json": "{}" })).toEqual({ edited: null, advice: null });
});

it("planEslint writes globs from the folder of the configuration", async () => {
  const text = "export default [globalIgnores([])];";
  const files = { ".git/HEAD": "", "eslint.config.js": text, "packages/a/package.json": "{}" };
  const { edited } = await plan(files, "packages/a");
  expect(edited?.content).toBe('export default [globalIgnores(["packages/a/generated/**"])];');
  const { edited: nearest } = await plan({ ...files, "packages/a/eslint.config.cjs": text }, "packages/a");
  expect(nearest).toMatchObject({ path: "packages/a/eslint.config.cjs", rows: ['"generated/**"'] });
});

it("planEslint does not edit a link", async () => {
  const project = tempProject({ ...PACKAGE, "shared.js": "export default [globalIgnores([])];" });
  symlinkSync("shared.js", join(project.root, "eslint.config.js"));
  expect(await planIn(project.root)).toMatchObject({ edited: null, advice: { path: "eslint.config.js" } });
});

function plan(files: Readonly<Record<string, string>>, path = "") {
  return planIn(join(tempProject({ ...PACKAGE, ...files }).root, path));
}

async function planIn(folder: string) {
  return planEslint(await detectRepository(folder, undefined), { output: "generated" });
}
