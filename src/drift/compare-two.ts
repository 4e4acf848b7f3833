import type { Place } from "../base/place.ts";
import { compareModels } from "../compare/compare-models.ts";
import { findDifferences } from "../compare/find-differences.ts";
import { parityFindings } from "../compare/parity-findings.ts";
import type { DiffOptions } from "../compare/severity-rules.ts";
import type { Project } from "../project/project.ts";
import { surfaceId } from "../project/surface.ts";
import type { Protocol } from "../project/vocabulary.ts";
import type { Finding } from "../report/finding.ts";
import type { ProtocolParity } from "../report/render-parity.ts";
import type { OperationReport } from "../report/report.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import { locateCoordinates } from "../schema/locate-coordinates.ts";
import { styles } from "../styles/index.ts";
import type { Style } from "../styles/style.ts";
import { paritySide } from "./compare-styles.ts";
import { readOperations } from "./read-operations.ts";
import { reportOperations } from "./report-operations.ts";
import type { SourcedSchema } from "./schema-source.ts";

/** What differs between two schemas. */
type TwoCompared = {
  readonly findings: readonly Finding[];
  readonly operations: readonly OperationReport[];
  /** Set where the two are of two styles. */
  readonly parity: ProtocolParity | null;
};

/** Compares two schemas that a command line named: over time where they are of one style, else for parity. */
export async function compareTwo(
  before: SourcedSchema,
  after: SourcedSchema,
  project: Project,
  options: DiffOptions,
): Promise<TwoCompared> {
  const protocol = protocolOf(before, after);
  const sides = new Map(
    [before, after].flatMap(({ schema, style }) =>
      schema && style ? [[style.name, () => paritySide(schema, style)] as const] : [],
    ),
  );
  const [multichain, subgraph] = [sides.get("multichain"), sides.get("subgraph")];
  if (multichain === undefined || subgraph === undefined) {
    return { ...(await compareOverTime(before, after, protocol, project, options)), parity: null };
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
  protocol: Protocol | null,
  project: Project,
  { exhaustiveEnums }: DiffOptions,
): Promise<Omit<TwoCompared, "parity">> {
  const known = after.style ?? before.style;
  const where = known === null || protocol === null ? null : { protocol, style: known.name, deployments: [] };
  const operations = where ? ((await readOperations(project, [where], [])).get(surfaceId(where)) ?? []) : [];
  const places = [before, after].flatMap(({ text }) =>
    text === null ? [] : [locateCoordinates(text.content, text.file)],
  );
  const { findings } = findDifferences({
    before: before.schema ?? emptyBeside(after.schema),
    after: after.schema ?? emptyBeside(before.schema),
    style: known ?? NO_PLATFORM,
    where,
    operations: before.schema === null ? [] : operations,
    exhaustiveEnums,
    placeOf: (coordinate) =>
      places.reduce<Place | null>((place, placeOf) => place ?? placeOf(coordinate), null),
    fix: null,
  });
  // Nobody is known to serve either of them.
  return { findings, operations: where === null ? [] : reportOperations(operations, [], where) };
}

/** Null also for two: one indexer's operations say nothing of another's schema. */
function protocolOf(before: SourcedSchema, after: SourcedSchema): Protocol | null {
  const [a, b] = [before.protocol, after.protocol];
  return a !== null && b !== null && a !== b ? null : (a ?? b);
}

/** What stands for a schema that was not there yet, or is not there any more. */
function emptyBeside(other: ApiSchema | null): ApiSchema {
  return {
    queryType: other?.queryType ?? "Query",
    mutationType: other?.mutationType ?? null,
    subscriptionType: other?.subscriptionType ?? null,
    types: [],
    directives: [],
  };
}

/** For a schema of an unknown platform: nothing in it is derived, so every change is a finding of its own. */
const NO_PLATFORM: Style = {
  ...styles.subgraph,
  provenance: () => () => [],
  read: () => ({ definitions: [], directives: [] }),
  recognize: () => ({ release: null, features: [], options: {} }),
};
