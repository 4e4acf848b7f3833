import { displayText } from "../../base/text.ts";
import { surfaceId } from "../../dialects/surface.ts";
import {
  changeOf,
  impactOf,
  isAcceptable,
  operationsByPlace,
  titleOf,
  whereOf,
} from "../describe-finding.ts";
import { isIdentityMismatch } from "../finding.ts";
import type { DecidedFinding } from "../outcome.ts";
import type { RenderOptions, Report } from "../report.ts";
import type { FindingData, ImpactData, PlaceData } from "./page-data.ts";

/** Of one finding. What is left out is counted, and the JSON report has it. */
const MOST_OPERATIONS = 200;
const MOST_DERIVED = 100;

/** Builds what is shown of findings, in their order. */
export function buildFindings(
  findings: readonly DecidedFinding[],
  report: Report,
  chainsOf: ReadonlyMap<string, readonly string[]>,
  accept: RenderOptions["accept"],
): FindingData[] {
  return findings.map((finding) => {
    const { fingerprint, code, severity, fails, message, fix, acceptance, place } = finding;
    const { coordinate, derivedCoordinates = [], elsewhere = [] } = finding;
    const operations = operationsByPlace(finding).flatMap(({ where, operations }) =>
      operations.map(
        (one): ImpactData => ({
          name: displayText(one.name, []),
          surface: where === null ? "" : surfaceId(where),
          impact: one.impact,
          message: displayText(one.message, []),
          file: displayText(one.file, []),
          line: one.line,
          column: one.column,
        }),
      ),
    );
    const shown = operations.slice(0, MOST_OPERATIONS);
    const derived = derivedCoordinates.slice(0, MOST_DERIVED).map((name) => displayText(name, []));
    return {
      fingerprint,
      code,
      severity,
      fails,
      title: titleOf(finding),
      change: changeOf(finding),
      message: displayText(message, []),
      impact: impactOf(finding),
      where: displayText(whereOf(finding, report), []),
      fix: (fix ?? "")
        .split("\n")
        .map((line) => displayText(line, []))
        .filter(Boolean),
      acceptance: acceptance && describeAcceptance(acceptance),
      coordinate: displayed(coordinate),
      place: place && { ...place, file: displayText(place.file, []) },
      places: [finding, ...elsewhere].flatMap(({ where, before, after }): PlaceData[] => {
        if (where === null) return [];
        const chains = [...new Set(where.deployments.flatMap((name) => chainsOf.get(name) ?? []))];
        return [{ surface: surfaceId(where), chains, before: displayed(before), after: displayed(after) }];
      }),
      operations: shown,
      moreOperations: operations.length - shown.length,
      derived,
      moreDerived: derivedCoordinates.length - derived.length,
      accept: acceptCommand(finding, accept),
      explain: `lockflow explain ${code}`,
    };
  });
}

function displayed(text: string | null): string | null {
  return text === null ? null : displayText(text, []);
}

function describeAcceptance({ reason, until }: NonNullable<DecidedFinding["acceptance"]>): string {
  return `${displayText(reason, [])}${until === null ? "" : ` (until ${until})`}`;
}

/** Who is somebody else has another URL in the end; nobody is sent to live with that. */
function acceptCommand(finding: DecidedFinding, accept: RenderOptions["accept"]): string | null {
  if (accept === "never" || !isAcceptable(finding) || isIdentityMismatch(finding)) return null;
  const from = accept === "report" ? " --from report.json" : "";
  return `lockflow accept ${finding.fingerprint} --reason "…"${from}`;
}
