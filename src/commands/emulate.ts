import type { Emulator } from "../emulator/start-emulator.ts";
import { renderTable } from "../report/render-table.ts";
import type { CommandContext, ExitCode } from "./command.ts";
import { startChosenEmulator } from "./start-chosen-emulator.ts";

/** `lockflow emulate`: serves until it is interrupted. */
export async function runEmulate(context: CommandContext): Promise<ExitCode> {
  const emulator = await startChosenEmulator(context);
  if (context.options["json"] === true) context.out(`${JSON.stringify(emulator.endpoints)}\n`);
  else context.out(renderEmulator(emulator));
  await context.stopped;
  await emulator.close();
  return 0;
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
