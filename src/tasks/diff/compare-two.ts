import { resolve } from "node:path";
import { ConfigError, UsageError } from "../../base/errors.ts";
import { readAtRef } from "../../base/git.ts";
import { readText } from "../../base/read-files.ts";
import { redactUrl } from "../../base/redact.ts";
import { shellArgument } from "../../base/text.ts";
import { compareModels } from "../../compare/compare-models.ts";
import { findDifferences } from "../../compare/find-differences.ts";
import { parityFindings, paritySide } from "../../compare/parity.ts";
import { reportOperations } from "../../compare/report-operations.ts";
import type { DiffOptions } from "../../compare/severity-rules.ts";
import type { ApiSchema } from "../../dialects/api-schema.ts";
import { styles } from "../../dialects/index.ts";
import { locateCoordinates, type Place } from "../../dialects/locate.ts";
import { isJson, parseSchema } from "../../dialects/parse-schema.ts";
import type { Style } from "../../dialects/style.ts";
import { type Protocol, STYLE_NAMES, type StyleName, surfaceId } from "../../dialects/surface.ts";
import { recognizeProtocol } from "../../fleet/check-protocol.ts";
import { introspectUrl } from "../../fleet/introspect-targets.ts";
import { type DeploymentEndpoint, readUrls, resolveTargets, type Target } from "../../project/endpoints.ts";
import { resolveHttpProxy } from "../../project/http-proxy.ts";
import type { Project } from "../../project/project.ts";
import { EXAMPLE_SURFACE } from "../../project/protocols.ts";
import type { Finding } from "../../report/finding.ts";
import type { ProtocolParity } from "../../report/outcome.ts";
import type { OperationReport } from "../../report/report.ts";
import { readEarlierSnapshots } from "../../workspace/earlier-snapshots.ts";
import { readOperations } from "../../workspace/operations.ts";
import { SCHEMAS_FOLDER } from "../../workspace/snapshot.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** The differences between two schemas. */
type TwoCompared = {
  readonly findings: readonly Finding[];
  readonly operations: readonly OperationReport[];
  /** Null if both schemas are of one style. */
  readonly parity: ProtocolParity | null;
};

/** The project and the rules of a comparison. */
type ComparisonContext = DiffOptions & Pick<SourceContext, "workspace">;

/** Compares two schemas: those of one style as before and after, those of two styles for parity. */
export async function compareTwo(
  before: SourcedSchema,
  after: SourcedSchema,
  context: ComparisonContext,
): Promise<TwoCompared> {
  const protocol = protocolOf(before, after);
  const sides = new Map(
    [before, after].flatMap(({ schema, style }) =>
      style ? [[style.name, () => paritySide(schema, style)] as const] : [],
    ),
  );
  const [multichain, subgraph] = [sides.get("multichain"), sides.get("subgraph")];
  if (multichain === undefined || subgraph === undefined) {
    return { ...(await compareOverTime(before, after, { ...context, protocol })), parity: null };
  }
  const parity = compareModels(multichain(), subgraph());
  return {
    findings: parityFindings(parity, protocol),
    operations: [],
    parity: protocol === null ? null : { protocol, ...parity },
  };
}

async function compareOverTime(
  before: SourcedSchema,
  after: SourcedSchema,
  { workspace, protocol, exhaustiveEnums }: ComparisonContext & { readonly protocol: Protocol | null },
): Promise<Omit<TwoCompared, "parity">> {
  const style = after.style ?? before.style;
  const where = style === null || protocol === null ? null : { protocol, style: style.name, deployments: [] };
  const operations = where ? ((await readOperations(workspace, [where])).get(surfaceId(where)) ?? []) : [];
  const places = [before, after].flatMap(({ text }) =>
    text === null ? [] : [locateCoordinates(text.content, text.file)],
  );
  const { findings } = findDifferences({
    before: before.schema,
    after: after.schema,
    style: style ?? NO_PLATFORM,
    where,
    operations,
    exhaustiveEnums,
    locate: (coordinate) => places.reduce<Place | null>((place, locate) => place ?? locate(coordinate), null),
    fix: null,
  });
  // No deployment is known to serve either schema.
  return { findings, operations: where === null ? [] : reportOperations(operations, [], where) };
}

/** Null if the two sides are of different protocols. */
function protocolOf(before: SourcedSchema, after: SourcedSchema): Protocol | null {
  const [a, b] = [before.protocol, after.protocol];
  return a !== null && b !== null && a !== b ? null : (a ?? b);
}

/** The style of a schema of an unknown platform: no member is derived, so every change is a finding of its own. */
const NO_PLATFORM: Style = {
  ...styles.subgraph,
  deriver: { ...styles.subgraph.deriver, traceOrigins: () => () => [] },
  schemas: {
    ...styles.subgraph.schemas,
    read: () => ({ definitions: [], directives: [] }),
    recognize: () => ({ release: null, features: [], options: {} }),
  },
};

/** A schema that a command line names. */
export type SourcedSchema = {
  /** Its name in reports, without secrets. */
  readonly name: string;
  /** Canonical. */
  readonly schema: ApiSchema;
  /** The text and its path from the project's root; null if it is not a file on disk, or JSON. */
  readonly text: { readonly content: string; readonly file: string } | null;
  readonly protocol: Protocol | null;
  readonly style: Style | null;
};

