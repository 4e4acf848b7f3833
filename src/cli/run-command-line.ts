import { LockflowError } from "../base/errors/lockflow-error.ts";
import { VERSION } from "../base/version.ts";
import { withoutCommands } from "../base/without-commands.ts";
import { COMMANDS } from "./commands.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import { parseCommandLine } from "./parse-command-line.ts";
import { renderCommandHelp, renderHelp } from "./render-help.ts";

/** What a command line runs in: a context that no command was chosen for yet. */
export type Surroundings = Omit<CommandContext, "positionals" | "asIs">;

/**
 * Runs a command line. Every error ends here: a `LockflowError` as its message, any other as a bug with its stack.
 *
 * @param args the arguments after the program's name.
 */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const out = (text: string) => surroundings.out(withoutCommands(text));
  const err = (text: string) => surroundings.err(withoutCommands(text));
  try {
    const line = parseCommandLine(args, COMMANDS);
    if (line.kind === "run") {
      const asIs = { out: surroundings.out, err: surroundings.err };
      const { command, options, positionals } = line;
      return await command.run({ ...surroundings, out, err, asIs, positionals }, options);
    }
    if (line.kind === "version") out(`${VERSION}\n`);
    else out(line.command ? renderCommandHelp(line.command) : renderHelp(COMMANDS));
    return 0;
  } catch (error) {
    if (error instanceof LockflowError) err(`lockflow: ${withoutControls(error.message)}\n`);
    else {
      err("lockflow: this is a bug in Lockflow. Please report it with these lines:\n");
      err(`${error instanceof Error ? error.stack : String(error)}\n`);
    }
    return 2;
  }
}

/** A file's name may hold what moves a terminal's cursor, and a message has lines of its own. */
function withoutControls(message: string): string {
  return message.replaceAll(/(?!\n)[\p{Cc}\p{Cf}]/gu, " ");
}
