import { compareCodeUnits } from "../base/collections.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import type { Place } from "../dialects/locate.ts";
import type { Change } from "../dialects/members.ts";
import type { Style } from "../dialects/style.ts";
import type { AssessedOperation } from "../operations/operation-set.ts";
import type { BookkeepingMark, DerivedChange, Finding, Where } from "../report/finding.ts";
import { diffSchemas, type Renames, type RootCause } from "./diff-schemas.ts";
import {
  asksForTypeName,
  assessOperations,
  type JoinedImpact,
  joinImpacts,
  type OperationAssessment,
  type OperationVerdict,
  renameInOperations,
} from "./impact/assess-operations.ts";
import { arrangeEffects, type Effect } from "./impact/effect.ts";
import type { DiffOptions } from "./severity-rules.ts";

export type DifferenceInput = DiffOptions & {
  readonly before: ApiSchema;
  readonly after: ApiSchema;
  readonly style: Style;
  /** Null if the protocol and style of the schemas are unknown. */
  readonly where: Where | null;
  readonly operations: readonly AssessedOperation[];
  /** Where a coordinate is written down, in the snapshot. */
  readonly placeOf: (coordinate: string) => Place | null;
  readonly fix: string | null;
};

/** Finds what differs between two schemas of one style and what that does to operations, as findings. */
export function findDifferences(input: DifferenceInput): {
  readonly findings: readonly Finding[];
  readonly assessments: readonly OperationAssessment[];
} {
  const { before, after, style, operations } = input;
  const { causes, aligned, renames } = diffSchemas(before, after, style, input);
  const assessed: Assessed[] = [];
  if (renames !== null) {
    const ofRenames = causes.filter(({ change }) => change.kind === "type-renamed");
    assessed.push({ causes: ofRenames, assessments: assessRenames(input, aligned) });
  }
  if (causes.length > 0) {
    // Renames are assessed already; everything else is judged as if operations had the new names.
    const renamed = renames === null ? operations : renameInOperations(operations, renames, before);
    const others = causes.filter(({ change }) => change.kind !== "type-renamed");
    assessed.push({ causes: others, assessments: assessOperations(renamed, aligned, after, input) });
  }
  const joined = assessed.map(({ causes: some, assessments }) => joinImpacts(assessments, some));
  const unexplained = joined.flatMap((each) => each.unexplained);
  const impactsOf = (cause: RootCause) => joined.flatMap(({ byCause }) => byCause.get(cause) ?? []);
  const places = renames === null ? input : { ...input, placeOf: placeUnderOldName(input, renames) };
  return {
    findings: [
      ...causes.map((cause) => toFinding(cause, impactsOf(cause), places)),
      ...(unexplained.length > 0 ? [unexplainedFinding(unexplained, input)] : []),
    ],
    assessments: joinAssessments(assessed),
  };
}

type Assessed = {
  readonly causes: readonly RootCause[];
  readonly assessments: readonly OperationAssessment[];
};

/** An answer is the same under another name of its type, unless `__typename` is asked for. */
function assessRenames(input: DifferenceInput, aligned: ApiSchema): readonly OperationAssessment[] {
  const { operations, before } = input;
  const named = new Set(
    operations.filter(({ document }) => asksForTypeName(document)).map(({ name }) => name),
  );
  return assessOperations(operations, before, aligned, input).map((assessment) => {
    const effects = assessment.effects.filter(
      ({ impact }) => impact === "broken" || named.has(assessment.name),
    );
    const verdict = assessment.errorsBefore.length > 0 ? assessment.verdict : verdictOf(effects);
    return { ...assessment, effects, verdict };
  });
}

function joinAssessments([first, second]: readonly Assessed[]): readonly OperationAssessment[] {
  if (first === undefined || second === undefined) return first?.assessments ?? [];
  return first.assessments.map((one, index) => {
    const effects = arrangeEffects([...one.effects, ...(second.assessments[index]?.effects ?? [])]);
    return { ...one, effects, verdict: effects.length > 0 ? verdictOf(effects) : one.verdict };
  });
}

function verdictOf([worst]: readonly Effect[]): OperationVerdict {
  return worst?.impact ?? "unaffected";
}

/** The snapshot has what is gone from a renamed entity under the old name. */
function placeUnderOldName({ placeOf }: DifferenceInput, { types }: Renames): DifferenceInput["placeOf"] {
  const old = new Map([...types].map(([from, to]) => [to, from]));
  return (coordinate) =>
    placeOf(coordinate) ?? placeOf(coordinate.replace(/^\w+/, (name) => old.get(name) ?? name));
}

function toFinding(
  cause: RootCause,
  impacts: readonly JoinedImpact[],
  { where, placeOf, fix, style }: DifferenceInput,
): Finding & BookkeepingMark {
  const { origin, change, layer, severity, derived, derivedCoordinates, worstDerived, isOnlyPossible } =
    cause;
  const subject = subjectOf(cause);
  const worst = worstDerived
    .map((one): DerivedChange => ({ coordinate: one.coordinate, before: one.before, after: one.after }))
    .sort((a, b) => compareCodeUnits(a.coordinate, b.coordinate));
  const isBookkeeping = origin?.kind === "platform" && style.platform.ownColumns.has(origin.feature);
  return {
    code: `drift/${change.kind}`,
    severity,
    layer,
    subject,
    message: isOnlyPossible
      ? `${subject}: possibly renamed to ${change.after}.`
      : describeChange(change, subject),
    coordinate: change.coordinate,
    before: change.before,
    after: change.after,
    derived,
    ...(derivedCoordinates.length > 0 ? { derivedCoordinates } : {}),
    ...(worst.length > 0 ? { worstDerived: worst } : {}),
    where,
    operations: impacts.map(({ fix: _, ...impact }) => impact),
    place: placeOf(change.coordinate),
    fix: isOnlyPossible ? null : ((cause.moves ? listMoves(impacts) : impacts[0]?.fix) ?? fix),
    ...(isOnlyPossible ? { isOnlyPossible } : {}),
    ...(isBookkeeping ? { isBookkeeping } : {}),
  };
}

/** A rename shows in many places: each that is broken says what to write there. */
function listMoves(impacts: readonly JoinedImpact[]): string | undefined {
  const fixes = new Set(impacts.flatMap(({ impact, fix }) => (impact === "broken" ? [fix] : [])));
  if (fixes.size === 0) return impacts[0]?.fix;
  const lines = [...fixes].slice(0, MOST_MOVES);
  const more = fixes.size - lines.length;
  return [...lines, ...(more > 0 ? [`And ${more} more like it.`] : [])].join("\n");
}

const MOST_MOVES = 8;

/** A root is called by what is asked of it, also where a feature of the platform is one. */
function subjectOf({ change, derivedChanges }: RootCause): string {
  const { kind, coordinate } = change;
  const root = [change, ...(kind.startsWith("platform-feature-") ? derivedChanges : [])].find((one) =>
    one.kind.startsWith("root-"),
  );
  return (root && ROOT_SUBJECTS.get(root.coordinate)) ?? coordinate;
}

const ROOT_SUBJECTS: ReadonlyMap<string, string> = new Map([
  ["query", "queries"],
  ["mutation", "mutations"],
  ["subscription", "subscriptions"],
]);

/** An operation that breaks for no known reason breaks all the same. */
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
