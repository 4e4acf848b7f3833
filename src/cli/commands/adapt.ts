import { jsonWithoutCommands, withoutCommands } from "../../base/clean-text.ts";
import { UsageError } from "../../base/errors.ts";
import { displayText } from "../../base/text.ts";
import { renderTable } from "../../report/terminal.ts";
import type { AdaptedOperation } from "../../tasks/adapt/adapt-types.ts";
import { type Adapted, adapt } from "../../tasks/adapt.ts";
import type { CommandContext, ExitCode } from "../context.ts";
import type { Options } from "../options.ts";
import { projectOptions } from "../task-options.ts";

/** `lockflow adapt`: writes the new names in operations after the schema was renamed. */
export async function runAdapt(context: CommandContext, options: Options<"adapt">): Promise<ExitCode> {
  const { config, protocol, style, from, to, prefix, rename, write, json } = options;
  if (prefix !== undefined && to === undefined) {
    throw new UsageError({
      sentence: "--prefix needs --to.",
      hint: "name the protocol that the operations move to.",
    });
  }
  const adapted = await adapt({
    ...projectOptions(context, { config, protocol, style }),
    ...{ from, to, prefix, write, renames: rename },
  });
  for (const note of adapted.notes) context.err(`${displayText(note, [])}\n`);
  const { operations, renames, files, written } = adapted;
  if (json) {
    const text = JSON.stringify({ operations, renames, files, written }, null, 2);
    context.out(`${jsonWithoutCommands(text)}\n`);
  } else context.out(renderAdapted(adapted));
  return operations.some(({ result }) => result === "refused") ? 1 : 0;
}

function renderAdapted({ operations, files, diff, written }: Adapted): string {
  const count = (wanted: AdaptedOperation["result"]) =>
    operations.filter(({ result }) => result === wanted).length;
  const changed = operations.filter(({ result }) => result !== "valid");
  const sections = [
    ...(written || diff === "" ? [] : [withoutCommands(diff.trimEnd())]),
    ...(changed.length === 0
      ? []
      : [
          renderTable(
            changed.map(({ name, result, surface, to, file }) =>
              [name, result, surface, to ?? file].map((cell) => displayText(cell, [])),
            ),
            "",
          ),
        ]),
    ...operations.flatMap(renderDetails),
    `${count("adapted")} adapted, ${count("refused")} refused, ${count("valid")} valid already.`,
    ...renderEnd(files.length, written),
  ];
  return `${sections.join("\n\n")}\n`;
}

function renderEnd(count: number, written: boolean): string[] {
  if (count === 0) return [];
  const files = count === 1 ? "1 file" : `${count} files`;
  return [written ? `${files} written. Run \`lockflow generate\`.` : "Nothing was written: add --write."];
}

function renderDetails({ name, reasons, notes }: AdaptedOperation): string[] {
  const lines = [...reasons, ...notes].map(
    ({ code, message, file, line, column }) => `${file}:${line}:${column} ${message}  [${code}]`,
  );
  if (lines.length === 0) return [];
  return [[displayText(name, []), ...lines.map((line) => `  ${displayText(line, [])}`)].join("\n")];
}
