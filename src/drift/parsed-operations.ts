import { indexSchema } from "../compare/impact/indexed-schema.ts";
import type { Introspected } from "../fleet/outcome.ts";
import type { Project } from "../project/project.ts";
import { type Protocol, STYLE_NAMES, type StyleName } from "../project/vocabulary.ts";
import { type PlacedOperation, readAssessedOperations } from "./read-assessed-operations.ts";

/** The operations of all protocols and styles, parsed. */
export type ParsedOperations = {
  readonly of: (protocol: Protocol, style: StyleName) => readonly PlacedOperation[];
  /** Judges the operations of a deployment by its schema: once for each schema. */
  readonly judge: (answered: Introspected) => void;
};

/** Reads and parses the operations of all protocols and styles. */
export async function readParsedOperations(project: Project): Promise<ParsedOperations> {
  const operations = new Map<string, readonly PlacedOperation[]>();
  for (const protocol of project.protocols) {
    for (const style of STYLE_NAMES) {
      operations.set(`${protocol}/${style}`, await readAssessedOperations(project, protocol, style));
    }
  }
  const of = (protocol: Protocol, style: StyleName) => operations.get(`${protocol}/${style}`) ?? [];
  return {
    of,
    judge: ({ deployment: { protocol, style }, reading }) => {
      indexSchema(reading.schema).validate(of(protocol, style).map(({ document }) => document));
    },
  };
}
