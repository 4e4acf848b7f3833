#!/usr/bin/env node
import { describeOldNode } from "../base/old-node.ts";

// The one file that touches the process.

// A process that runs out of work ends with the code that is set: until a run has finished, that is no success.
let hasFinished = false;
process.exitCode = 2;
process.on("exit", () => {
  if (hasFinished) return;
  process.exitCode = 2;
  process.stderr.write("lockflow: the run ended before it was finished, so it has no result.\n");
});

const oldNode = describeOldNode(process.versions.node);
// Not awaited here: what is imported may need this module, and would wait for it for ever.
if (oldNode === null) void run();
else {
  process.stderr.write(oldNode);
  hasFinished = true;
}

async function run(): Promise<void> {
  // Somebody who reads the first lines only (`| head`) closes the pipe; that is no error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    process.stderr.write(`lockflow: standard output cannot be written (${error.code ?? error.message}).\n`);
    hasFinished = true;
    process.exit(2);
  });
  const cwd = currentFolder();
  if (cwd === null) {
    process.stderr.write(
      "lockflow: The current folder is not there any more.\nHint: change to one that is.\n",
    );
    hasFinished = true;
    return;
  }
  // An old Node could not even load the rest, so it is not imported before one is known to be new.
  const { hasColors } = await import("../base/has-colors.ts");
  const { runCommandLine } = await import("./run-command-line.ts");
  const code = await runCommandLine(process.argv.slice(2), {
    cwd,
    env: process.env,
    node: process.versions.node,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    deliver: (text) =>
      new Promise((resolve) => {
        process.stdout.write(text, (error) => resolve(!error));
      }),
    width: process.stdout.isTTY ? process.stdout.columns || 80 : undefined,
    colors: {
      out: hasColors(process.env, process.stdout.isTTY),
      err: hasColors(process.env, process.stderr.isTTY),
    },
    isTerminal: process.stderr.isTTY === true && process.env["CI"] === undefined,
    ask: process.stdin.isTTY === true && process.stdout.isTTY === true ? ask : undefined,
    untilStopped: hearSignals(),
  });
  hasFinished = true;
  process.exitCode = code;
}

/** A shell may stand in a folder that somebody has removed: there is no path to it. */
function currentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

/**
 * A command that serves until somebody stops it waits for that, and ends in its own way. Any other is ended, but never
 * within the step that replaces files: a signal is heard between two steps only.
 */
function hearSignals(): () => Promise<void> {
  let stop: (() => void) | undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      if (stop !== undefined) return stop();
      hasFinished = true;
      process.stderr.write(
        `lockflow: ${signal} ended the run before it was finished, so it has no result.\n`,
      );
      // A shell that runs a script ends that too, once it sees what ended us.
      process.kill(process.pid, signal);
      // The first process of a container has to end itself.
      process.exit(2);
    });
  }
  return () =>
    new Promise((resolve) => {
      stop = resolve;
    });
}

/** Null when the terminal is closed or interrupted before there is an answer. */
async function ask(question: string): Promise<string | null> {
  const { createInterface } = await import("node:readline");
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  return new Promise((resolve) => {
    lines.on("close", () => {
      process.stdout.write("\n");
      resolve(null);
    });
    lines.question(question, (answer) => {
      resolve(answer);
      lines.close();
    });
  });
}
