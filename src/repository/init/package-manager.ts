/** A package manager, by the commands that are typed and written into a workflow. */
export type PackageManager = {
  readonly name: PackageManagerName;
  /** What comes before the arguments of `lockflow`. */
  readonly exec: string;
  /** What comes before the name of a script. */
  readonly run: string;
  /** What comes before the names of packages for development. */
  readonly add: string;
  /** Runs a program that is not installed. */
  readonly download: string;
  /** Installs what the lock file says and nothing else. */
  readonly installLocked: string;
  /** Installs without a lock file. */
  readonly install: string;
};

export type PackageManagerName = "npm" | "pnpm" | "yarn" | "yarn-classic" | "bun";

export const PACKAGE_MANAGERS: Readonly<Record<PackageManagerName, PackageManager>> = {
  npm: {
    name: "npm",
    exec: "npx lockflow",
    run: "npm run",
    add: "npm install --save-dev",
    download: "npx",
    installLocked: "npm ci",
    install: "npm install",
  },
  pnpm: {
    name: "pnpm",
    exec: "pnpm exec lockflow",
    run: "pnpm run",
    add: "pnpm add --save-dev",
    download: "pnpm dlx",
    installLocked: "pnpm install --frozen-lockfile",
    install: "pnpm install",
  },
  yarn: {
    name: "yarn",
    exec: "yarn lockflow",
    run: "yarn run",
    add: "yarn add --dev",
    download: "yarn dlx",
    installLocked: "yarn install --immutable",
    install: "yarn install",
  },
  "yarn-classic": {
    name: "yarn-classic",
    exec: "yarn --silent lockflow",
    run: "yarn run",
    add: "yarn add --dev",
    download: "npx",
    installLocked: "yarn install --frozen-lockfile",
    install: "yarn install",
  },
  bun: {
    name: "bun",
    exec: "bunx lockflow",
    run: "bun run",
    add: "bun add --dev",
    download: "bunx",
    installLocked: "bun install --frozen-lockfile",
    install: "bun install",
  },
};
