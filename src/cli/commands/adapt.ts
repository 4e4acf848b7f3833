import { withoutCommands } from "../../base/clean-text.ts";
import { groupBy } from "../../base/collections.ts";
import { UsageError } from "../../base/errors.ts";
import { displayText } from "../../base/text.ts";
import { renderTable, wrapBehind } from "../../report/terminal.ts";
import type { Adapted, AdaptedOperation } from "../../tasks/adapt/adapt-types.ts";
import { adapt } from "../../tasks/adapt.ts";
import type { CommandContext, ExitCode } from "../context.ts";
import type { Options } from "../options.ts";
import { projectOptions, renderJson } from "../task-options.ts";

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
    from,
    to,
    prefix,
    write,
    renames: rename,
  });
  for (const note of adapted.notes) context.err(`${displayText(note, [])}\n`);
  const { operations, renames, files, written } = adapted;
  context.out(json ? renderJson({ operations, renames, files, written }) : renderAdapted(adapted));
  return operations.some(({ result }) => result === "refused") ? 1 : 0;
}

function renderAdapted({ operations, configuration, files, diff, written }: Adapted): string {
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
    ...renderDetails(operations),
    ...configuration.map(
      ({ file, key, code }) =>
        `Write into ${displayText(file, [])}, under ${displayText(key, [])}:\n\n${withoutCommands(indent(code))}`,
    ),
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

/** Renders reasons and notes. Equal messages are shown once, above their places. */
function renderDetails(operations: readonly AdaptedOperation[]): string[] {
  const details = operations.flatMap(({ name, reasons, notes }) =>
    [...reasons, ...notes]
      // The code is printed whole, below.
      .filter(({ code }) => code !== "adapt/configuration")
      .map((detail) => ({ ...detail, name })),
  );
  return [...groupBy(details, ({ code, message }) => `${message}  [${code}]`)].map(([title, same]) => {
    // A message may have many edits, and each word is short.
    const words = title.split(" ").map((word) => displayText(word, []));
    const rows = same.map(({ file, line, column, name }) =>
      [`${file}:${line}:${column}`, name].map((cell) => displayText(cell, [])),
    );
    return [...wrapBehind("", words.join(" "), WIDTH), renderTable(rows, "  ")].join("\n");
  });
}

const WIDTH = 120;

function indent(code: string): string {
  return code.replaceAll(/^/gm, "  ");
}
