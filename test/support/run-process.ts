import { type ChildProcess, spawn } from "node:child_process";
import { builtProgram } from "./built-program.ts";
import { LATE_OPTIMIZATION } from "./late-optimization.ts";
import { REPOSITORY } from "./repository.ts";
import type { RunResult } from "./run.ts";

export type ProcessOptions = {
  readonly cwd?: string;
  /** Set besides the variables of this process; undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
};

/** Runs a program of Node to its end, with nothing on its standard input and no terminal. */
export async function runNode(args: readonly string[], options: ProcessOptions = {}): Promise<RunResult> {
  const child = startNode(args, options);
  let out = "";
  let err = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  return { code: await exitCode(child), out, err };
}

/** Runs the command line as a process of its own, built. */
export function runCli(args: readonly string[], options: ProcessOptions = {}): Promise<RunResult> {
  return runNode([builtProgram(), ...args], options);
}

/** Starts the command line as a process of its own, built; the test has to see to its end. */
export function startCli(args: readonly string[], options: ProcessOptions = {}): ChildProcess {
  return startNode([builtProgram(), ...args], options);
}

/** What a process that was started ends with; 128 and more for a signal, as in a shell. */
export async function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(code ?? (signal === null ? -1 : 128)));
  });
}

function startNode(args: readonly string[], { cwd = REPOSITORY, env = {} }: ProcessOptions): ChildProcess {
  const variables = { ...process.env, ...OUTSIDE_THE_TEST_RUNNER, ...env };
  return spawn(process.execPath, [...LATE_OPTIMIZATION, ...args], {
    cwd,
    env: variables,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Variables with which the test runner would change a program: colours, options, its own marks. */
const OUTSIDE_THE_TEST_RUNNER = {
  FORCE_COLOR: undefined,
  NODE_OPTIONS: undefined,
  NODE_ENV: undefined,
  NODE_V8_COVERAGE: undefined,
  VITEST: undefined,
};
