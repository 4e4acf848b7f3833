import { expect, it } from "vitest";
import { detectPackageManager } from "../../src/workspace/package-manager.ts";

// Levels from the package upwards: the names in the folder, or the field of its package.json.
it.each<[name: string, levels: readonly (readonly string[] | string)[], want: string, userAgent?: string]>([
  ["the default", [[]], "npm"],
  ["the running package manager", [[]], "pnpm", "pnpm/10.1.0 npm/? node/v22.0.0"],
  ["npm as the running package manager", [[]], "npm", "npm/11.0.0 node/v22.0.0"],
  ["a lock file", [["package-lock.json"]], "npm package-lock.json 0", "pnpm/10.1.0"],
  ["a lock file of pnpm", [["pnpm-lock.yaml"]], "pnpm pnpm-lock.yaml 0"],
  ["a lock file of Bun", [["bun.lock"]], "bun bun.lock 0"],
  ["an old lock file of Bun", [["bun.lockb"]], "bun bun.lockb 0"],
  ["Yarn Classic", [["yarn.lock"]], "yarn-classic yarn.lock 0"],
  ["Yarn Berry", [["yarn.lock", ".yarnrc.yml"]], "yarn yarn.lock 0"],
  ["a workspace", [[], ["pnpm-lock.yaml"]], "pnpm pnpm-lock.yaml 1", "npm/11"],
  ["the nearest lock file", [["yarn.lock"], ["pnpm-lock.yaml"]], "yarn-classic yarn.lock 0"],
  ["two lock files", [["package-lock.json", "pnpm-lock.yaml"]], "npm package-lock.json 0", "npm/11"],
  [
    "two lock files, if a third runs",
    [["package-lock.json", "pnpm-lock.yaml"]],
    "pnpm pnpm-lock.yaml 0",
    "bun/1",
  ],
  ["a workspace within another", [["a.txt"], ["yarn.lock"], ["pnpm-lock.yaml"]], "yarn-classic yarn.lock 1"],
  ["the field below the lock file", ["pnpm@10.0.0", ["pnpm-lock.yaml"]], "pnpm pnpm-lock.yaml 1"],
  ["the field below a lock file of another", [["a.txt"], "pnpm@10.0.0", ["yarn.lock"]], "pnpm"],
  ["the packageManager field", ["yarn@4.9.1"], "yarn"],
  ["the field of a workspace", [[], "yarn@1.22.22"], "yarn-classic"],
  ["an unknown package manager", ["vlt@1.0.0"], "npm"],
])("detectPackageManager detects %s", (_, levels, want, userAgent) => {
  const { packageManager, lockFile } = detectPackageManager(
    levels.map((given) => ({
      names: new Set(typeof given === "string" ? [] : given),
      packageManagerField: typeof given === "string" ? given : null,
    })),
    userAgent,
  );
  expect([packageManager.name, lockFile?.name, lockFile?.level].join(" ").trim()).toBe(want);
});
