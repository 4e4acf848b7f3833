import { withoutCommands } from "../../base/clean-text.ts";
import { groupBy } from "../../base/collections.ts";
import { displayText } from "../../base/text.ts";
import { type Ported, port } from "../../port/port.ts";
import type { OtherQuery, PortedOperation } from "../../port/port-types.ts";
import { renderTable } from "../../report/terminal.ts";
import type { CommandContext, ExitCode } from "../context.ts";
import type { Options } from "../options.ts";
import { projectOptions, renderJson } from "../task-options.ts";

/** `lockflow port`: turns the queries of a project into operations. */
export async function runPort(context: CommandContext, options: Options<"port">): Promise<ExitCode> {
  const { config, protocol, noProof, against, write, json } = options;
  const ported = await port({
    ...projectOptions(context, { config, protocol }),
    patterns: context.positionals,
    write,
    env: context.env,
    against: noProof ? null : against,
  });
  for (const note of ported.notes) context.err(`${displayText(note, [])}\n`);
  const { operations, others } = ported;
  context.out(json ? renderJson({ operations, others }) : renderPorted(ported, write));
  return operations.some(({ result }) => result === "refused") ? 1 : 0;
}

function renderPorted({ operations, others, diff, written }: Ported, isWritten: boolean): string {
  const count = (wanted: PortedOperation["result"]) =>
    operations.filter(({ result }) => result === wanted).length;
  const rows = operations.map((operation) => [
    operation.name,
    operation.result,
    operation.to ?? "",
    renderProof(operation),
    renderPlaces(operation),
  ]);
  const sections = [
    ...(isWritten || diff === "" ? [] : [withoutCommands(diff.trimEnd())]),
    rows.length === 0
      ? "No operations were found."
      : renderTable(
          rows.map((row) => row.map((cell) => displayText(cell, []))),
          "",
        ),
    ...operations.flatMap(renderDetails),
    ...renderOthers(others),
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

function renderDetails({ name, usage, reasons, differences }: PortedOperation): string[] {
  const lines = [
    ...usage,
    ...reasons.map(({ code, message }) => `${message}  [${code}]`),
    ...differences.map(
      ({ path, multichain, subgraph }) =>
        `${path}: ${multichain || "nothing"} in multichain, ${subgraph || "nothing"} in subgraph`,
    ),
  ];
  if (lines.length === 0) return [];
  return [[displayText(name, []), ...lines.map((line) => `  ${displayText(line, [])}`)].join("\n")];
}

/** One line for each code, with the first places. */
function renderOthers(others: readonly OtherQuery[]): string[] {
  const lines = [...groupBy(others, ({ code }) => code)].map(([code, queries]) => {
    const places = queries.slice(0, MOST_PLACES).map(({ file, line, name }) => `${file}:${line} ${name}`);
    const more = queries.length > MOST_PLACES ? `, and ${queries.length - MOST_PLACES} more` : "";
    const messages = new Set(queries.map(({ message }) => message));
    const [message = ""] = messages.size === 1 ? messages : [OTHERS[code]];
    return displayText(
      `${queries.length} not ported: ${places.join(", ")}${more}. ${message}  [${code}]`,
      [],
    );
  });
  return lines.length === 0 ? [] : [lines.join("\n")];
}

const MOST_PLACES = 3;

/** What several queries with one code have in common. */
const OTHERS: Readonly<Record<OtherQuery["code"], string>> = {
  "port/built": "Objects with `__args` are not documents.",
  "port/health": "`health` of the client returns the progress of indexers.",
  "port/near": "No snapshot has their root fields, but similar ones.",
  "port/other-api": "They are of another API.",
};
