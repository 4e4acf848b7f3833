import type { Cell } from "../cell.ts";
import type { FleetState } from "../page-data.ts";

/** What the states of the fleet are called and marked by, in the order of the legend: shape and word, not colour alone. */
export const STATES: readonly (readonly [state: FleetState, mark: string, words: string])[] = [
  ["wrong", "\u2715", "wrong chain or indexer"],
  ["drifted", "\u25c6", "drifted"],
  ["failing", "\u25b2", "indexing failed"],
  ["silent", "\u25cb", "silent"],
  ["variant", "\u25d0", "platform variant"],
  ["accepted", "\u25c7", "accepted"],
  ["same", "\u25cf", "same"],
  ["dormant", "\u2013", "dormant"],
  ["retired", "\u00d7", "retired"],
  ["skipped", "\u00b7", "not asked"],
];

/** The same of an operation on a chain. */
export const CELLS: readonly (readonly [cell: Cell, name: string, mark: string, words: string])[] = [
  ["b", "broken", "\u2715", "broken"],
  ["r", "risk", "\u25b2", "at risk or changed"],
  ["v", "valid", "\u25cf", "valid"],
  ["n", "none", "", "not served"],
];
