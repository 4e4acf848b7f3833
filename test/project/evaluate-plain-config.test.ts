import { describe, expect, it } from "vitest";
import { evaluatePlainConfig } from "../../src/project/evaluate-plain-config.ts";

const FILE = "/project/lockflow.config.ts";
const IMPORT = 'import { defineConfig } from "lockflow";\n';

describe("evaluatePlainConfig evaluates plain JavaScript", () => {
  const plain: readonly (readonly [name: string, text: string])[] = [
    ["with defineConfig", `${IMPORT}export default defineConfig({ protocols: ["lockup"] });\n`],
    ["without an import", 'export default { protocols: ["lockup"] };'],
    [
      "with single quotes",
      "import {defineConfig} from 'lockflow'\nexport default defineConfig({ protocols: ['lockup'] })",
    ],
    [
      "with both functions",
      'import { defineConfig, defineProtocol } from "lockflow";\nconst { key } = defineProtocol({ key: "lockup" });\nexport default defineConfig({ protocols: [key] });',
    ],
    [
      "with code before and after",
      `// A comment\n${IMPORT}const name = process.pid > 0 ? "lockup" : "flow";\nexport default defineConfig({\n  protocols: list(),\n});\n\nfunction list() { return [name]; }`,
    ],
  ];
  it.each(plain)("%s", (_, text) => {
    expect(evaluatePlainConfig(text, FILE)).toEqual({ value: { protocols: ["lockup"] } });
  });

  it("in strict mode, like a module", () => {
    const text =
      "export default { output: String(this), operations: (function () { return typeof this; })() };";
    expect(evaluatePlainConfig(text, FILE)).toEqual({
      value: { output: "undefined", operations: "undefined" },
    });
  });

  it("and errors have the position in the file", () => {
    const text = `${IMPORT}export default defineConfig({\n  protocols: missing,\n});`;
    try {
      evaluatePlainConfig(text, FILE);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ReferenceError);
      expect((error as Error).stack).toContain(`${FILE}:3:14`);
    }
  });
});

describe("evaluatePlainConfig returns null if a compiler or a loader is needed", () => {
  const others: readonly (readonly [name: string, text: string])[] = [
    ["another import", `${IMPORT}import { key } from "./key.ts";\nexport default defineConfig({});`],
    [
      "an imported type",
      'import { type Config, defineConfig } from "lockflow";\nexport default defineConfig({});',
    ],
    [
      "an import under another name",
      'import { defineConfig as define } from "lockflow";\nexport default {};',
    ],
    ["another function of lockflow", 'import { startEmulator } from "lockflow";\nexport default {};'],
    ["a late import", "const late = () => import('./key.js');\nexport default {};"],
    ["require", 'const { key } = require("./key.cjs");\nexport default {};'],
    ["the folder of the module", "export default { output: __dirname };"],
    ["import.meta", "export default { output: import.meta.url };"],
    ["await", "const key = await fetch('http://localhost');\nexport default {};"],
    ["an annotation", "const key: string = 'lockup';\nexport default {};"],
    ["satisfies", "export default {} satisfies object;"],
    ["type arguments", "const set = new Set<string>([]);\nexport default {};"],
    ["a named export", "export const key = 'lockup';\nexport default {};"],
    ["an exported name", "const config = {};\nexport default config;"],
    ["an exported function", "export default function () {}"],
    ["no export", "const config = {};"],
    ["module.exports", "module.exports = {};"],
    ["no text", ""],
  ];
  it.each(others)("%s", (_, text) => {
    expect(evaluatePlainConfig(text, FILE)).toBeNull();
  });
});
