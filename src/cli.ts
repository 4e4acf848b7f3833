#!/usr/bin/env node
import type { CommandContext, ExitCode } from "./commands/command.ts";
import { COMMANDS } from "./commands/index.ts";
import { parseCommandLine } from "./commands/parse-command-line.ts";
import { renderCommandHelp, renderHelp } from "./commands/render-help.ts";
import { LockflowError } from "./errors/lockflow-error.ts";
import { VERSION } from "./version.ts";

/** The one file that touches the process. */
async function main(): Promise<ExitCode> {
  const line = parseCommandLine(process.argv.slice(2), COMMANDS);
  switch (line.kind) {
    case "version":
      process.stdout.write(`${VERSION}\n`);
      return 0;
    case "help":
      process.stdout.write(line.command ? renderCommandHelp(line.command) : renderHelp(COMMANDS));
      return 0;
    case "run":
      return line.command.run(createContext(line.options, line.positional));
  }
}

function createContext(
  options: CommandContext["options"],
  positional: CommandContext["positional"],
): CommandContext {
  return {
    cwd: process.cwd(),
    env: process.env,
    options,
    positional,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    isTerminal: process.stderr.isTTY === true && process.env["CI"] === undefined,
    stopped: new Promise((resolve) => {
      process.once("SIGINT", () => resolve());
      process.once("SIGTERM", () => resolve());
    }),
  };
}

function report(error: unknown): ExitCode {
  if (error instanceof LockflowError) process.stderr.write(`lockflow: ${error.message}\n`);
  else {
    process.stderr.write("lockflow: this is a bug in Lockflow. Please report it with these lines:\n");
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  }
  return 2;
}

// Somebody who reads the first lines only (`| head`) closes the pipe; that is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

process.exitCode = await main().catch(report);
