import { compareCodeUnits } from "../base/collections.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import type { Place } from "../dialects/locate.ts";
import type { Change } from "../dialects/members.ts";
import type { Style } from "../dialects/style.ts";
import type { AssessedOperation } from "../operations/operation-set.ts";
import type { ApiNames } from "../operations/rename-document.ts";
import type { BookkeepingMark, DerivedChange, Finding, Where } from "../report/finding.ts";
import { diffSchemas, type RootCause } from "./diff-schemas.ts";
import type { Rename } from "./find-api-renames.ts";
import {
  assessOperations,
  type JoinedImpact,
  joinImpacts,
  type OperationAssessment,
  type OperationVerdict,
  renameInOperations,
  selectsTypeName,
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
  /** Returns the place of a coordinate in the snapshot. */
  readonly locate: (coordinate: string) => Place | null;
  readonly fix: string | null;
};

/** The differences between two schemas of one style. */
export type Differences = {
  readonly findings: readonly Finding[];
  readonly assessments: readonly OperationAssessment[];
  /** The certain ones. */
  readonly renames: readonly Rename[];
  /** The broken places that a rename explains, certain or possible. */
  readonly renamed: readonly RenamedPlace[];
};

/** A place of an operation with an old name. `rename` is the same text for the same rename in both styles. */
type RenamedPlace = JoinedImpact & { readonly rename: string };

/** Returns the differences between two schemas of one style, and their effects on operations, as findings. */
export function findDifferences(input: DifferenceInput): Differences {
  const { before, after, style, operations } = input;
  const { causes, aligned, names, renames } = diffSchemas(input, style, input);
  const assessed: Assessed[] = [];
  if (names !== null) {
    const ofRenames = causes.filter(isTypeRename);
    assessed.push({ causes: ofRenames, assessments: assessRenames(input, aligned) });
  }
  if (causes.length > 0) {
    // Renames are already assessed. Other changes are assessed with the new names in operations.
    const renamed = names === null ? operations : renameInOperations(operations, names, before);
    const others = causes.filter((cause) => !isTypeRename(cause));
    assessed.push({
      causes: others,
      assessments: assessOperations(renamed, { before: aligned, after }, input),
    });
  }
  const joined = assessed.map((part) => joinImpacts(part.assessments, part.causes));
  const unexplained = joined.flatMap((each) => each.unexplained);
  const impactsOf = (cause: RootCause) => joined.flatMap(({ byCause }) => byCause.get(cause) ?? []);
  const places = names === null ? input : { ...input, locate: locateUnderOldName(input, names) };
  return {
    findings: [
      ...causes.map((cause) => toFinding(cause, impactsOf(cause), places)),
      ...(unexplained.length > 0 ? [unexplainedFinding(unexplained, input)] : []),
    ],
    assessments: joinAssessments(assessed),
    renamed: joined.flatMap(({ byCause }) => [...byCause].flatMap(listRenamedPlaces)),
    renames,
  };
}

/** Returns whether a cause is the new name of a type, with which the other causes were found. */
function isTypeRename({ change, isOnlyPossible }: RootCause): boolean {
  return change.kind === "type-renamed" && !isOnlyPossible;
}

function listRenamedPlaces([cause, impacts]: [RootCause, readonly JoinedImpact[]]): RenamedPlace[] {
  const { kind, coordinate, after } = cause.change;
  if (!kind.endsWith("-renamed")) return [];
  const rename = `${coordinate} ${after}`;
  return impacts.flatMap((impact) => (impact.impact === "broken" ? [{ ...impact, rename }] : []));
}

type Assessed = {
  readonly causes: readonly RootCause[];
  readonly assessments: readonly OperationAssessment[];
};

/** Assesses renamed types. A new type name changes answers only if `__typename` is selected. */
function assessRenames(input: DifferenceInput, aligned: ApiSchema): readonly OperationAssessment[] {
  const { operations, before } = input;
  const withTypeName = new Set(
    operations.filter(({ document }) => selectsTypeName(document)).map(({ name }) => name),
  );
  return assessOperations(operations, { before, after: aligned }, input).map((assessment) => {
    const effects = assessment.effects.filter(
      ({ impact }) => impact === "broken" || withTypeName.has(assessment.name),
    );
    const verdict = assessment.errorsBefore.length > 0 ? assessment.verdict : verdictOf(effects);
    return { ...assessment, effects, verdict };
  });
}

