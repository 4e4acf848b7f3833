import type { Outcome } from "../fleet/outcome.ts";
import type { Project } from "../project/project.ts";
import type { CommittedSchemas } from "../snapshots/read-snapshots.ts";
import type { ParsedOperations } from "./parsed-operations.ts";
import { type RecordedOperations, readRecordedOperations } from "./recorded-operations.ts";
import { servesWhatIsKnown } from "./serves-what-is-known.ts";

/** The operations that answers of deployments are held against. */
export type LiveOperations = {
  /** Null when they have to be judged even if everybody serves what is known. */
  readonly recorded: RecordedOperations | null;
  /** Parses them, once, with everything that judges them. */
  readonly parse: () => Promise<ParsedOperations>;
  /** Judges the operations of a deployment by its schema, which then is known; not what the record tells. */
  readonly judge: (outcome: Outcome) => Promise<void>;
};

/** Reads the operations of all protocols and styles, as far as they are needed. */
export async function readLiveOperations(project: Project, known: CommittedSchemas): Promise<LiveOperations> {
  const recorded = await readRecordedOperations(project, known);
  const rows = new Map(known.rows.map((row) => [row.name, row]));
  let parsing: Promise<ParsedOperations> | null = null;
  const parse = () => {
    parsing ??= parseAll(project);
    return parsing;
  };
  if (recorded === null) await parse();
  return {
    recorded,
    parse,
    judge: async (outcome) => {
      if (outcome.kind === "failed") return;
      if (parsing === null && servesWhatIsKnown(outcome, rows)) return;
      (await parse()).judge(outcome);
    },
  };
}

async function parseAll(project: Project): Promise<ParsedOperations> {
  const { readParsedOperations } = await import("./parsed-operations.ts");
  const operations = await readParsedOperations(project);
  await import("./compare-live.ts");
  return operations;
}
