import { normalize } from "node:path";
import { UsageError } from "../../base/errors.ts";
import { nearestName } from "../../base/text.ts";
import type { Renderer } from "../report.ts";
import { github } from "./github.ts";
import { html } from "./html.ts";
import { json } from "./json.ts";
import { junit } from "./junit.ts";
import { markdown } from "./markdown.ts";
import { sarif } from "./sarif.ts";
import { text } from "./text.ts";

/** Every form of a report, by the name that `--report` knows it by. */
export const RENDERERS = { text, json, html, github, markdown, sarif, junit } as const satisfies Readonly<
  Record<string, Renderer>
>;

export type Form = keyof typeof RENDERERS;

/** One form that was asked for, and where it goes: a file, or the terminal where that is null. */
export type RequestedReport = {
  readonly form: Form;
  readonly file: string | null;
  /** The stream, when there is no file: beside a form for programs, people read the other one. */
  readonly stream: "out" | "err";
};

/** Parses the value of `--report`: `text,json=out.json,github`. A form without a file goes to the terminal. */
export function parseReports(value: string): RequestedReport[] {
  const reports = value.split(",").map(parseReport);
  const files = new Set<string>();
  for (const { form, file } of reports) {
    const target = file === null ? `the terminal as ${form}` : normalize(file);
    if (files.has(target)) throw new UsageError({ sentence: `--report writes twice to ${target}.` });
    files.add(target);
  }
  const [program, second] = reports.filter(
    ({ form, file }) => file === null && RENDERERS[form].isForPrograms,
  );
  if (program && second) {
    throw new UsageError({
      sentence: `--report writes ${program.form} and ${second.form} to one stream, which no program can read.`,
      hint: `give one of them a file: ${second.form}=<file>`,
    });
  }
  return reports.map(({ form, file }) => ({
    form,
    file,
    stream: program === undefined || program.form === form ? "out" : "err",
  }));
}

function parseReport(part: string): Pick<RequestedReport, "form" | "file"> {
  const [, form = "", file = null] = /^([^=]*)(?:=(.*))?$/s.exec(part) ?? [];
  if (!isForm(form)) {
    const near = nearestName(form, Object.keys(RENDERERS));
    throw new UsageError({
      sentence: `--report knows no form "${form}".`,
      context: [`forms: ${Object.keys(RENDERERS).join(", ")}`],
      ...(near === null ? {} : { hint: `did you mean ${near}?` }),
    });
  }
  if (file === "") {
    throw new UsageError({
      sentence: `--report ${form}= names no file.`,
      hint: `for the terminal write ${form} alone; or is a variable empty?`,
    });
  }
  return { form, file };
}

function isForm(name: string): name is Form {
  return Object.hasOwn(RENDERERS, name);
}
