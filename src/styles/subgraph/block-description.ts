import type { GraphNodeFeatures } from "./release.ts";

/**
 * A description written as a block string, as a release shows it: until 0.40.2 graph-node kept one line feed
 * at the end (D.1).
 *
 * An entity model does not say how a description was written. All descriptions of the authors are taken for
 * block strings, which is how nearly all entity schemas write them.
 */
export function blockDescription<T extends string | null>(
  text: T,
  { trimmedDescriptions }: GraphNodeFeatures,
): T | string {
  return text === null || trimmedDescriptions ? text : `${text}\n`;
}
