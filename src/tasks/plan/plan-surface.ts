import { cached, compareCodeUnits, once } from "../../base/collections.ts";
import { SchemaError, type SchemaProblem } from "../../base/errors.ts";
import { findDifferences } from "../../compare/find-differences.ts";
import { findEntityRenames } from "../../compare/find-renames.ts";
import { readSide } from "../../compare/indexed-schema.ts";
import { reportOperations } from "../../compare/report-operations.ts";
import type { DiffOptions } from "../../compare/severity-rules.ts";
import type { ApiSchema } from "../../dialects/api-schema.ts";
import { canonicalize } from "../../dialects/canonicalize.ts";
import { deriveEntities, type EntityText } from "../../dialects/derive-entities.ts";
import { styles } from "../../dialects/index.ts";
import { locateCoordinates, locateDefinitions, type Place } from "../../dialects/locate.ts";
import type { DeriveOptions } from "../../dialects/platform.ts";
import type { BytesType } from "../../dialects/protocol.ts";
import type { Style } from "../../dialects/style.ts";
import { type OfSurface, surfaceId } from "../../dialects/surface.ts";
import { toGraphqlSchema } from "../../dialects/to-graphql-schema.ts";
import type { PlacedOperation } from "../../operations/operation-set.ts";
import { buildFileFinding } from "../../report/codes/files.ts";
import type { Finding, Where } from "../../report/finding.ts";
import type { OperationReport, PlannedApi } from "../../report/report.ts";
import type { Snapshot, SnapshotFile } from "../../workspace/snapshot.ts";
import { parseSnapshot } from "../../workspace/snapshot-schema.ts";
import { planEnums } from "./plan-enums.ts";
import { planIndexes } from "./plan-indexes.ts";

/** How a plan is compared with what there is. */
export type PlanRules = DiffOptions & {
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
  const derive = (text: EntityText, options: DeriveOptions) => derivePlanned(style, text, options, shown);
  const was = earlier === null || earlier.text === null ? null : { ...earlier, text: earlier.text };
  const { options, from } = resolveDerivation(plan, shown);
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
    const findings = describeRefusal(after, { ...where, file: entities.file, release });
    return { api: { ...api, status: "refused" }, findings, operations: [] };
  }
  const refused = await findVariantRefusals(plan);
  const before = earlier === null ? shown : was && (await orRefusal(derive(was, options)));
  if (before === null || before instanceof SchemaError) {
    const rest = { place: { file: entities.file, line: null, column: null }, where };
    const finding =
      earlier === null
        ? buildFileFinding("plan/new-api", [api.before], rest)
        : buildFileFinding("plan/not-compared", [api.before, before && release], rest);
    return { api: { ...api, status: "new" }, findings: [finding, ...refused], operations: [] };
  }
  const locate = createLocator(plan, rules.output);
  const { findings } = findDifferences({
    before,
    after,
    style,
    where,
    operations,
    exhaustiveEnums: rules.exhaustiveEnums,
    locate,
    fix: null,
  });
  const ofFiles =
    style.portable.kind === "authored" ? [] : findHidden({ plan, was, before, where, locate }, rules);
  return {
    api: { ...api, status: "compared" },
    findings: [...findings, ...ofFiles, ...refused],
    operations: reportOperations(operations, [], where),
  };
}

/** Finds what changes in entity files and no multichain API shows: values of enums, and indexes. */
function findHidden(
  {
    plan: { entities, operations, isOnlyStyle },
    was,
    before,
    where,
    locate,
  }: {
    readonly plan: SurfacePlan;
    readonly was: EntityText | null;
    readonly before: ApiSchema;
    readonly where: Where;
    readonly locate: (coordinate: string) => Place | null;
  },
  rules: PlanRules,
): Finding[] {
  const files = { after: entities, where, locate };
  const schema = toGraphqlSchema(before, { repeatable: false });
  return [
    // The API of the other style shows them.
    ...(isOnlyStyle ? planEnums({ ...files, before: was, schema, operations }, rules) : []),
    ...(was === null ? [] : planIndexes({ ...files, before: was })),
  ];
}

