import { type DocumentNode, Kind } from "graphql";
import { compareCodeUnits, groupBy } from "../base/collections.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import type { OfSurface } from "../dialects/surface.ts";
import type { AssessedOperation, OperationsBySurface, PlacedOperation } from "../operations/operation-set.ts";
import { inactiveLifecycle } from "../project/lifecycle.ts";
import type { Project } from "../project/project.ts";
import type { DeploymentReport, OperationReport, SourceReport } from "../report/report.ts";
import { indexSchema } from "./indexed-schema.ts";
import type { Observation } from "./observation.ts";

/**
 * Builds the report of one surface's operations: the chains on which they are valid. The effects of findings are added
 * later, by `judgeRun`.
 *
 * @param observations the schemas of deployments; empty if no deployment is known to serve the compared schema.
 */
export function reportOperations(
  operations: readonly PlacedOperation[],
  observations: readonly Observation[],
  surface: OfSurface,
): OperationReport[] {
  if (operations.length === 0) return [];
  const variants = [...groupBy(observations, ({ hashes }) => hashes.schema)].flatMap(([hash, same]) => {
    const deployments = same.map(({ deployment }) => deployment);
    return same.slice(0, 1).map(({ schema }) => ({ hash, schema: schema(), deployments }));
  });
  const validities = operationsOnVariants(operations, variants);
  return operations.map(({ name, place: { file, line }, isPortable }, index) => {
    const { deployments = [], refused = [] } = validities[index] ?? {};
    const refusing = refused.flatMap((one) => one.deployments);
    const operation = { name, file, line, ...(isPortable && { portable: true as const }) };
    return reportOne(operation, surface, { chains: chainsOf(deployments), missing: chainsOf(refusing) });
  });

  function chainsOf(deployments: readonly string[]): string[] {
    const names = new Set(deployments);
    return sortedChains(observations.filter(({ deployment }) => names.has(deployment)));
  }
}

/** Builds the report of operations that are known to be valid for all observations. */
export function reportValid(
  operations: readonly ListedOperation[],
  observations: readonly Observation[],
  surface: OfSurface,
): OperationReport[] {
  const chains = sortedChains(observations);
  return operations.map((operation) => reportOne(operation, surface, { chains, missing: [] }));
}

function reportOne(
  { name, file, line, portable }: ListedOperation,
  { protocol, style }: OfSurface,
  { chains, missing }: Pick<OperationReport, "chains" | "missing">,
): OperationReport {
  return {
    name,
    protocol,
    style,
    file,
    line,
    impact: "unaffected",
    chains,
    missing,
    ...(portable && { portable }),
  };
}

function sortedChains(observations: readonly Observation[]): string[] {
  return [...new Set(observations.flatMap(({ chains }) => chains))].sort(compareCodeUnits);
}

/** A schema that some deployments of a fleet serve. */
export type SchemaVariant = {
  readonly hash: string;
  readonly schema: ApiSchema;
  readonly deployments: readonly string[];
};

/** The schema variants and deployments for which an operation is valid. */
export type OperationReach = {
  readonly name: string;
  /** Hashes in code-unit order. */
  readonly variants: readonly string[];
  /** In code-unit order. */
  readonly deployments: readonly string[];
  readonly refused: readonly {
    readonly variant: string;
    readonly deployments: readonly string[];
    readonly reason: string;
  }[];
};

/** Returns the variants of a fleet's schema for which each operation is valid. */
export function operationsOnVariants(
  operations: readonly AssessedOperation[],
  variants: readonly SchemaVariant[],
): OperationReach[] {
  const documents = operations.map(({ document }) => document);
  const sorted = [...variants]
    .sort((a, b) => compareCodeUnits(a.hash, b.hash))
    .map((variant) => ({ variant, reasons: reasonsAgainst(documents, variant.schema) }));
  return operations.map((operation, index) => {
    const results = sorted.map(({ variant, reasons }) => ({ variant, reason: reasons[index] ?? null }));
    const valid = results.filter(({ reason }) => reason === null).map(({ variant }) => variant);
    return {
      name: operation.name,
      variants: valid.map(({ hash }) => hash),
      deployments: valid.flatMap(({ deployments }) => deployments).sort(compareCodeUnits),
      refused: results.flatMap(({ variant, reason }) => {
        const deployments = [...variant.deployments].sort(compareCodeUnits);
        return reason === null ? [] : [{ variant: variant.hash, deployments, reason }];
      }),
    };
  });
}

/** Returns the first validation error of each document; null if it is valid. */
function reasonsAgainst(documents: readonly DocumentNode[], schema: ApiSchema): (string | null)[] {
  const index = indexSchema(schema);
  const errors = index.validate(documents);
  return documents.map(({ definitions }, position) => {
    for (const node of definitions) {
      // Validation skips an operation whose root does not exist.
      if (node.kind === Kind.OPERATION_DEFINITION && index.root(node.operation) === null) {
        return `The schema has no ${node.operation}s.`;
      }
    }
    return errors[position]?.[0]?.message ?? null;
  });
}

/** The most characters of all texts together. A few hundred operations have a tenth of this. */
const MOST_CHARACTERS = 1_000_000;

/**
 * Collects the texts of operations and their fragments without duplicates, in order of place. Code files contribute only
 * their documents. Texts beyond the size limit are omitted.
 */
export function collectSources(operations: OperationsBySurface): SourceReport[] {
  const sources = new Map<string, SourceReport>();
  let left = MOST_CHARACTERS;
  for (const { document } of [...operations.values()].flat()) {
    for (const { loc } of document.definitions) {
      if (loc === undefined) continue;
      const { line } = loc.startToken;
      const key = `${line} ${loc.source.name}`;
      const text = loc.source.body.slice(loc.start, loc.end);
      if (sources.has(key) || text.length > left) continue;
      left -= text.length;
      sources.set(key, { file: loc.source.name, line, text });
    }
  }
  return [...sources.values()];
}

/** Builds the report of the selected deployments for a run without requests. */
export function describeDeployments({ selected }: Pick<Project, "selected">): DeploymentReport[] {
  return selected.map((deployment) => {
    const { name, protocol, style, chains } = deployment;
    return { deployment: name, protocol, style, chains, ...inactiveLifecycle(deployment) };
  });
}

/** The identity of an operation in reports. */
export type ListedOperation = Pick<OperationReport, "name" | "file" | "line" | "portable">;

/** The operations of a surface, and the hashes of schemas for which all of them are valid. */
export type ValidOperations = {
  readonly operations: readonly ListedOperation[];
  readonly schemas: readonly string[];
};