function joinAssessments([first, second]: readonly Assessed[]): readonly OperationAssessment[] {
  if (first === undefined || second === undefined) return first?.assessments ?? [];
  return first.assessments.map((assessment, index) => {
    const effects = arrangeEffects([...assessment.effects, ...(second.assessments[index]?.effects ?? [])]);
    return { ...assessment, effects, verdict: effects.length > 0 ? verdictOf(effects) : assessment.verdict };
  });
}

function verdictOf([worst]: readonly Effect[]): OperationVerdict {
  return worst?.impact ?? "unaffected";
}

/** Locates coordinates of renamed entities, which have the old name in the snapshot. */
function locateUnderOldName({ locate }: DifferenceInput, { types }: ApiNames): DifferenceInput["locate"] {
  const old = new Map([...types].map(([from, to]) => [to, from]));
  return (coordinate) =>
    locate(coordinate) ?? locate(coordinate.replace(/^\w+/, (name) => old.get(name) ?? name));
}

function toFinding(
  cause: RootCause,
  impacts: readonly JoinedImpact[],
  { where, locate, fix, style }: DifferenceInput,
): Finding & BookkeepingMark {
  const { origin, change, layer, severity, derived, derivedCoordinates, worstDerived, isOnlyPossible } =
    cause;
  const subject = subjectOf(cause);
  const worst = worstDerived
    .map(({ coordinate, before, after }): DerivedChange => ({ coordinate, before, after }))
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
    ...(derivedCoordinates.length > 0 && { derivedCoordinates }),
    ...(worst.length > 0 && { worstDerived: worst }),
    where,
    operations: impacts.map(({ fix: _, ...impact }) => impact),
    place: locate(change.coordinate),
    fix: joinLines(isOnlyPossible ? null : cause.renamed ? listRenameFixes(impacts) : impacts[0]?.fix, fix),
    ...(isOnlyPossible && { isOnlyPossible }),
    ...(isBookkeeping && { isBookkeeping }),
  };
}

function joinLines(...lines: readonly (string | null | undefined)[]): string | null {
  return lines.filter((line) => line != null).join("\n") || null;
}

/** Lists the fixes of a rename, one for each broken place. */
function listRenameFixes(impacts: readonly JoinedImpact[]): string | undefined {
  const fixes = new Set(impacts.flatMap(({ impact, fix }) => (impact === "broken" ? [fix] : [])));
  if (fixes.size === 0) return impacts[0]?.fix;
  const lines = [...fixes].slice(0, MOST_FIXES);
  const more = fixes.size - lines.length;
  return [...lines, ...(more > 0 ? [`And ${more} more like it.`] : [])].join("\n");
}

const MOST_FIXES = 8;

/** Returns the subject of a cause. Roots are named after their operations, also if a platform feature adds the root. */
function subjectOf({ change, derivedChanges }: RootCause): string {
  const { kind, coordinate } = change;
  const changes = [change, ...(kind.startsWith("platform-feature-") ? derivedChanges : [])];
  const root = changes.find((each) => each.kind.startsWith("root-"));
  return (root && ROOT_SUBJECTS.get(root.coordinate)) ?? coordinate;
}

const ROOT_SUBJECTS: ReadonlyMap<string, string> = new Map([
  ["query", "queries"],
  ["mutation", "mutations"],
  ["subscription", "subscriptions"],
]);

/** Builds the finding of broken operations that no cause explains. */
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
    fix: joinLines(worst?.fix, fix),
  };
}

function describeChange({ kind, before, after }: Change, subject: string): string {
  const words = kind.replaceAll("-", " ");
  if (before === null) return `${subject}: ${words} (${after}).`;
  if (after === null) return `${subject}: ${words} (was ${before}).`;
  return `${subject}: ${words}, from ${before} to ${after}.`;
}
