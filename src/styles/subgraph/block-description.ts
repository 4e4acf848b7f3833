import type { GraphNodeFeatures } from "./release.ts";

/**
 * A description written as a block string, as a release shows it: until 0.40.2 graph-node kept one line feed at
 * the end (D.1).
 */
export function blockDescription(text: string, { trimmedDescriptions }: GraphNodeFeatures): string {
  return trimmedDescriptions ? text : `${text}\n`;
}
