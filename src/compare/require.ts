import { cached } from "../base/cached.ts";
import { compareCodeUnits } from "../base/compare-code-units.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { surfaceId } from "../project/surface.ts";
import { type EndpointReport, hasAnswered, isExcused } from "../report/outcome.ts";

/** How many endpoints of each protocol and style have to answer for a run to be conclusive. */
export type Requirement =
  | { readonly kind: "all" | "any" | "none" }
  /** Of those that were asked, 1 to 100. */
  | { readonly kind: "percent"; readonly percent: number }
  /** A group with fewer endpoints needs all of them. */
  | { readonly kind: "count"; readonly count: number };

/** What a run requires when nobody says otherwise. */
export const DEFAULT_REQUIREMENT: Requirement = { kind: "percent", percent: 80 };

/** Parses the value of `--require`. */
export function parseRequirement(text: string): Requirement {
  if (text === "all" || text === "any" || text === "none") return { kind: text };
  const match = /^quorum:(\d{1,6})(%?)$/.exec(text);
  const number = Number(match?.[1]);
  if (match?.[2] === "%" && number >= 1 && number <= 100) return { kind: "percent", percent: number };
  if (match?.[2] === "" && number >= 1) return { kind: "count", count: number };
  throw new UsageError({
    sentence: `--require takes all, any, none, quorum:80% or quorum:20, not "${text}".`,
  });
}

/**
 * The protocols and styles whose answers do not suffice, in code-unit order. What was not asked does not count,
 * nor what is called dormant and gave no schema.
 */
export function findUnmet(
  endpoints: readonly Pick<EndpointReport, "protocol" | "style" | "status" | "lifecycle">[],
  requirement: Requirement,
) {
  const counts = new Map<string, { asked: number; answered: number }>();
  for (const endpoint of endpoints) {
    if (isExcused(endpoint)) continue;
    const count = cached(counts, surfaceId(endpoint), () => ({ asked: 0, answered: 0 }));
    count.asked++;
    if (hasAnswered(endpoint)) count.answered++;
  }
  return [...counts]
    .map(([name, count]) => ({ name, ...count, needed: neededOf(count.asked, requirement) }))
    .filter(({ answered, needed }) => answered < needed)
    .sort((a, b) => compareCodeUnits(a.name, b.name));
}

function neededOf(asked: number, requirement: Requirement): number {
  switch (requirement.kind) {
    case "all":
      return asked;
    case "any":
      return 1;
    case "none":
      return 0;
    case "percent":
      return Math.ceil((asked * requirement.percent) / 100);
    case "count":
      return Math.min(asked, requirement.count);
  }
}
