import { execFile } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../support/repository.ts";
import { runNode } from "../support/run-process.ts";

/** The packages as `npm publish` would send them. */
export type Tarballs = { readonly toolkit: string; readonly client: string; readonly operations: string };

/** The files that a build reads. */
const SOURCES = [
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "LICENSE",
  "README.md",
  "docs",
  "emulator",
  "examples/alerts",
  "examples/ci",
  "examples/consumer/README.md",
  "examples/merged",
  "examples/next/README.md",
  "examples/own-protocol",
  "generated",
  "operations",
  "package-lock.json",
  "package.json",
  "packages",
  "scripts/build-client.ts",
  "scripts/build-operations.ts",
  "src",
  "tsconfig.json",
  "tsdown.config.ts",
];

/** Builds and packs the packages in a copy of the repository, so that its `dist` does not change. */
export async function pack(folder: string): Promise<Tarballs> {
  const tree = join(folder, "tree");
  for (const path of SOURCES) {
    cpSync(join(REPOSITORY, path), join(tree, path), {
      recursive: true,
      filter: (source) => source !== join(REPOSITORY, "generated/dist"),
    });
  }
  symlinkSync(join(REPOSITORY, "node_modules"), join(tree, "node_modules"), "junction");
  // The steps of `npm run build`: the operations are compiled with the client.
  await Promise.all([
    mustRun([join(REPOSITORY, "node_modules/tsdown/dist/run.mjs"), "--logLevel", "error"], tree),
    mustRun(["--import", "tsx", "scripts/build-client.ts"], tree).then(() =>
      mustRun(["--import", "tsx", "scripts/build-operations.ts"], tree),
    ),
  ]);
  mkdirSync(join(folder, "tarballs"));
  const packed = await npm(
    [
      "pack",
      ".",
      "./packages/client/dist",
      "./generated",
      "--ignore-scripts",
      "--pack-destination",
      join(folder, "tarballs"),
    ],
    tree,
  );
  const [toolkit = "", client = "", operations = ""] = packed
    .trim()
    .split("\n")
    .map((name) => join(folder, "tarballs", name));
  return { toolkit, client, operations };
}

/** Extracts a tarball as an installation would. */
export async function unpack(tarball: string, into: string): Promise<void> {
  mkdirSync(into, { recursive: true });
  await new Promise<void>((resolve, reject) => {
    execFile("tar", ["-xzf", tarball, "--strip-components=1", "-C", into], (error) =>
      error ? reject(error) : resolve(),
    );
  });
}

/** Runs npm and returns its output. */
export function npm(args: readonly string[], cwd: string): Promise<string> {
  return execute("npm", [...args, "--loglevel=error"], cwd, process.env);
}

/** The variables of programs of an application, which ask nothing and send nothing. */
const QUIET = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", CI: "1", NODE_ENV: undefined };

/** Runs a program and returns its output. */
export function execute(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = QUIET,
): Promise<string> {
  const options = { cwd, env, maxBuffer: 1e8, shell: process.platform === "win32" };
  return new Promise((resolve, reject) => {
    execFile(program, [...args], options, (error, out, err) =>
      error ? reject(new Error(`${program} ${args.join(" ")}:\n${err}${out}`)) : resolve(out),
    );
  });
}

async function mustRun(args: readonly string[], cwd: string): Promise<void> {
  const { code, out, err } = await runNode(args, { cwd });
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${out}${err}`);
}
