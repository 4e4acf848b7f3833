import { SchemaError, type SchemaProblem } from "../base/errors/schema-error.ts";
import { once } from "../base/once.ts";
import type { Place } from "../base/place.ts";
import { findDifferences } from "../compare/find-differences.ts";
import { readSide } from "../compare/schema-side.ts";
import type { DiffOptions } from "../compare/severity-rules.ts";
import { type OfSurface, surfaceId } from "../project/surface.ts";
import type { Protocol, StyleName } from "../project/vocabulary.ts";
import { buildFileFinding } from "../report/build-file-finding.ts";
import type { Finding, Where } from "../report/finding.ts";
import type { OperationReport } from "../report/report.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import { locateCoordinates } from "../schema/locate-coordinates.ts";
import { locateDefinitions } from "../schema/locate-definitions.ts";
import { parseSnapshot } from "../snapshots/parse-snapshot.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import { styles } from "../styles/index.ts";
import type { DeriveOptions } from "../styles/style.ts";
import { chooseRelease } from "./choose-release.ts";
import type { DeriveEntities } from "./derive-entities.ts";
import { derivePlanned, type EntityText } from "./derive-planned.ts";
import type { PlacedOperation } from "./read-operations.ts";
import { reportOperations } from "./report-operations.ts";

/** What is planned for one protocol in one style. */
export type SurfacePlan = OfSurface & {
  /** The entity schema that is to be deployed, and its path from the project's root. */
  readonly entities: EntityText & { readonly file: string };
  /** What is committed of the API; null where nothing is. */
  readonly snapshot: Snapshot | null;
  /** The entity schema at a git ref, to compare with in place of the snapshot; without text where it was not there. */
  readonly earlier: { readonly name: string; readonly text: string | null } | null;
  /** One of the platform's releases; null for the one that the snapshot shows. */
  readonly release: string | null;
  readonly operations: readonly PlacedOperation[];
};

/** How a plan is compared with what there is. */
export type PlanRules = DiffOptions & {
  readonly derive: DeriveEntities;
  /** The output folder from the project's root. */
  readonly output: string;
};

/** An API that was derived from an entity schema, or would have been. */
export type PlannedApi = {
  readonly protocol: Protocol;
  readonly style: StyleName;
  /** The path of the entity schema, as it was given. */
  readonly entities: string;
  /** The release of the platform that it was derived for: `graph-node-0.44`. */
  readonly release: string;
  /** Who says that it is this one: the snapshot that shows it, the caller, or nobody: then it is the default. */
  readonly releaseFrom: "snapshot" | "caller" | "default";
  /** What it was compared with: a snapshot (`lockup/subgraph`), or an entity schema at a git ref. */
  readonly before: string;
  /**
   * What became of it.
   * - `compared`: the findings tell what changes.
   * - `new`: there is nothing to compare it with.
   * - `refused`: the platform does not take the entity schema.
   */
  readonly status: "compared" | "new" | "refused";
};

/** What a plan comes to for one surface. */
export type PlannedSurface = {
  readonly api: PlannedApi;
  readonly findings: readonly Finding[];
  /** Without what the findings do to them. */
  readonly operations: readonly OperationReport[];
};

