import { cached, compareCodeUnits, once } from "../../base/collections.ts";
import { SchemaError, type SchemaProblem } from "../../base/errors.ts";
import { findApiRenames } from "../../compare/find-api-renames.ts";
import { type Differences, findDifferences } from "../../compare/find-differences.ts";
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
import type { PlacedOperation } from "../../operations/operation-set.ts";
import { buildFileFinding } from "../../report/codes/files.ts";
import type { Finding, Where } from "../../report/finding.ts";
import type { OperationReport, PlannedApi } from "../../report/report.ts";
import type { Snapshot, SnapshotFile } from "../../workspace/snapshot.ts";
import { parseSnapshot } from "../../workspace/snapshot-schema.ts";
import { keepPlatform } from "./keep-platform.ts";
import { planHidden } from "./plan-hidden.ts";

/** The rules of a comparison. */
export type PlanRules = DiffOptions & {
  /** The output folder from the project's root. */
  readonly output: string;
};

/** The result of a plan for one surface. */
export type PlannedSurface = Pick<Differences, "renames"> & {
  readonly api: PlannedApi;
  readonly findings: readonly Finding[];
  /** Without the effect of the findings. */
  readonly operations: readonly OperationReport[];
};

/** Derives the API of an entity schema, and compares it with the current API. */
export async function planSurface(plan: SurfacePlan, rules: PlanRules): Promise<PlannedSurface> {
  const { protocol, style: styleName, entities, snapshot, earlier, operations } = plan;
  const style = styles[styleName];
  const shown = snapshot && parseSnapshot(snapshot.base);
  const was = withText(earlier);
  const { options, from, isDeployed } = resolveDerivation(plan, shown);
  const derive = (text: EntityText) => catchRefusal(deriveApi(text, { style, options, isDeployed, shown }));
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
  const after = await derive(entities);
  if (after instanceof SchemaError) {
    const findings = describeRefusal(after, where, { file: entities.file, release });
    return { api: { ...api, status: "refused" }, findings, operations: [], renames: [] };
  }
  const refused = await findVariantRefusals(plan);
  const before = earlier === null ? shown : was && (await derive(was));
  if (before === null || before instanceof SchemaError) {
    const rest = { place: { file: entities.file, line: null, column: null }, where };
    const finding =
      earlier === null
        ? buildFileFinding("plan/new-api", [api.before], rest)
        : buildFileFinding("plan/not-compared", [api.before, before && release], rest);
    return {
      api: { ...api, status: "new" },
      findings: [finding, ...refused],
      operations: [],
      renames: [],
    };
  }
  const locate = createLocator(plan, rules.output);
  const { findings, renames } = findDifferences({
    before,
    after,
    style,
    where,
    operations,
    exhaustiveEnums: rules.exhaustiveEnums,
    renames: rules.renames,
    locate,
    fix: null,
  });
  const hidden = planHidden(
    {
      before: plan.authored,
      after: entities,
      api: before,
      style,
      operations,
      where,
      locate,
      isOnlyStyle: plan.isOnlyStyle,
    },
    rules,
  );
  return {
    api: { ...api, status: "compared" },
    findings: [...findings, ...hidden, ...refused],
    operations: reportOperations(operations, [], where),
    renames,
  };
}

