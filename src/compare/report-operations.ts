import { type DocumentNode, Kind } from "graphql";
import { compareCodeUnits, groupBy } from "../base/collections.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import type { OfSurface } from "../dialects/surface.ts";
import type { OperationsBySurface, PlacedOperation } from "../operations/operation-set.ts";
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
  const documents = operations.map(({ document }) => document);
  const variants = [...groupBy(observations, ({ hashes }) => hashes.schema).values()].flatMap((same) =>
    same.slice(0, 1).map(({ schema }) => ({ same, validity: validate(documents, schema()) })),
  );
  return operations.map(({ name, place: { file, line }, isPortable }, index) => {
    const chainsOf = (isValid: boolean) =>
      sortedChains(variants.flatMap(({ same, validity }) => (validity[index] === isValid ? same : [])));
    const operation = { name, file, line, ...(isPortable && { portable: true as const }) };
    return reportOne(operation, surface, { chains: chainsOf(true), missing: chainsOf(false) });
  });
}

/** Returns whether each document is valid for a schema. */
function validate(documents: readonly DocumentNode[], schema: ApiSchema): boolean[] {
  const index = indexSchema(schema);
  const errors = index.validate(documents);
  return documents.map(
    ({ definitions }, position) =>
      errors[position]?.length === 0 &&
      // Validation skips an operation whose root does not exist.
      definitions.every(
        (node) => node.kind !== Kind.OPERATION_DEFINITION || index.root(node.operation) !== null,
      ),
  );
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
