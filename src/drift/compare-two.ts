import { compareModels, type ParitySide } from "../compare/compare-models.ts";
import { findDifferences } from "../compare/find-differences.ts";
import { parityFindings } from "../compare/parity-findings.ts";
import type { DiffOptions } from "../compare/severity-rules.ts";
import type { Project } from "../project/project.ts";
import { surfaceId } from "../project/surface.ts";
import type { Protocol, StyleName } from "../project/vocabulary.ts";
import type { Finding } from "../report/finding.ts";
import type { ProtocolParity } from "../report/render-parity.ts";
import type { OperationReport } from "../report/report.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import { locateCoordinates } from "../schema/locate-coordinates.ts";
import { styles } from "../styles/index.ts";
import type { Style } from "../styles/style.ts";
import { readOperations } from "./read-operations.ts";
import { reportOperations } from "./report-operations.ts";
import type { SourcedSchema } from "./schema-source.ts";

/** What differs between two schemas. */
export type TwoCompared = {
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
  if (before.schema && after.schema && before.style && after.style && before.style !== after.style) {
    const side = ({ scalars, capabilities, read }: Style, schema: ApiSchema): ParitySide => ({
      model: read(schema),
      schema,
      scalars,
      capabilities,
    });
    const sides: Partial<Record<StyleName, ParitySide>> = {
      [before.style.name]: side(before.style, before.schema),
      [after.style.name]: side(after.style, after.schema),
    };
    const { multichain, subgraph } = sides;
    if (multichain && subgraph) {
      const parity = compareModels(multichain, subgraph);
      return {
        findings: parityFindings(parity, protocol),
        operations: [],
        parity: protocol && { protocol, ...parity },
      };
    }
  }
  return { ...(await compareOverTime(before, after, project, options)), parity: null };
}

async function compareOverTime(
  before: SourcedSchema,
  after: SourcedSchema,
  project: Project,
  { exhaustiveEnums }: DiffOptions,
): Promise<Omit<TwoCompared, "parity">> {
  const known = after.style ?? before.style;
  const protocol = protocolOf(before, after);
  const where = known && protocol && { protocol, style: known.name, deployments: [] };
  const operations =
    where === null ? [] : ((await readOperations(project, [where])).get(surfaceId(where)) ?? []);
  const from = before.schema ?? emptyBeside(after.schema);
  const to = after.schema ?? emptyBeside(before.schema);
  const places = [before, after].flatMap(({ text }) =>
    text === null ? [] : [locateCoordinates(text.content, text.file)],
  );
  const { findings } = findDifferences({
    before: from,
    after: to,
    style: known ?? NO_PLATFORM,
    where,
    operations: before.schema === null ? [] : operations,
    exhaustiveEnums,
    placeOf: (coordinate) => {
      for (const placeOf of places) {
        const place = placeOf(coordinate);
        if (place !== null) return place;
      }
      return null;
    },
    fix: null,
  });
  return {
    findings,
    // Nobody is known to serve either of them.
    operations: where === null ? [] : reportOperations(operations, [], where),
  };
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
