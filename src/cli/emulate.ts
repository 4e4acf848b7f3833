import { UsageError } from "../base/errors/usage-error.ts";
import { type Emulator, loadEmulator } from "../load-emulator.ts";
import { renderTable } from "../report/render-table.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import { isGiven } from "./option.ts";
import type { Options } from "./options.ts";
import { startChosenEmulator } from "./start-chosen-emulator.ts";

/** `lockflow emulate`: serves until it is interrupted. */
export async function runEmulate(context: CommandContext, options: Options<"emulate">): Promise<ExitCode> {
  if (options.env) refuseWithEnv(options);
  const stopped = context.untilStopped();
  const emulator = await startChosenEmulator(context, options);
  try {
    if (options.json) context.out(`${JSON.stringify(emulator.endpoints)}\n`);
    else if (options.env) await printVariables(emulator, context);
    else context.out(renderEmulator(emulator));
    await stopped;
  } finally {
    await emulator.close();
  }
  return 0;
}

function refuseWithEnv(options: Options<"emulate">): void {
  for (const [option, why] of [
    ["json", "both say what is printed when ready"],
    ["entities", "no manifest knows an indexer of your own"],
  ] as const) {
    if (isGiven(options[option])) {
      throw new UsageError({ sentence: `--env does not go with --${option}: ${why}.` });
    }
  }
}

/** Alone on its stream: what is printed is for a shell, or a file of variables. */
async function printVariables(emulator: Emulator, context: CommandContext): Promise<void> {
  const { renderVariables } = await loadEmulator();
  const lines = renderVariables(emulator.env());
  if (lines === "") {
    throw new UsageError({
      sentence: "The configuration writes out every host, so no variable leads its manifest to the emulator.",
      hint: 'write { env: "NAME" } in place of a URL, or leave it out; docs/configuration.md tells what is read then.',
    });
  }
  context.out(lines);
  context.err(`Serving on ${emulator.url}. Interrupt to stop.\n`);
}

function renderEmulator({ endpoints, url }: Emulator): string {
  const deployments = new Set(endpoints.map(({ deployment }) => deployment)).size;
  const rows = endpoints.map(({ deployment, environment, url }) => [deployment, environment, url]);
  return [
    renderTable(rows),
    "",
    `Serving ${deployments} ${deployments === 1 ? "deployment" : "deployments"} on ${url}. Interrupt to stop.`,
    "A testing URL opened in a browser is a page to query with; a production URL wants `Authorization: Bearer <any key>`.",
    "",
  ].join("\n");
}
