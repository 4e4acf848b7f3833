import { startProjectEmulator } from "../emulator/start-project-emulator.ts";
import { renderTable } from "../report/render-table.ts";
import type { CommandContext, ExitCode } from "./command.ts";
import { numberOption, projectOf, textOption } from "./options.ts";

const DEFAULT_PORT = 4350;

/** `lockflow emulate`: serves until it is interrupted. */
export async function runEmulate(context: CommandContext): Promise<ExitCode> {
  const port = numberOption(context, "port", 0, 65535) ?? DEFAULT_PORT;
  const project = await projectOf(context);
  const emulator = await startProjectEmulator(project, { port, seed: textOption(context, "seed") });
  const { endpoints } = emulator;
  if (context.options["json"] === true) context.out(`${JSON.stringify(endpoints)}\n`);
  else {
    const deployments = new Set(endpoints.map(({ deployment }) => deployment)).size;
    const rows = endpoints.map(({ deployment, environment, url }) => [deployment, environment, url]);
    context.out(`${renderTable(rows)}\n\n`);
    context.out(`Serving ${deployments} deployments on ${emulator.url}. Interrupt to stop.\n`);
    context.out(
      "A testing URL opened in a browser is a page to query with; a production URL wants `Authorization: Bearer <any key>`.\n",
    );
  }
  await context.stopped;
  await emulator.close();
  return 0;
}
