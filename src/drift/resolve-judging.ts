import { DEFAULT_REQUIREMENT } from "../compare/require.ts";
import type { JudgingRules } from "./judge-run.ts";

/** Resolves how a run is judged, with the defaults of every command. */
export function resolveJudging({
  failOn = "operations",
  failOnHealth = false,
  require = DEFAULT_REQUIREMENT,
  exhaustiveEnums = false,
  details = true,
}: { readonly [Name in keyof JudgingRules]?: JudgingRules[Name] | undefined }): JudgingRules {
  return { failOn, failOnHealth, require, exhaustiveEnums, details };
}
