import { expect, it } from "vitest";
import { detectPackageManager } from "../../src/workspace/package-manager.ts";

type Given = readonly (readonly string[] | string)[];

// Levels from the package upwards: the names in the folder, or the field of its package.json.
it.each<[name: string, levels: Given, userAgent: string | undefined, want: [string, string | null, number?]]>(
  [
    ["the default", [[]], undefined, ["npm", null]],
    ["the running package manager", [[]], "pnpm/10.1.0 npm/? node/v22.0.0", ["pnpm", null]],
    ["npm as the running package manager", [[]], "npm/11.0.0 node/v22.0.0", ["npm", null]],
    ["a lock file", [["package-lock.json"]], "pnpm/10.1.0", ["npm", "package-lock.json", 0]],
    ["a lock file of pnpm", [["pnpm-lock.yaml"]], undefined, ["pnpm", "pnpm-lock.yaml", 0]],
    ["a lock file of Bun", [["bun.lock"]], undefined, ["bun", "bun.lock", 0]],
    ["an old lock file of Bun", [["bun.lockb"]], undefined, ["bun", "bun.lockb", 0]],
    ["Yarn Classic", [["yarn.lock"]], undefined, ["yarn-classic", "yarn.lock", 0]],
    ["Yarn Berry", [["yarn.lock", ".yarnrc.yml"]], undefined, ["yarn", "yarn.lock", 0]],
    ["a workspace", [[], ["pnpm-lock.yaml"]], "npm/11", ["pnpm", "pnpm-lock.yaml", 1]],
    [
      "the nearest lock file",
      [["yarn.lock"], ["pnpm-lock.yaml"]],
      undefined,
      ["yarn-classic", "yarn.lock", 0],
    ],
    ["two lock files", [["package-lock.json", "pnpm-lock.yaml"]], "npm/11", ["npm", "package-lock.json", 0]],
    [
      "two lock files, and another running package manager",
      [["package-lock.json", "pnpm-lock.yaml"]],
      "bun/1",
      ["pnpm", "pnpm-lock.yaml", 0],
    ],
    [
      "a workspace within another one",
      [["notes.txt"], ["yarn.lock"], ["pnpm-lock.yaml"]],
      undefined,
      ["yarn-classic", "yarn.lock", 1],
    ],
    [
      "the field below the lock file",
      ["pnpm@10.0.0", ["pnpm-lock.yaml"]],
      undefined,
      ["pnpm", "pnpm-lock.yaml", 1],
    ],
    [
      "the field below a lock file of another package manager",
      [["a.txt"], "pnpm@10.0.0", ["yarn.lock"]],
      undefined,
      ["pnpm", null],
    ],
    ["the packageManager field", ["yarn@4.9.1"], undefined, ["yarn", null]],
    ["the field of a workspace", [[], "yarn@1.22.22"], undefined, ["yarn-classic", null]],
    ["an unknown package manager", ["vlt@1.0.0"], undefined, ["npm", null]],
  ],
)("detectPackageManager detects %s", (_, levels, userAgent, [name, lock, level]) => {
  const found = detectPackageManager(
    levels.map((given) => ({
      names: new Set(typeof given === "string" ? [] : given),
      packageManagerField: typeof given === "string" ? given : null,
    })),
    userAgent,
  );
  expect(found.packageManager.name).toBe(name);
  expect(found.lockFile).toEqual(lock === null ? null : { name: lock, level });
});
