import type { SourceReport } from "../report/report.ts";
import type { OperationsBySurface } from "./read-operations.ts";

/** Characters of all texts together; a report is sent around, and a few hundred operations have a tenth of it. */
const MOST_CHARACTERS = 1_000_000;

/**
 * Collects what operations and their fragments say, each once, in order of place. Of a file in code it is the documents
 * alone; what goes beyond a bearable size is left out.
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
