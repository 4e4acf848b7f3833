import { indexSchema } from "../compare/impact/indexed-schema.ts";
import type { Outcome } from "../introspect/introspect-targets.ts";
import { type Protocol, STYLE_NAMES, type StyleName } from "../model/vocabulary.ts";
import type { Project } from "../registry/project.ts";
import { type PlacedOperation, readAssessedOperations } from "./read-assessed-operations.ts";

/** The operations that answers of deployments are held against. */
export type LiveOperations = {
  readonly of: (protocol: Protocol, style: StyleName) => readonly PlacedOperation[];
  /** Judges the operations of a deployment by its schema, which then is known: once for each schema. */
  readonly judge: (outcome: Outcome) => void;
};

/** Reads the operations of all protocols and styles. */
export async function readLiveOperations(project: Project): Promise<LiveOperations> {
  const operations = new Map<string, readonly PlacedOperation[]>();
  for (const protocol of project.protocols) {
    for (const style of STYLE_NAMES) {
      operations.set(`${protocol}/${style}`, await readAssessedOperations(project, protocol, style));
    }
  }
  const of = (protocol: Protocol, style: StyleName) => operations.get(`${protocol}/${style}`) ?? [];
  return {
    of,
    judge: (outcome) => {
      if (outcome.kind === "failed") return;
      const { protocol, style } = outcome.deployment;
      indexSchema(outcome.reading.schema).validate(of(protocol, style).map(({ document }) => document));
    },
  };
}
