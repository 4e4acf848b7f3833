import { describe, expect, it } from "vitest";
import { addProtocol } from "../../../src/tasks/init/add-protocol.ts";

describe("addProtocol", () => {
  it.each<[name: string, before: string, after: string]>([
    [
      "a configuration as init writes it",
      'import { defineConfig } from "lockflow";\n\n// a host\nexport default defineConfig({\n  protocols: ["lockup"], // ours\n  // subgraph: {},\n});\n',
      'import { defineConfig } from "lockflow";\n\n// a host\nexport default defineConfig({\n  protocols: ["lockup", "flow"], // ours\n  // subgraph: {},\n});\n',
    ],
    [
      "one in JavaScript, with other quotes",
      "/** @type {import('lockflow').Config} */\nexport default { protocols: [ 'lockup' ], output: 'gen' }\n",
      "/** @type {import('lockflow').Config} */\nexport default { protocols: [ 'lockup', 'flow' ], output: 'gen' }\n",
    ],
    [
      "a constant with types around it",
      'const config = ({ protocols: ["lockup"] as const }) satisfies Config;\nexport default config as Config;\n',
      'const config = ({ protocols: ["lockup", "flow"] as const }) satisfies Config;\nexport default config as Config;\n',
    ],
    [
      "a list of several lines, of Windows",
      'export default {\r\n  protocols: [\r\n    // vesting\r\n    "lockup",\r\n  ],\r\n};\r\n',
      'export default {\r\n  protocols: [\r\n    // vesting\r\n    "lockup", "flow",\r\n  ],\r\n};\r\n',
    ],
  ])("adds to %s", (_, before, after) => {
    expect(addProtocol("lockflow.config.ts", before, "flow")).toBe(after);
  });

  it.each([
    ["a list that contains it", 'export default { protocols: ["flow"] };'],
    ["no list, which is every protocol", "export default {};"],
    ["an empty list", "export default { protocols: [] };"],
    ["a computed list", 'export default { protocols: [...BUILT_IN_PROTOCOLS, "lockup"] };'],
    ["an imported list", 'import { protocols } from "./p.js";\nexport default { protocols };'],
    ["a constant that refers to itself", "const a = a;\nexport default a;"],
    ["no default export", 'export const config = { protocols: ["lockup"] };'],
    ["invalid code", "export default {{{"],
  ])("does not change %s", (_, text) => {
    expect(addProtocol("lockflow.config.ts", text, "flow")).toBeNull();
  });
});
