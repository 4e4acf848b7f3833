import type { FailOn } from "../compare/gate.ts";
import { DEFAULT_REQUIREMENT, type Requirement } from "../compare/require.ts";
import type { JudgingRules } from "./judge-run.ts";

/** Resolves how a run is judged, with the defaults of every command. */
export function resolveJudging({
  failOn = "operations",
  failOnHealth = false,
  require = DEFAULT_REQUIREMENT,
  exhaustiveEnums = false,
}: {
  readonly failOn?: FailOn | undefined;
  readonly failOnHealth?: boolean | undefined;
  readonly require?: Requirement | undefined;
  readonly exhaustiveEnums?: boolean | undefined;
}): JudgingRules {
  return { failOn, failOnHealth, require, exhaustiveEnums };
}