/** Where a coordinate is written: in the entity schema, else what it belongs to there, else in the snapshot. */
function createLocator(
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

/** What is planned for one protocol in one style. */
export type SurfacePlan = OfSurface & {
  /** The entity schema that is to be deployed, and its path from the project's root. */
  readonly entities: EntityText & { readonly file: string };
  /** What is committed of the API; null where nothing is. */
  readonly snapshot: Snapshot | null;
  /** What some deployments serve instead, and their names: their platforms may not be those of the others. */
  readonly variants: readonly { readonly file: SnapshotFile; readonly deployments: readonly string[] }[];
  /** The entity schema at a git ref, to compare with in place of the snapshot; without text where it was not there. */
  readonly earlier: { readonly name: string; readonly text: string | null } | null;
  /** One of the platform's releases, and who names it; null for the one that the snapshot shows. */
  readonly release: { readonly name: string; readonly from: "caller" | "definition" } | null;
  /** How the definition says that bytes are stored; undefined for what the snapshot shows. */
  readonly bytesType?: BytesType | undefined;
  readonly operations: readonly PlacedOperation[];
  /** Whether the protocol is planned in this style alone, so that no other API shows the values of its enums. */
  readonly isOnlyStyle: boolean;
};

/** The settings that an API is derived with, and the source of its release. */
type Derivation = { readonly options: DeriveOptions; readonly from: PlannedApi["releaseFrom"] };

/**
 * Resolves the release and the settings that an API is derived for: those of the snapshot, unless the caller or the
 * protocol's definition names a release. Of the releases that a snapshot can be of, it is the oldest.
 *
 * @param shown null without a snapshot.
 */
function resolveDerivation(
  { style: name, release, bytesType }: SurfacePlan,
  shown: ApiSchema | null,
): Derivation {
  const style = styles[name];
  const recognized = shown && readSide(shown, style).recognized;
  const settings = { ...recognized?.options, ...(bytesType && { bytesType }) };
  if (release !== null) return { options: { ...settings, release: release.name }, from: release.from };
  if (recognized === null || recognized.release === null) {
    return { options: { ...settings, release: style.platform.defaultRelease }, from: "default" };
  }
  return { options: settings, from: "snapshot" };
}

/**
 * Derives the canonical schema of an entity SDL under the settings of a deployed API. A setting that names an entity
 * follows it to its new name, and goes with it: the operator is taken to keep up with the authors.
 *
 * @param shown the schema that the settings were recognised from; null where there is none.
 * @throws SchemaError for a text that the platform refuses.
 */
export async function derivePlanned(
  style: Style,
  entities: EntityText,
  { aggregates = [], ...options }: DeriveOptions,
  shown: ApiSchema | null,
): Promise<ApiSchema> {
  const plain = canonicalize(await deriveEntities(style.name, entities, options));
  if (aggregates.length === 0 || shown === null) return plain;
  const types = new Set(plain.types.map((type) => type.name));
  const renames = findEntityRenames(readSide(shown, style).model, style.schemas.read(plain));
  const renamed = renames.filter(({ from }) => aggregates.includes(from)).map(({ to }) => to);
  const followed = [...aggregates.filter((entity) => types.has(entity)), ...renamed];
  return canonicalize(await deriveEntities(style.name, entities, { ...options, aggregates: followed }));
}

/**
 * Finds what the platforms of single deployments refuse, where those of the others take it. A release that the caller
 * names is that of all.
 */
export async function findVariantRefusals(plan: SurfacePlan): Promise<Finding[]> {
  const { protocol, entities } = plan;
  const style = styles[plan.style];
  const found = new Map<string, { readonly refusal: SchemaError; readonly deployments: string[] }>();
  for (const { file, deployments } of plan.release === null ? plan.variants : []) {
    const shown = parseSnapshot(file);
    const { options } = resolveDerivation(plan, shown);
    const refusal = await orRefusal(derivePlanned(style, entities, options, shown));
    if (!(refusal instanceof SchemaError)) continue;
    const release = `${style.platform.name}-${options.release}`;
    cached(found, release, () => ({ refusal, deployments: [] })).deployments.push(...deployments);
  }
  return [...found].flatMap(([release, { refusal, deployments }]) =>
    describeRefusal(refusal, {
      ...{ protocol, style: style.name, file: entities.file, release },
      deployments: deployments.sort(compareCodeUnits),
    }),
  );
}

/** What a platform refuses, and where. */
type Refused = OfSurface & {
  /** The entity schema, from the project's root. */
  readonly file: string;
  /** The release of the platform that refuses it. */
  readonly release: string;
  /** Who is of that release; empty where all are. */
  readonly deployments: readonly string[];
};

/** What was derived, or why it was refused. */
export async function orRefusal(derived: Promise<ApiSchema>): Promise<ApiSchema | SchemaError> {
  try {
    return await derived;
  } catch (error) {
    if (error instanceof SchemaError) return error;
    throw error;
  }
}

/** Describes every reason of a platform as a finding. */
export function describeRefusal(refusal: SchemaError, refused: Refused): Finding[] {
  const { protocol, style, file, release, deployments } = refused;
  const where = { protocol, style, deployments };
  const { acceptedBy } = refusal;
  const fix = `correct it${acceptedBy === null ? "" : `; ${acceptedBy} accepts it: name the release that runs with --release`}.`;
  return problemsOf(refusal).map(({ reason, line, column }) =>
    buildFileFinding("plan/refused", [release, reason], { place: { file, line, column }, where, fix }),
  );
}

/** What is wrong with a text; what is wrong without one is said as it is. */
export function problemsOf({ problems, sentence }: SchemaError): readonly SchemaProblem[] {
  return problems.length > 0 ? problems : [{ reason: sentence, line: null, column: null }];
}
