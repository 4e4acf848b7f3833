import { cleanText, jsonWithoutCommands } from "../../base/clean-text.ts";
import { compareCodeUnits } from "../../base/collections.ts";
import { anchorOf, changeOf, impactOf, whereOf } from "../describe-finding.ts";
import { readExplanations } from "../explanations.ts";
import type { DecidedFinding } from "../outcome.ts";
import type { Renderer, RenderOptions, Report } from "../report.ts";

/** SARIF 2.1.0, for code scanning: by the fingerprint, dismissed findings stay dismissed. */
export const sarif: Renderer = {
  render: (report, options) => `${jsonWithoutCommands(JSON.stringify(toSarif(report, options), null, 2))}\n`,
};

/** The limit of code scanning, which refuses files with far more. */
const MOST = 5000;

function toSarif(report: Report, options: RenderOptions): unknown {
  const shown = report.findings.slice(0, MOST);
  const rules = [...new Set(shown.map(({ code }) => code))].sort(compareCodeUnits);
  const dropped = report.findings.length - shown.length;
  const notes =
    dropped === 0 ? [] : [`${dropped} findings were omitted because of the limit of code scanning.`];
  const { exit, reason } = report.outcome;
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "lockflow", version: report.run.version, rules: rules.map(toRule) } },
        columnKind: "utf16CodeUnits",
        invocations: [
          {
            executionSuccessful: exit < 2,
            exitCode: exit,
            exitCodeDescription: reason,
            toolExecutionNotifications: notes.map((text) => ({ level: "note", message: { text } })),
          },
        ],
        results: shown.map((finding) => toResult(finding, rules.indexOf(finding.code), { report, options })),
      },
    ],
  };
}

function toRule(id: string): unknown {
  const code = readExplanations().get(id);
  if (code === undefined) return { id };
  const { means, matters, act } = code;
  return { id, shortDescription: { text: means }, fullDescription: { text: matters }, help: { text: act } };
}

function toResult(
  finding: DecidedFinding,
  ruleIndex: number,
  { report, options }: { readonly report: Report; readonly options: RenderOptions },
) {
  const place = anchorOf(finding) ?? { file: options.anchor, line: null, column: null };
  const uri = `${options.folder}${place.file}`.split("/").map(encodeURIComponent).join("/");
  const { code, fingerprint, acceptance, fix } = finding;
  const subject = cleanText(finding.coordinate ?? finding.subject);
  const said = [
    `${subject}: ${changeOf(finding)}`,
    impactOf(finding, report),
    whereOf(finding, report),
    fix === null ? "" : cleanText(fix),
  ];
  return {
    ruleId: code,
    ruleIndex,
    level: levelOf(finding),
    message: { text: said.filter((part) => part !== "").join(". ") },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri },
          region: {
            startLine: place.line ?? 1,
            ...(place.line !== null && place.column !== null ? { startColumn: place.column } : {}),
          },
        },
      },
    ],
    partialFingerprints: { "lockflow/v1": fingerprint },
    properties: { severity: finding.severity, layer: finding.layer, derived: finding.derived },
    ...(acceptance === null
      ? {}
      : { suppressions: [{ kind: "external", justification: cleanText(acceptance.reason) }] }),
  };
}

function levelOf({ fails, severity, accepted }: DecidedFinding): "error" | "warning" | "note" {
  if (fails) return "error";
  return !accepted && (severity === "breaking" || severity === "risky") ? "warning" : "note";
}
