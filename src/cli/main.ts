#!/usr/bin/env node
import { describeOldNode } from "../base/old-node.ts";

// The only file that uses the global `process`.

// If the event loop runs empty before a run has finished, Node exits with this code instead of 0.
let hasFinished = false;
process.exitCode = 2;
process.on("exit", () => {
  if (hasFinished) return;
  process.exitCode = 2;
  process.stderr.write("lockflow: The run ended before it finished, so it has no result.\n");
});

const oldNode = describeOldNode(process.versions.node);
// Not awaited: in the bundle, imported chunks may import this module, and a top-level await would deadlock.
if (oldNode === null) void run();
else {
  process.stderr.write(oldNode);
  hasFinished = true;
}

async function run(): Promise<void> {
  // A reader of the first lines only (`| head`) closes the pipe; that is not an error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    process.stderr.write(`lockflow: Cannot write to standard output (${error.code ?? error.message}).\n`);
    hasFinished = true;
    process.exit(2);
  });
  const cwd = currentFolder();
  if (cwd === null) {
    process.stderr.write(
      "lockflow: The current folder no longer exists.\nHint: change to an existing folder.\n",
    );
    hasFinished = true;
    return;
  }
  // An old Node cannot load the other modules, so they are imported after the check of its version.
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
    tune: async (work) => {
      const { tuneV8 } = await import("./tune-v8.ts");
      tuneV8(work, process.versions.v8);
    },
    untilStopped: handleSignals(),
  });
  hasFinished = true;
  process.exitCode = code;
}

/** Returns the current folder; null if it was removed. */
function currentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

/**
 * Handles SIGINT and SIGTERM: they resolve the returned promise or, if no command requested it, end the process. Node
 * runs signal handlers between two turns of the event loop, so never within the synchronous step that replaces files.
 */
function handleSignals(): () => Promise<void> {
  let stop: (() => void) | undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      if (stop !== undefined) return stop();
      hasFinished = true;
      process.stderr.write(`lockflow: ${signal} ended the run before it finished, so it has no result.\n`);
      // Ends the process by the signal itself, so that a shell ends the calling script too.
      process.kill(process.pid, signal);
      // The first process of a container ignores its own signals.
      process.exit(2);
    });
  }
  return () =>
    new Promise((resolve) => {
      stop = resolve;
    });
}

/** Asks a question on the terminal; null if it is closed or interrupted before the answer. */
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
