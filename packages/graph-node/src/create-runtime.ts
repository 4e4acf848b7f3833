import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A temporary folder with the programs that run in it. They end with the runtime, and it ends with this process. */
export type Runtime = {
  readonly folder: string;
  /** Starts a program, which ends with the runtime at the latest. `lines` gets its output. */
  readonly start: (program: Program, lines: (line: string) => void) => ChildProcess;
  /** Runs a program to its end. */
  readonly run: (program: Program) => Promise<void>;
  /** Ends every program and removes the folder. */
  readonly close: () => Promise<void>;
};

/** The command and arguments of a program. */
export type Program = {
  readonly path: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

/**
 * Ends the programs and removes the folder when its input ends. The input ends with this process, even if that is killed.
 * It has its own session, so that Ctrl-C does not reach it. A process id is only killed if that process still runs in the
 * folder.
 */
const WATCHDOG = `
folder=$1; pids=
while read -r pid; do pids="$pids $pid"; done
ours() { case $(readlink "/proc/$1/cwd") in "$folder"|"$folder"/*) return 0;; *) return 1;; esac; }
for pid in $pids; do if ours "$pid"; then kill -QUIT "$pid"; fi; done
for pid in $pids; do
  left=50
  while ours "$pid"; do
    left=$((left - 1))
    if [ "$left" = 0 ]; then kill -KILL "$pid"; break; fi
    sleep 0.1
  done
done
rm -rf -- "$folder" || { sleep 1; rm -rf -- "$folder"; }
`;

/** Creates the folder, which an unprivileged user can write: PostgreSQL refuses to run as root. */
export async function createRuntime(): Promise<Runtime> {
  const user = process.getuid?.() === 0 ? await readUnprivilegedUser() : null;
  const folder = mkdtempSync(join(tmpdir(), "lockflow-graph-node-"));
  chmodSync(folder, 0o700);
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const watchdog = spawn("/bin/sh", ["-c", WATCHDOG, "sh", folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    cwd: "/",
  });
  const ended = new Promise<void>((resolve) => watchdog.once("exit", () => resolve()));
  // The watchdog must not keep the process alive, and gets no message after the runtime is closed.
  watchdog.unref();
  (watchdog.stdin as unknown as { unref: () => void }).unref();
  watchdog.stdin.on("error", () => {});
  const options = (env: Program["env"]) => ({
    cwd: folder,
    // No variables of this process: the programs must not get a PGHOST or a key of the user.
    env: { PATH: process.env["PATH"] ?? "", TMPDIR: folder, HOME: folder, LC_ALL: "C", ...env },
    ...(user ?? {}),
  });

  const start: Runtime["start"] = ({ path, args, env }, lines) => {
    const child = spawn(path, args, {
      ...options(env),
      stdio: ["ignore", "pipe", "pipe"],
      // Its own session, for the same reason.
      detached: true,
    });
    if (child.pid !== undefined) watchdog.stdin.write(`${child.pid}\n`);
    child.unref();
    for (const stream of [child.stdout, child.stderr]) {
      (stream as unknown as { unref: () => void }).unref();
      forEachLine(stream, lines);
    }
    return child;
  };

  return {
    folder,
    start,
    run: ({ path, args, env }) =>
      new Promise((resolve, reject) => {
        execFile(path, args, options(env), (error, stdout, stderr) =>
          error ? reject(new Error(`${path} failed:\n${stdout}${stderr}`)) : resolve(),
        );
      }),
    close: () => {
      watchdog.ref();
      watchdog.stdin.end();
      return ended;
    },
  };
}

/**
 * Returns the folder of an installed package, readable for the programs' user: `node_modules` in a home folder of root is
 * copied into the runtime's folder.
 */
export async function findPackage(name: string, program: string, runtime: Runtime): Promise<string> {
  const installed = locatePackage(name);
  if (installed === null) throw new Error(`${name} is not installed.`);
  const links = readLinks(installed);
  // Its installation script creates links, which are missing if it was installed without scripts.
  const isWhole = links.every(({ target }) => existsSync(join(installed, target)));
  if (isWhole) {
    const reached = await runtime.run({ path: join(installed, program), args: ["--version"] }).then(
      () => true,
      () => false,
    );
    if (reached) return installed;
  }
  const copy = join(runtime.folder, name.replace("/", "-"));
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  for (const { source, target } of links) {
    if (!existsSync(join(copy, target))) symlinkSync(join(copy, source), join(copy, target));
  }
  return copy;
}

/** Finds the folder of an installed package; null if it is not installed. */
export function locatePackage(name: string): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch {
    const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
    return folders.map((folder) => join(folder, name)).find((folder) => existsSync(folder)) ?? null;
  }
}

type Link = { readonly source: string; readonly target: string };

function readLinks(folder: string): readonly Link[] {
  const path = join(folder, "native/pg-symlinks.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Link[]) : [];
}

async function readUnprivilegedUser(): Promise<{ uid: number; gid: number }> {
  const ask = (flag: string) =>
    new Promise<number>((resolve, reject) => {
      execFile("id", [flag, "nobody"], (error, stdout) => (error ? reject(error) : resolve(Number(stdout))));
    });
  return { uid: await ask("-u"), gid: await ask("-g") };
}

function forEachLine(stream: NodeJS.ReadableStream, heard: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) heard(line);
  });
}
