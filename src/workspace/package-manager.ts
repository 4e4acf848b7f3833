/** The commands of a package manager, for hints and workflow files. */
export type PackageManager = {
  readonly name: PackageManagerName;
  /** Runs the installed `lockflow`. */
  readonly exec: string;
  /** The program, followed by `run`, `install` and others. */
  readonly command: string;
  /** Adds development dependencies. */
  readonly add: string;
  /** Runs a package that is not installed. */
  readonly download: string;
  /** Installs exactly the versions of the lock file. */
  readonly installLocked: string;
};

export type PackageManagerName = "npm" | "pnpm" | "yarn" | "yarn-classic" | "bun";

export const PACKAGE_MANAGERS: Readonly<Record<PackageManagerName, PackageManager>> = {
  npm: {
    name: "npm",
    exec: "npx lockflow",
    command: "npm",
    add: "npm install --save-dev",
    download: "npx",
    installLocked: "npm ci",
  },
  pnpm: {
    name: "pnpm",
    exec: "pnpm exec lockflow",
    command: "pnpm",
    add: "pnpm add --save-dev",
    download: "pnpm dlx",
    installLocked: "pnpm install --frozen-lockfile",
  },
  yarn: {
    name: "yarn",
    exec: "yarn lockflow",
    command: "yarn",
    add: "yarn add --dev",
    download: "yarn dlx",
    installLocked: "yarn install --immutable",
  },
  "yarn-classic": {
    name: "yarn-classic",
    exec: "yarn --silent lockflow",
    command: "yarn",
    add: "yarn add --dev",
    download: "npx",
    installLocked: "yarn install --frozen-lockfile",
  },
  bun: {
    name: "bun",
    exec: "bunx lockflow",
    command: "bun",
    add: "bun add --dev",
    download: "bunx",
    installLocked: "bun install --frozen-lockfile",
  },
};

/** One folder on the way from a package up to the root of its repository. */
export type Level = {
  readonly names: ReadonlySet<string>;
  /** The field `packageManager` of the folder's package.json. */
  readonly packageManagerField: string | null;
};

/** The package manager and its lock file, with the index of the lock file's level. */
type Detected = {
  readonly packageManager: PackageManager;
  readonly lockFile: { readonly name: string; readonly level: number } | null;
};

/**
 * Detects the package manager by the nearest folder with the field or a lock file. If a folder has several lock files,
 * the package manager that runs this program is preferred.
 *
 * @param levels from the package's own folder upwards.
 * @param userAgent the variable `npm_config_user_agent`, which package managers set for programs that they run.
 */
export function detectPackageManager(levels: readonly Level[], userAgent: string | undefined): Detected {
  const running = (/^(pnpm|yarn|bun)\//.exec(userAgent ?? "")?.[1] ?? "npm") as Family;
  for (const { names, packageManagerField } of levels) {
    const locks = LOCK_FILES.filter(([name]) => names.has(name));
    const stated = /^(npm|pnpm|yarn|bun)(?:@(\d+))?/.exec(packageManagerField ?? "");
    if (!stated && locks.length === 0) continue;
    const family = (stated?.[1] ??
      (locks.some(([, owner]) => owner === running) ? running : locks[0]?.[1])) as Family;
    return {
      packageManager: PACKAGE_MANAGERS[release(family, stated?.[2], levels)],
      lockFile: findLockFile(levels, family),
    };
  }
  return { packageManager: PACKAGE_MANAGERS[release(running, undefined, levels)], lockFile: null };
}

type Family = "npm" | "pnpm" | "yarn" | "bun";

/** The lock files of each package manager. */
export const LOCK_FILES: readonly (readonly [name: string, family: Family])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
];

/** Returns the name with its release: Yarn 1 has other flags than later releases, which have a settings file. */
function release(family: Family, major: string | undefined, levels: readonly Level[]): PackageManagerName {
  if (family !== "yarn") return family;
  if (major !== undefined) return major === "1" ? "yarn-classic" : "yarn";
  return levels.some(({ names }) => names.has(".yarnrc.yml")) ? "yarn" : "yarn-classic";
}

function findLockFile(levels: readonly Level[], family: Family): Detected["lockFile"] {
  for (const [level, { names }] of levels.entries()) {
    const lock = LOCK_FILES.find(([name, owner]) => owner === family && names.has(name));
    if (lock) return { name: lock[0], level };
  }
  return null;
}
