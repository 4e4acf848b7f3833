/** A package manager, by the commands that are typed and written into a workflow. */
export type PackageManager = {
  readonly name: PackageManagerName;
  /** What comes before the arguments of `lockflow`. */
  readonly exec: string;
  /** What is typed before `run`, `install` and the like. */
  readonly command: string;
  /** What comes before the names of packages for development. */
  readonly add: string;
  /** Runs a program that is not installed. */
  readonly download: string;
  /** Installs what the lock file says and nothing else. */
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