/** Derives the API that an entity schema would give, and compares it with the one there is. */
export async function planSurface(plan: SurfacePlan, rules: PlanRules): Promise<PlannedSurface> {
  const { protocol, style: styleName, entities, snapshot, earlier, operations } = plan;
  const style = styles[styleName];
  const shown = snapshot && parseSnapshot(snapshot.base);
  const derive = (text: EntityText, options: DeriveOptions) =>
    derivePlanned(style, text, options, shown, rules.derive);
  const was = earlier === null || earlier.text === null ? null : { ...earlier, text: earlier.text };
  // What was deployed tells more of the release than what is only planned.
  const { options, from } = await resolveOptions(plan, shown, (options) => derive(was ?? entities, options));
  const release = `${style.platform.name}-${options.release}`;
  const api = {
    protocol,
    style: styleName,
    entities: entities.name,
    release,
    releaseFrom: from,
    before: earlier?.name ?? surfaceId(plan),
  };
  const where = whereOf(plan);
  const after = await orProblems(derive(entities, options));
  if (after instanceof SchemaError) {
    const newest = style.platform.releases.at(-1);
    const later = await orProblems(derive(entities, { ...options, release: newest }));
    const taker = later instanceof SchemaError ? null : `${style.platform.name}-${newest}`;
    const findings = describeRefusal(after, plan, release, taker);
    return { api: { ...api, status: "refused" }, findings, operations: [] };
  }
  const before = earlier === null ? shown : was && (await orProblems(derive(was, options)));
  if (before === null || before instanceof SchemaError) {
    const rest = { place: { file: entities.file, line: null, column: null }, where };
    const finding =
      earlier === null
        ? buildFileFinding("plan/new-api", [api.before], rest)
        : buildFileFinding("plan/not-compared", [api.before, before && release], rest);
    return { api: { ...api, status: "new" }, findings: [finding], operations: [] };
  }
  const { findings } = findDifferences({
    before,
    after,
    style,
    where,
    operations,
    exhaustiveEnums: rules.exhaustiveEnums,
    placeOf: createPlaceOf(plan, rules.output),
    fix: null,
  });
  return {
    api: { ...api, status: "compared" },
    findings,
    operations: reportOperations(operations, [], where),
  };
}

/** What a platform is derived for: what its snapshot shows, as far as the caller does not say otherwise. */
async function resolveOptions(
  { style: name, release }: SurfacePlan,
  shown: ApiSchema | null,
  derive: (options: DeriveOptions) => Promise<ApiSchema>,
): Promise<{ readonly options: DeriveOptions; readonly from: PlannedApi["releaseFrom"] }> {
  const style = styles[name];
  const recognized = shown && readSide(shown, style).recognized;
  const settings = recognized?.options ?? {};
  if (release !== null) return { options: { ...settings, release }, from: "caller" };
  if (shown === null || recognized === null || recognized.release === null) {
    return { options: { ...settings, release: style.platform.defaultRelease }, from: "default" };
  }
  return {
    options: { ...settings, release: await chooseRelease(style, shown, settings, derive) },
    from: "snapshot",
  };
}

function whereOf({ protocol, style }: SurfacePlan): Where {
  return { protocol, style, deployments: [] };
}

/** @param taker the newest release, if it takes what another refuses. */
function describeRefusal(
  refusal: SchemaError,
  plan: SurfacePlan,
  release: string,
  taker: string | null,
): Finding[] {
  const fix = `correct it${taker === null ? "" : `; ${taker} takes it: name the release that runs with --release`}.`;
  return problemsOf(refusal).map(({ reason, line, column }) => {
    const place = { file: plan.entities.file, line, column };
    return buildFileFinding("plan/refused", [release, reason], { place, where: whereOf(plan), fix });
  });
}

/** What is wrong with a text; what is wrong without one is said as it is. */
export function problemsOf({ problems, sentence }: SchemaError): readonly SchemaProblem[] {
  return problems.length > 0 ? problems : [{ reason: sentence, line: null, column: null }];
}

async function orProblems(derived: Promise<ApiSchema>): Promise<ApiSchema | SchemaError> {
  try {
    return await derived;
  } catch (error) {
    if (error instanceof SchemaError) return error;
    throw error;
  }
}

/** Where a coordinate is written: in the entity schema, else what it belongs to there, else in the snapshot. */
function createPlaceOf(
  { entities: { text, name, file }, snapshot }: SurfacePlan,
  output: string,
): (coordinate: string) => Place | null {
  const positionsOf = once(() => {
    const positions = locateDefinitions(text, name);
    // One platform folds the case of enums.
    const folded = [...positions].map(
      ([coordinate, position]) => [coordinate.toLowerCase(), position] as const,
    );
    return { positions, folded: new Map(folded) };
  });
  const inSnapshot =
    snapshot === null ? () => null : locateCoordinates(snapshot.base.text, `${output}/${snapshot.base.path}`);
  return (coordinate) => {
    const { positions, folded } = positionsOf();
    const owner = coordinate.replace(/[.(].*$/, "");
    const position = positions.get(coordinate) ?? folded.get(owner.toLowerCase());
    return position === undefined ? inSnapshot(coordinate) : { file, ...position };
  };
}
