import { EmulatorError } from "../../src/base/errors.ts";
import { IS_PER_CHAIN, type StyleName } from "../../src/dialects/surface.ts";
import type { EmulatedDeployment } from "../indexers/emulated-deployment.ts";
import { NODE_RELEASE } from "../indexers/emulated-deployment.ts";

/** The engine of the subgraphs: the emulator, or a real graph-node with the emulator's rows. */
export type EngineName = "emulator" | "graph-node";

/** Gives a deployment or indexer without a release that of its engine. */
export function onEngine<T extends { readonly style: StyleName; readonly release?: string | undefined }>(
  indexer: T,
  engine: EngineName | undefined,
): T {
  const isBare = engine === "graph-node" && IS_PER_CHAIN[indexer.style] && indexer.release === undefined;
  return isBare ? { ...indexer, release: `graph-node-${NODE_RELEASE}` } : indexer;
}

/**
 * Checks the deployments that a real graph-node should serve.
 *
 * @returns the subgraphs among all that is served.
 * @throws EmulatorError `EMULATOR_BAD_OPTION` for a deployment that it cannot serve.
 */
export function checkEngine(
  deployments: readonly EmulatedDeployment[],
  isLive: boolean,
): readonly EmulatedDeployment[] {
  if (isLive) throw cannot("add new blocks: it has the rows of the start", "leave out live.");
  const subgraphs = deployments.filter(({ style }) => IS_PER_CHAIN[style]);
  const [first] = subgraphs;
  if (first === undefined) throw cannot("be used: no subgraph is to be served", "leave it out.");
  const other = subgraphs.find(({ release }) => release !== NODE_RELEASE);
  if (other !== undefined) {
    throw cannot(
      `serve ${other.name} as graph-node-${other.release}: it is graph-node-${NODE_RELEASE}`,
      "leave out the release of subgraphs.",
    );
  }
  const settingsOf = ({ settings = {} }: EmulatedDeployment) =>
    JSON.stringify([
      ...[settings.boolFilters ?? true, settings.childSorting ?? true],
      ...[settings.strictValidation ?? false, settings.maxComplexity ?? null],
    ]);
  const different = subgraphs.find((subgraph) => settingsOf(subgraph) !== settingsOf(first));
  if (different !== undefined) {
    throw cannot(
      `serve ${different.name} with other settings than ${first.name}: one node serves both`,
      "give all subgraphs the same settings.",
    );
  }
  return subgraphs;
}

/** The error for `advance` with a real node. */
export function noNewBlocks(): never {
  throw cannot("add new blocks: it has the rows of the start", "advance an emulator without it.");
}

function cannot(what: string, hint: string): EmulatorError {
  return new EmulatorError({
    code: "EMULATOR_BAD_OPTION",
    sentence: `The engine graph-node cannot ${what}.`,
    hint,
  });
}
