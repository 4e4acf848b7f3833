import { once } from "../base/collections.ts";
import { readOwnFile } from "../base/own-package.ts";
import { SEVERITIES, type Severity } from "./finding.ts";

/** The long explanation of a code. */
export type Explanation = {
  readonly means: string;
  /** Empty for the reasons of `port` and `adapt`. */
  readonly matters: string;
  /** The meaning of each severity; empty if the findings of the code have only one. */
  readonly severities: ReadonlyMap<Severity, string>;
  readonly act: string;
};

/**
 * The explanations of all codes: the sections of `docs/findings.md`, and the reasons of `port` and `adapt`, which are the rows
 * of tables in `docs/migrate.md` and `docs/adapt.md`.
 */
export const readExplanations = once((): ReadonlyMap<string, Explanation> => {
  const [, ...sections] = readOwnFile("docs/findings.md").split(/^### /m);
  const findings = sections.map((section): [string, Explanation] => {
    const [code = "", means = "", matters = "", ...others] = section.split("\n\n").map(joinLines);
    const act = others.find((text) => text.startsWith("**")) ?? "";
    const severities = others.join("\n").matchAll(/^- (\w+): (.*)$/gm);
    const meanings = new Map([...severities].map(([, name, text = ""]) => [name as Severity, text]));
    return [code, { means, matters: withoutTitle(matters), severities: meanings, act: withoutTitle(act) }];
  });
  const rows = ["docs/migrate.md", "docs/adapt.md"].flatMap((page) => [
    ...readOwnFile(page).matchAll(/^\| `((?:port|adapt)\/[a-z-]+)` \| (.*) \| (.*) \|$/gm),
  ]);
  const reasons = rows.map(([, code = "", means = "", act = ""]): [string, Explanation] => [
    code,
    { means, matters: "", severities: new Map(), act },
  ]);
  return new Map([...findings, ...reasons]);
});

/** Joins the wrapped lines of a paragraph or of list items. */
function joinLines(block: string): string {
  return block.trim().replaceAll(/\n(?!- )\s*/g, " ");
}

function withoutTitle(text: string): string {
  return text.replace(/^\*\*.*?\*\* /, "");
}

/** Renders the explanation of a code for people; null if the code is unknown. */
export function renderExplanation(code: string): string | null {
  const explanation = readExplanations().get(code);
  if (explanation === undefined) return null;
  const { means, matters, act } = explanation;
  return [
    ...[code, `  ${means}`, ""],
    ...(matters === "" ? [] : ["Why it matters", `  ${matters}`, ""]),
    ...renderSeverities(code, explanation),
    ...["What to do", `  ${act}`],
  ].join("\n");
}

function renderSeverities(code: string, { severities }: Explanation): string[] {
  if (severities.size === 0) return [];
  const lines = [...severities].map(([severity, text]) => `  ${severity.padEnd(WIDTH)}  ${text}`);
  // The severity of a change does not include its consequences.
  const worse = code.startsWith("drift/") && !severities.has("breaking") ? [`  ${WORSE}`] : [];
  return ["What its severity means", ...lines, ...worse, ""];
}

const WIDTH = Math.max(...SEVERITIES.map((severity) => severity.length));

const WORSE =
  "A worse severity comes from a derived change. The finding names one of them, and --verbose lists all.";
