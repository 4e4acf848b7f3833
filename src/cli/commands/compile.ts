import { withoutCommands } from "../../base/clean-text.ts";
import { displayText } from "../../base/text.ts";
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import { STYLE_NAMES, type StyleName } from "../../dialects/surface.ts";
import { renderTable } from "../../report/terminal.ts";
import { type CompiledText, compile, type Refusal } from "../../tasks/compile.ts";
import type { CommandContext, ExitCode } from "../context.ts";
import type { Options } from "../options.ts";
import { projectOptions, renderJson } from "../task-options.ts";

/** `lockflow compile`: prints a portable operation in both styles, or why it is refused. */
export async function runCompile(context: CommandContext, options: Options<"compile">): Promise<ExitCode> {
  const { config, protocol, style } = options;
  const [operation = ""] = context.positionals;
  const compiled = await compile({ ...projectOptions(context, { config }), operation, protocol });
  const shown = ORDER.filter((name) => style === undefined || name === style);
  const isRefused = compiled.some(({ refusals }) => refusals.length > 0);
  if (options.json) {
    const reports = compiled.map((operation) => toJson(operation, shown));
    const [report, ...others] = reports;
    // A file can contain several operations.
    context.out(renderJson(others.length === 0 ? report : reports));
  } else {
    context.out(`${compiled.map((operation) => renderCompiled(operation, shown)).join("\n\n")}\n`);
  }
  return isRefused ? 1 : 0;
}

function toJson(compiled: CompiledText, shown: readonly StyleName[]): object {
  const { operation, protocol, variables, rules, refusals, notes, unmerged } = compiled;
  const texts = ORDER.map((style) => [style, shown.includes(style) ? compiled[style] : null]);
  return { operation, protocol, ...Object.fromEntries(texts), variables, rules, refusals, notes, unmerged };
}

/** The style of authored operations comes first. */
const ORDER: readonly StyleName[] = [
  AUTHORED_STYLE,
  ...STYLE_NAMES.filter((style) => style !== AUTHORED_STYLE),
];

function renderCompiled(compiled: CompiledText, shown: readonly StyleName[]): string {
  const { operation, protocol, file, refusals, notes } = compiled;
  const title = `${operation === "" ? displayText(file, []) : operation} of ${protocol}`;
  if (refusals.length > 0) {
    const count = refusals.length === 1 ? "one reason" : `${refusals.length} reasons`;
    return [`${title} is not portable, for ${count}:`, ...renderNotes([...refusals, ...notes])].join("\n\n");
  }
  const texts = shown.flatMap((style) => {
    const { text } = compiled[style];
    return text === null ? [] : [`${style}\n${indent(withoutCommands(text))}`];
  });
  return [
    `${title}, in ${displayText(file, [])}`,
    ...texts,
    ...renderVariables(compiled, shown),
    ...renderRules(compiled),
    ...(compiled.unmerged === null ? [] : [`Rows of several chains cannot be merged: ${compiled.unmerged}`]),
    ...renderNotes(notes),
  ].join("\n\n");
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}

function renderVariables({ variables }: CompiledText, shown: readonly StyleName[]): string[] {
  if (variables.length === 0) return [];
  const rows = variables.flatMap((variable) => {
    const forms = shown.flatMap((style) => variable[style].map((form) => [style, form] as const));
    const head =
      variable.type === null ? [`$${variable.name}`, "added"] : [`$${variable.name}`, variable.type];
    if (forms.length === 0) return [[...head, "", "not sent"]];
    return forms.map(([style, { name, type, value }], index) => [
      ...(index === 0 ? head : ["", ""]),
      style,
      `$${name}: ${type}`,
      value,
    ]);
  });
  return [`variables\n${renderTable(rows, "  ")}`];
}

function renderRules({ rules, file }: CompiledText): string[] {
  if (rules.length === 0) return [];
  const rows = rules.map(({ rule, means, line, column, ...place }) => [
    `${place.file === file ? "" : `${displayText(place.file, [])}:`}${line}:${column}`,
    rule,
    means,
  ]);
  return [`rules\n${renderTable(rows, "  ")}`];
}

function renderNotes(refusals: readonly Refusal[]): string[] {
  return refusals.map(({ code, message, file, line, column, hint }) => {
    const place = [file, line, column].filter((part) => part !== null).join(":");
    const said = `${displayText(place, [])}  ${displayText(message, [])}  [${code}]`;
    return hint === null ? said : `${said}\n  ${displayText(hint, [])}`;
  });
}
