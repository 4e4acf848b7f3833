import { describe, expect, it } from "vitest";
import { evaluatePlainConfig } from "../../src/project/evaluate-plain-config.ts";

const FILE = "/project/lockflow.config.ts";
const IMPORT = 'import { defineConfig } from "lockflow";\n';

describe("evaluatePlainConfig evaluates plain JavaScript", () => {
  it.each([
    `${IMPORT}export default defineConfig({ protocols: ["lockup"] });\n`,
    'export default { protocols: ["lockup"] };',
    "import {defineConfig} from 'lockflow'\nexport default defineConfig({ protocols: ['lockup'] })",
    'import { defineConfig, defineProtocol } from "lockflow";\nconst { key } = defineProtocol({ key: "lockup" });\nexport default defineConfig({ protocols: [key] });',
    `// A comment\n${IMPORT}const name = process.pid > 0 ? "lockup" : "flow";\nexport default defineConfig({\n  protocols: list(),\n});\n\nfunction list() { return [name]; }`,
  ])("%j", (text) => {
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

it.each([
  `${IMPORT}import { key } from "./key.ts";\nexport default defineConfig({});`,
  'import { type Config, defineConfig } from "lockflow";\nexport default defineConfig({});',
  'import { defineConfig as define } from "lockflow";\nexport default {};',
  'import { startEmulator } from "lockflow";\nexport default {};',
  "const late = () => import('./key.js');\nexport default {};",
  'const { key } = require("./key.cjs");\nexport default {};',
  "export default { output: __dirname };",
  "export default { output: import.meta.url };",
  "const key = await fetch('http://localhost');\nexport default {};",
  "const key: string = 'lockup';\nexport default {};",
  "export default {} satisfies object;",
  "const set = new Set<string>([]);\nexport default {};",
  "export const key = 'lockup';\nexport default {};",
  "const config = {};\nexport default config;",
  "export default function () {}",
  "const config = {};",
  "module.exports = {};",
  "",
])("evaluatePlainConfig returns null if a compiler or a loader is needed: %j", (text) => {
  expect(evaluatePlainConfig(text, FILE)).toBeNull();
});