export type SourceContext = {
  readonly cwd: string;
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/**
 * Reads the schema that an argument names: `lockup/subgraph` is a snapshot, `main:lockup/subgraph` a snapshot or another
 * file at a git ref, `https://…` a URL to introspect, and any other text a file.
 *
 * @throws UsageError for a text that names no schema, and the error of reading it.
 */
export async function readSource(source: string, context: SourceContext): Promise<SourcedSchema> {
  const { cwd, workspace } = context;
  const { project } = workspace;
  if (/^https?:\/\//i.test(source)) return introspectSource(source, context);
  const snapshot = snapshotFile(source, project);
  const path = snapshot === null ? resolve(cwd, source) : resolve(project.root, snapshot);
  const text = await readText(path);
  if (text !== null) {
    const described = describeText({ name: source, text, path }, workspace);
    return { ...described, text: isJson(text) ? null : { content: text, file: snapshot ?? source } };
  }
  if (snapshot === null && REF.test(source)) return readRef(source, context);
  const example = project.surfaces[0]?.id ?? EXAMPLE_SURFACE;
  throw new UsageError({
    sentence: `The ${snapshot ? "snapshot" : "file"} ${source} does not exist.`,
    context: [`a schema is a file, a URL, a snapshot (${example}) or either at a git ref (main:${example})`],
    ...(snapshot ? { hint: "run `lockflow introspect` to write the snapshots." } : {}),
  });
}

/** A path at a git ref: `main:lockup/subgraph`. */
const REF = /^([^:]+):([^:]+)$/;

const PROTOCOL = "[a-z][a-z0-9-]*";

const SNAPSHOT = new RegExp(`^${PROTOCOL}/(?:${STYLE_NAMES.join("|")})(?:\\.[0-9a-f]{8})?$`);

/** The end of the path of a snapshot in any folder. */
const SNAPSHOT_PATH = new RegExp(
  `(?:^|/)(${PROTOCOL})/(${STYLE_NAMES.join("|")})(?:\\.[0-9a-f]{8})?(?:\\.graphql)?$`,
);

/** Returns the path of a snapshot from the project's root; null if the text does not name a snapshot. */
function snapshotFile(name: string, { output }: Project): string | null {
  return SNAPSHOT.test(name) ? `${output}/${SCHEMAS_FOLDER}/${name}.graphql` : null;
}

async function introspectSource(source: string, { workspace, env }: SourceContext): Promise<SourcedSchema> {
  if (!URL.canParse(source)) throw new UsageError({ sentence: `"${redactUrl(source)}" is not a URL.` });
  const url = new URL(source).href;
  const { project } = workspace;
  const target = findTarget(url, project, env);
  const schema = await introspectUrl(
    target ?? { url, headers: {}, secrets: [], proxy: resolveHttpProxy(url, env) },
    project.timeout,
  );
  const style = target === null ? recognizeStyle(schema) : styles[target.deployment.style];
  const protocol = target?.deployment.protocol ?? (style && recognizeProtocol(schema, style, workspace));
  return { name: redactUrl(url), schema, text: null, protocol, style };
}

/** Finds the endpoint of the project with a URL, to send its key; null for an unknown URL. */
function findTarget(url: string, { deployments }: Project, env: SourceContext["env"]): Target | null {
  const endpoints = deployments.flatMap((deployment) =>
    deployment.endpoints.map((endpoint) => ({ deployment, endpoint })),
  );
  const match = endpoints.find((endpoint) => urlOf(endpoint, env) === url);
  return match === undefined ? null : (resolveTargets([match], env)[0] ?? null);
}

/** Returns the URL of an endpoint; undefined if its variables are not set, which is not an error here. */
function urlOf(endpoint: DeploymentEndpoint, env: SourceContext["env"]): string | undefined {
  try {
    return readUrls([endpoint], env)[0]?.url;
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

async function readRef(source: string, { cwd, workspace }: SourceContext): Promise<SourcedSchema> {
  const { project } = workspace;
  const [, ref = "", name = ""] = REF.exec(source) ?? [];
  const snapshot = snapshotFile(name, project);
  const files =
    snapshot === null ? await readAtRef(cwd, ref, [name]) : await readEarlierSnapshots(project, ref, [name]);
  const file = files.get(name);
  if (file !== undefined) return describeText({ ...file, name: source }, workspace);
  throw new UsageError({
    sentence: `The ${snapshot ? "snapshot" : "file"} ${name} does not exist at ${ref}.`,
    hint: `choose a ref that has it: \`git log --all -- ${shellArgument(snapshot ?? name)}\` lists its commits.`,
  });
}

/** @param source a text, its path, and its name in reports. */
function describeText(
  { name, text, path }: { readonly name: string; readonly text: string; readonly path: string },
  workspace: Workspace,
): SourcedSchema {
  const schema = parseSchema(text, name);
  const owner = ownerOf(path);
  const style = recognizeStyle(schema) ?? owner.style;
  return {
    name,
    schema,
    text: null,
    protocol: owner.protocol ?? (style && recognizeProtocol(schema, style, workspace)),
    style,
  };
}

function ownerOf(path: string): { readonly protocol: Protocol | null; readonly style: Style | null } {
  const [, protocol, style] = SNAPSHOT_PATH.exec(path.replaceAll("\\", "/")) ?? [];
  return {
    protocol: protocol ?? null,
    style: style === undefined ? null : styles[style as StyleName],
  };
}

/** Returns the style whose platform made a schema; null if unknown. */
function recognizeStyle(schema: ApiSchema): Style | null {
  const [style, ...others] = STYLE_NAMES.map((name) => styles[name]).filter(
    ({ schemas }) => schemas.recognize(schema).release !== null,
  );
  return style !== undefined && others.length === 0 ? style : null;
}
