import { normalize } from "node:path";
import { UsageError } from "../../base/errors.ts";
import { nearestName } from "../../base/text.ts";
import type { Renderer } from "../report.ts";

/** Every form of a report, by its name in `--report`. Its renderer is loaded on use. */
export const FORMS = {
  text: { isForPrograms: false, load: async () => (await import("./text.ts")).text },
  json: { isForPrograms: true, showsDetails: true, load: async () => (await import("./json.ts")).json },
  html: { isForPrograms: true, showsDetails: true, load: async () => (await import("./html.ts")).html },
  github: { isForPrograms: false, load: async () => (await import("./github.ts")).github },
  markdown: { isForPrograms: false, load: async () => (await import("./markdown.ts")).markdown },
  sarif: { isForPrograms: true, load: async () => (await import("./sarif.ts")).sarif },
  junit: { isForPrograms: true, load: async () => (await import("./junit.ts")).junit },
} as const satisfies Readonly<Record<string, FormFacts>>;

type FormFacts = {
  /** Whether programs read it: then nothing else is written to its stream. */
  readonly isForPrograms: boolean;
  /** True if it shows more than findings: parity, and the texts of operations. */
  readonly showsDetails?: true;
  readonly load: () => Promise<Renderer>;
};

export type Form = keyof typeof FORMS;

/** Whether any of the reports shows more than findings. */
export function showsDetails(reports: readonly RequestedReport[]): boolean {
  return reports.some(({ form }) => "showsDetails" in FORMS[form]);
}

/** One requested form with its output: a file, or the terminal if that is null. */
export type RequestedReport = {
  readonly form: Form;
  readonly file: string | null;
  /** The stream if there is no file. If a form for programs uses one stream, text for people uses the other. */
  readonly stream: "out" | "err";
};

/** Parses the value of `--report`: `text,json=out.json,github`. A form without a file goes to the terminal. */
export function parseReports(value: string): RequestedReport[] {
  const reports = value.split(",").map(parseReport);
  const files = new Set<string>();
  for (const { form, file } of reports) {
    const target = file === null ? `the terminal as ${form}` : normalize(file);
    if (files.has(target)) throw new UsageError({ sentence: `--report has ${target} twice.` });
    files.add(target);
  }
  const [program, second] = reports.filter(({ form, file }) => file === null && FORMS[form].isForPrograms);
  if (program && second) {
    throw new UsageError({
      sentence: `--report cannot write both ${program.form} and ${second.form} to the terminal.`,
      hint: `write one of them to a file: ${second.form}=<file>`,
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
    const near = nearestName(form, Object.keys(FORMS));
    throw new UsageError({
      sentence: `Unknown form "${form}" in --report.`,
      context: [`forms: ${Object.keys(FORMS).join(", ")}`],
      ...(near === null ? {} : { hint: `did you mean ${near}?` }),
    });
  }
  if (file === "") {
    throw new UsageError({
      sentence: `--report ${form}= has no file name.`,
      hint: `to print to the terminal, write ${form} without "="; if the name comes from a variable, it is empty.`,
    });
  }
  return { form, file };
}

function isForm(name: string): name is Form {
  return Object.hasOwn(FORMS, name);
}
