import type { ApiSchema } from "../model/api-schema.ts";
import type { Change } from "../model/change.ts";
import type { DerivedChange, Finding, Place, Where } from "../model/finding.ts";
import type { Style } from "../styles/style.ts";
import { compareCodeUnits } from "../utils/compare-code-units.ts";
import { type DiffOptions, diffSchemas } from "./diff-schemas.ts";
import { assessOperations, type OperationAssessment } from "./impact/assess-operations.ts";
import type { AssessedOperation } from "./impact/effect.ts";
import { type JoinedImpact, joinImpacts } from "./impact/join-impacts.ts";
import type { RootCause } from "./root-cause.ts";

export type DifferenceInput = DiffOptions & {
  /** Canonical, as `after` is. */
  readonly before: ApiSchema;
  readonly after: ApiSchema;
  readonly style: Style;
  /** Null where nobody knows whose schemas they are. */
  readonly where: Where | null;
  /** The operations of this protocol and style. */
  readonly operations: readonly AssessedOperation[];
  /** Where a coordinate is written down, in the snapshot. */
  readonly placeOf: (coordinate: string) => Place | null;
  /** What to type where no operation is hit. */
  readonly fix: string | null;
};

export type Differences = {
  /** One a root cause, in code-unit order of coordinate. */
  readonly findings: readonly Finding[];
  readonly assessments: readonly OperationAssessment[];
};

/** Finds what differs between two schemas of one style and what that does to operations, as findings. */
export function findDifferences(input: DifferenceInput): Differences {
  const { before, after, style, operations } = input;
  const causes = diffSchemas(before, after, style, input);
  const assessments = causes.length === 0 ? [] : assessOperations(operations, before, after, input);
  const { byCause, unexplained } = joinImpacts(assessments, causes);
  return {
    findings: [
      ...causes.map((cause) => toFinding(cause, byCause.get(cause) ?? [], input)),
      ...(unexplained.length > 0 ? [unexplainedFinding(unexplained, input)] : []),
    ],
    assessments,
  };
}

function toFinding(
  cause: RootCause,
  impacts: readonly JoinedImpact[],
  { where, placeOf, fix, style }: DifferenceInput,
): Finding {
  const { origin, change, layer, severity, derivedCoordinates, coordinates, worstDerived } = cause;
  const subject = subjectOf(cause);
  const [worst] = impacts;
  const isBookkeeping = origin?.kind === "platform" && style.ownColumns.has(origin.feature);
  return {
    code: `drift/${change.kind}`,
    severity,
    layer,
    subject,
    message: describeChange(change, subject),
    coordinate: change.coordinate,
    before: change.before,
    after: change.after,
    derived: derivedCoordinates,
    ...(coordinates.length > 0 ? { derivedCoordinates: coordinates } : {}),
    ...(worstDerived.length > 0 ? { worstDerived: worstDerived.map(withoutKind).sort(byCoordinate) } : {}),
    where,
    operations: impacts.map(({ fix: _, ...impact }) => impact),
    place: placeOf(change.coordinate),
    fix: worst?.fix ?? fix,
    ...(isBookkeeping ? { isBookkeeping } : {}),
  };
}

/** A root is told by what is asked of it, also where a feature of the platform is one. */
function subjectOf({ change, derived }: RootCause): string {
  const { kind, coordinate } = change;
  const root = [change, ...(kind.startsWith("platform-feature-") ? derived : [])].find((one) =>
    one.kind.startsWith("root-"),
  );
  return (root && ROOT_SUBJECTS.get(root.coordinate)) ?? coordinate;
}

const ROOT_SUBJECTS: ReadonlyMap<string, string> = new Map([
  ["query", "queries"],
  ["mutation", "mutations"],
  ["subscription", "subscriptions"],
]);

function withoutKind({ coordinate, before, after }: Change): DerivedChange {
  return { coordinate, before, after };
}

function byCoordinate(a: DerivedChange, b: DerivedChange): number {
  return compareCodeUnits(a.coordinate, b.coordinate);
}

/** What no change explains is told all the same: an operation that breaks for no known reason breaks. */
function unexplainedFinding(impacts: readonly JoinedImpact[], { where, fix }: DifferenceInput): Finding {
  const [worst] = impacts;
  return {
    code: "drift/unexplained",
    severity: "breaking",
    layer: "platform",
    subject: worst?.name ?? "",
    message: worst?.message ?? "",
    coordinate: null,
    before: null,
    after: null,
    derived: 0,
    where,
    operations: impacts.map(({ fix: _, ...impact }) => impact),
    place: null,
    fix: worst?.fix ?? fix,
  };
}

function describeChange({ kind, before, after }: Change, subject: string): string {
  const words = kind.replaceAll("-", " ");
  if (before === null) return `${subject}: ${words} (${after}).`;
  if (after === null) return `${subject}: ${words} (was ${before}).`;
  return `${subject}: ${words}, from ${before} to ${after}.`;
}
