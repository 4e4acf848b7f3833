import type { Layer, Severity } from "../report/finding.ts";
import type { Change } from "../schema/change.ts";
import type { Origin } from "../schema/origin.ts";

/** One thing that happened, with everything that changed because of it. */
export type RootCause = {
  /** Null where nothing known derives what changed. */
  readonly origin: Origin | null;
  /** At the coordinate of the model's own part; of a feature of the platform, at the feature's name. */
  readonly change: Change;
  readonly layer: Extract<Layer, "entity" | "platform" | "docs">;
  /** The worst of the change itself and of what is derived from it. */
  readonly severity: Severity;
  /** The other changes that follow from it, in the order they were found. */
  readonly derived: readonly Change[];
  /** Of these, what makes it as severe as it is, where the change itself is less; else empty. */
  readonly worstDerived: readonly Change[];
  /** Where a part has another name: what is called otherwise with it, by coordinates before and now. */
  readonly moves?: ReadonlyMap<string, string>;
  /** How many more coordinates changed; a type that came or went counts with its members. */
  readonly derivedCoordinates: number;
  /** These, each once, in code-unit order. */
  readonly coordinates: readonly string[];
};