/** Creates a function that locates a coordinate: in the entity schema, else its type there, else in the snapshot. */
function createLocator(
  { entities: { text, name, file }, snapshot }: SurfacePlan,
  output: string,
): (coordinate: string) => Place | null {
  const positionsOf = once(() => {
    const positions = locateDefinitions(text, name);
    // One platform changes the case of enums.
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

/** The input of a plan for one protocol in one style. */
export type SurfacePlan = OfSurface & {
  /** The entity schema to deploy, and its path from the project's root. */
  readonly entities: EntityText & { readonly file: string };
  /** The committed snapshot; null if there is none. */
  readonly snapshot: Snapshot | null;
  /** The variants of the snapshot with the deployments that serve them, whose platforms may differ. */
  readonly variants: readonly { readonly file: SnapshotFile; readonly deployments: readonly string[] }[];
  /** The entity schema at a git ref, compared instead of the snapshot. Its text is null if the file did not exist. */
  readonly earlier: { readonly name: string; readonly text: string | null } | null;
  /** The earlier entity schema, to compare what no API shows; null if none is known. */
  readonly authored: EntityText | null;
  /** A release of the platform and its source; null for the release of the snapshot. */
  readonly release: { readonly name: string; readonly from: "caller" | "definition" } | null;
  /** The release if no snapshot shows one: that of the definition of a built-in protocol; else null. */
  readonly usualRelease: string | null;
  /** How bytes are stored, from the definition; undefined for the way of the snapshot. */
  readonly bytesType?: BytesType | undefined;
  readonly operations: readonly PlacedOperation[];
  /** Whether this is the only planned style, so that no other API shows the values of enums. */
  readonly isOnlyStyle: boolean;
};

/** The settings that an API is derived with, and the source of its release. */
type Derivation = {
  readonly options: DeriveOptions;
  readonly from: PlannedApi["releaseFrom"];
  /** Whether the release has the platform that the snapshot shows, as far as releases are known. */
  readonly isDeployed: boolean;
};

/**
 * Resolves the release and the settings of a derivation: those of the snapshot, unless the caller or the protocol's
 * definition names a release. If several releases fit a snapshot, the oldest is used.
 *
 * @param shown null without a snapshot.
 */
function resolveDerivation(
  { style: name, release, usualRelease, bytesType }: SurfacePlan,
  shown: ApiSchema | null,
): Derivation {
  const style = styles[name];
  const recognized = shown && readSide(shown, style).recognized;
  const settings = { ...recognized?.options, ...(bytesType && { bytesType }) };
  if (release !== null) {
    const options = { ...settings, release: release.name };
    const isDeployed = JSON.stringify(bare(style, options)) === JSON.stringify(bare(style, settings));
    return { options, from: release.from, isDeployed };
  }
  if (recognized === null || recognized.release === null) {
    const options = { ...settings, release: usualRelease ?? style.platform.defaultRelease };
    return { options, from: usualRelease === null ? "default" : "definition", isDeployed: false };
  }
  return { options: settings, from: "snapshot", isDeployed: true };
}

/** Derives what a release of the platform has without entities. */
function bare({ deriver }: Style, { release, streams }: DeriveOptions): ApiSchema {
  return deriver.derive({ definitions: [], directives: [] }, { release, streams });
}

type ApiDerivation = Pick<Derivation, "options" | "isDeployed"> & {
  readonly style: Style;
  /** The schema that the settings were recognized from; null if there is none. */
  readonly shown: ApiSchema | null;
};

/**
 * Derives the canonical API schema of an entity schema with the settings of a deployed API. A setting that names an
 * entity follows a rename of the entity, and is dropped with it.
 *
 * @throws SchemaError for a text that the platform refuses.
 */
async function deriveApi(
  entities: EntityText,
  { style, options: { aggregates = [], ...options }, isDeployed, shown }: ApiDerivation,
): Promise<ApiSchema> {
  const plain = canonicalize(await deriveEntities(style.name, entities, options));
  if (shown === null) return plain;
  const keep = (api: ApiSchema) => (isDeployed ? keepPlatform(api, shown, style) : api);
  if (aggregates.length === 0) return keep(plain);
  const types = new Set(plain.types.map((type) => type.name));
  const renames = findApiRenames(readSide(shown, style).model, style.schemas.read(plain));
  const renamed = renames
    .filter(({ kind, from, certain }) => kind === "entity" && certain && aggregates.includes(from))
    .map(({ to }) => to);
  const followed = [...aggregates.filter((entity) => types.has(entity)), ...renamed];
  return keep(canonicalize(await deriveEntities(style.name, entities, { ...options, aggregates: followed })));
}

/**
 * Finds what the platforms of variants refuse although the platform of the snapshot accepts it. A release of the caller
 * or the definition counts for all deployments, so nothing is left to find.
 */
async function findVariantRefusals(plan: SurfacePlan): Promise<Finding[]> {
  const { protocol, entities } = plan;
  const style = styles[plan.style];
  const refusals = new Map<string, { readonly refusal: SchemaError; readonly deployments: string[] }>();
  for (const { file, deployments } of plan.release === null ? plan.variants : []) {
    const shown = parseSnapshot(file);
    const derivation = resolveDerivation(plan, shown);
    const refusal = await catchRefusal(deriveApi(entities, { ...derivation, style, shown }));
    if (!(refusal instanceof SchemaError)) continue;
    const release = `${style.platform.name}-${derivation.options.release}`;
    cached(refusals, release, () => ({ refusal, deployments: [] })).deployments.push(...deployments);
  }
  return [...refusals].flatMap(([release, { refusal, deployments }]) => {
    const where = { protocol, style: style.name, deployments: deployments.sort(compareCodeUnits) };
    return describeRefusal(refusal, where, { file: entities.file, release });
  });
}

/** Returns the derived schema, or the error of a platform that refuses it. */
async function catchRefusal(derived: Promise<ApiSchema>): Promise<ApiSchema | SchemaError> {
  try {
    return await derived;
  } catch (error) {
    if (error instanceof SchemaError) return error;
    throw error;
  }
}

/**
 * Builds a finding for every reason of a platform.
 *
 * @param where the deployments of the release that refuses it; without deployments for all.
 * @param refused the entity schema from the project's root, and the release.
 */
function describeRefusal(
  refusal: SchemaError,
  where: Where,
  { file, release }: { readonly file: string; readonly release: string },
): Finding[] {
  const { acceptedBy } = refusal;
  const fix = `correct it${acceptedBy === null ? "" : `; ${acceptedBy} accepts it: name the release that runs with --release`}.`;
  return problemsOf(refusal).map(({ reason, line, column }) =>
    buildFileFinding("plan/refused", [release, reason], { place: { file, line, column }, where, fix }),
  );
}

/** Returns an earlier entity schema; null if it did not exist. */
export function withText(earlier: SurfacePlan["earlier"]): EntityText | null {
  return earlier === null || earlier.text === null ? null : { ...earlier, text: earlier.text };
}

/** Returns the problems of an error with their positions, or its sentence without a position. */
export function problemsOf({ problems, sentence }: SchemaError): readonly SchemaProblem[] {
  return problems.length > 0 ? problems : [{ reason: sentence, line: null, column: null }];
}
