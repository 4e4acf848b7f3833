import { UsageError } from "../../base/errors.ts";
import { renderNextSteps, renderPlan } from "../../tasks/init/render-next-steps.ts";
import { planInit, writeInit } from "../../tasks/init.ts";
import type { CommandContext, ExitCode } from "../context.ts";
import type { Options } from "../options.ts";

/** `lockflow init`: lists its changes, asks for confirmation, and writes all of them or nothing. */
export async function runInit(context: CommandContext, options: Options<"init">): Promise<ExitCode> {
  const { yes, library, protocol = [], protocols = [] } = options;
  const choices = { library, protocols: [...protocols, ...[protocol].flat()] };
  const look = () => planInit(context.cwd, choices, context.env["npm_config_user_agent"]);
  const plan = await look();
  const { exec } = plan.repository.packageManager;
  context.out(`${renderPlan(plan)}\n`);
  if (plan.changes.every(({ kind }) => kind === "leave")) {
    context.out(`Everything is already set up. \`${exec} --help\` lists the commands.\n`);
    return 0;
  }
  if (!yes) {
    if (!context.ask) {
      context.err(
        `Nothing was written: there is no terminal to confirm on. \`${exec} init --yes\` writes without confirmation.\n`,
      );
      return 2;
    }
    const answer = await context.ask("Write these changes? [Y/n] ");
    if (!/^\s*(y|yes)?\s*$/i.test(answer ?? "no")) {
      context.out("Nothing was written.\n");
      return 0;
    }
    // An edit made while the question was open must not be overwritten.
    if (JSON.stringify(plan.changes) !== JSON.stringify((await look()).changes)) {
      throw new UsageError({
        sentence: "The repository changed after the list was shown. Nothing was written.",
        hint: "run the command again.",
      });
    }
  }
  const count = await writeInit(plan);
  context.out(`Wrote ${count} ${count === 1 ? "file" : "files"}.\n\n${renderNextSteps(plan)}`);
  return 0;
}
