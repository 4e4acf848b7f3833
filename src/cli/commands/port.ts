import { jsonWithoutCommands, withoutCommands } from "../../base/clean-text.ts";
import { displayText } from "../../base/text.ts";
import { renderTable } from "../../report/terminal.ts";
import type { PortedOperation } from "../../tasks/port/port-types.ts";
import { type Ported, port } from "../../tasks/port.ts";
import type { CommandContext, ExitCode } from "../context.ts";
import type { Options } from "../options.ts";
import { projectOptions } from "../task-options.ts";

/** `lockflow port`: turns the queries of a project into operations. */
export async function runPort(context: CommandContext, options: Options<"port">): Promise<ExitCode> {
  const { config, protocol, noProof, against, write, json } = options;
  const ported = await port({
    ...projectOptions(context, { config, protocol }),
    patterns: context.positionals,
    ...{ write, env: context.env, against: noProof ? null : against },
  });
  for (const note of ported.notes) context.err(`${displayText(note, [])}\n`);
  if (json) {
    context.out(`${jsonWithoutCommands(JSON.stringify({ operations: ported.operations }, null, 2))}\n`);
  } else context.out(renderPorted(ported, write));
  return ported.operations.some(({ result }) => result === "refused") ? 1 : 0;
}

function renderPorted({ operations, diff, written }: Ported, isWritten: boolean): string {
  const count = (wanted: PortedOperation["result"]) =>
    operations.filter(({ result }) => result === wanted).length;
  const rows = operations.map((one) => [
    one.name,
    one.result,
    one.to ?? "",
    renderProof(one),
    renderPlaces(one),
  ]);
  const sections = [
    ...(isWritten || diff === "" ? [] : [withoutCommands(diff.trimEnd())]),
    rows.length === 0
      ? "No operations were found."
      : renderTable(
          rows.map((row) => row.map((cell) => displayText(cell, []))),
          "",
        ),
    ...operations.flatMap(renderReasons),
    `${count("portable")} portable, ${count("style")} kept by style, ${count("refused")} refused.`,
    isWritten ? renderWritten(written.length) : "Nothing was written: add --write.",
  ];
  return `${sections.join("\n\n")}\n`;
}

function renderWritten(count: number): string {
  if (count === 0) return "No file had to be changed.";
  const files = count === 1 ? "1 file" : `${count} files`;
  return `${files} written. Run \`lockflow generate\`.`;
}

function renderProof({ proof }: PortedOperation): string {
  if (proof === null) return "";
  return proof.sets === 0 ? "not proven" : `same in ${proof.same} of ${proof.sets}`;
}

function renderPlaces({ from }: PortedOperation): string {
  return from
    .map(({ file, line, surface }) => `${file}:${line}${surface === null ? "" : ` (${surface})`}`)
    .join(", ");
}

function renderReasons({ name, reasons, differences }: PortedOperation): string[] {
  if (reasons.length + differences.length === 0) return [];
  const lines = [
    ...reasons.map(({ code, message }) => `  ${displayText(message, [])}  [${code}]`),
    ...differences.map(({ path, multichain, subgraph }) => {
      const line = `${path}: ${multichain || "nothing"} in multichain, ${subgraph || "nothing"} in subgraph`;
      return `  ${displayText(line, [])}`;
    }),
  ];
  return [`${displayText(name, [])}\n${lines.join("\n")}`];
}
