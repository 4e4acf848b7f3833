import { SchemaError } from "../base/errors/schema-error.ts";
import { once } from "../base/once.ts";
import type { Place } from "../base/place.ts";
import { findDifferences } from "../compare/find-differences.ts";
import type { DiffOptions } from "../compare/severity-rules.ts";
import { surfaceId } from "../project/surface.ts";
import { buildFileFinding } from "../report/build-file-finding.ts";
import type { Finding } from "../report/finding.ts";
import type { OperationReport, PlannedApi } from "../report/report.ts";
import { locateCoordinates } from "../schema/locate-coordinates.ts";
import { locateDefinitions } from "../schema/locate-definitions.ts";
import { parseSnapshot } from "../snapshots/parse-snapshot.ts";
import { styles } from "../styles/index.ts";
import type { DeriveOptions } from "../styles/style.ts";
import type { DeriveEntities } from "./derive-entities.ts";
import { derivePlanned, type EntityText } from "./derive-planned.ts";
import { findVariantRefusals } from "./find-variant-refusals.ts";
import { describeRefusal, orRefusal } from "./refusal.ts";
import { reportOperations } from "./report-operations.ts";
import { resolveDerivation } from "./resolve-derivation.ts";
import type { SurfacePlan } from "./surface-plan.ts";

/** How a plan is compared with what there is. */
export type PlanRules = DiffOptions & {
  readonly derive: DeriveEntities;
  /** The output folder from the project's root. */
  readonly output: string;
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
  const { options, from } = await resolveDerivation(plan, shown, (options) =>
    derive(was ?? entities, options),
  );
  const release = `${style.platform.name}-${options.release}`;
  const api = {
    protocol,
    style: styleName,
    entities: entities.name,
    release,
    releaseFrom: from,
    before: earlier?.name ?? surfaceId(plan),
  };
  const where = { protocol, style: styleName, deployments: [] };
  const after = await orRefusal(derive(entities, options));
  if (after instanceof SchemaError) {
    const newest = style.platform.releases.at(-1);
    const later = await orRefusal(derive(entities, { ...options, release: newest }));
    const taker = later instanceof SchemaError ? null : `${style.platform.name}-${newest}`;
    const findings = describeRefusal(after, { ...where, file: entities.file, release, taker });
    return { api: { ...api, status: "refused" }, findings, operations: [] };
  }
  const refused = await findVariantRefusals(plan, rules.derive);
  const before = earlier === null ? shown : was && (await orRefusal(derive(was, options)));
  if (before === null || before instanceof SchemaError) {
    const rest = { place: { file: entities.file, line: null, column: null }, where };
    const finding =
      earlier === null
        ? buildFileFinding("plan/new-api", [api.before], rest)
        : buildFileFinding("plan/not-compared", [api.before, before && release], rest);
    return { api: { ...api, status: "new" }, findings: [finding, ...refused], operations: [] };
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
    findings: [...findings, ...refused],
    operations: reportOperations(operations, [], where),
  };
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
