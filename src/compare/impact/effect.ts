import type { ASTNode } from "graphql";
import { compareCodeUnits } from "../../base/collections.ts";
import { parseCoordinate } from "../../dialects/locate.ts";
import {
  IMPACT_KINDS,
  type ImpactKind,
  type OperationImpact,
  SEVERITIES,
  type Severity,
} from "../../report/finding.ts";
import type { IndexedSchema } from "../indexed-schema.ts";
import type { DiffOptions } from "../severity-rules.ts";

/** One thing that a change does to an operation, where, and why. */
export type Effect = Omit<OperationImpact, "name"> & {
  /** The coordinates of the schema it comes from, of one change or of several that do it together. Never empty. */
  readonly coordinates: readonly string[];
  /** What it is about in the words of the operation: `streams.asset.symbol` of the answer, or `$where`. */
  readonly path: string;
  readonly fix: string;
};

/** What an effect is, before it has a place. How much another type is depends on the two types. */
export type EffectFacts = Pick<Effect, "coordinates" | "path" | "message" | "fix"> &
  (
    | { readonly impact: "changes-type"; readonly severity: Severity }
    | { readonly impact: Exclude<ImpactKind, "changes-type"> }
  );

/** The two schemas an operation is held against, and how their differences are judged. */
export type SchemaPair = DiffOptions & {
  readonly before: IndexedSchema;
  readonly after: IndexedSchema;
  /** What was found so far for those who send values of a type: many variables have one type. */
  readonly inputChanges: Map<string, readonly InputTypeChange[]>;
};

/** A change in an input type or a nested one, with the path of members to it: `["asset", "symbol"]`. */
export type InputTypeChange = InputDifference & { readonly path: readonly string[] };

/** What changed for those who send values of a type, and what callers must not do any more, if anything. */
export type InputDifference = { readonly facts: EffectFacts; readonly avoid: string | null };

const SEVERITY_OF: Readonly<Record<Exclude<ImpactKind, "changes-type">, Severity>> = {
  broken: "breaking",
  "at-risk": "risky",
  "changes-meaning": "risky",
  deprecated: "cosmetic",
};

/** The most effects of a kind at one place of an operation. A made-up enum may have a hundred thousand new values. */
export const MOST_EFFECTS = 1000;

/** An effect at the place of a node. */
export function effectAt(node: ASTNode, facts: EffectFacts): Effect {
  const token = node.loc?.startToken;
  return {
    ...facts,
    severity: facts.impact === "changes-type" ? facts.severity : SEVERITY_OF[facts.impact],
    file: node.loc?.source.name ?? "",
    line: token?.line ?? 1,
    column: token?.column ?? 1,
  };
}

/** Says that a default changed; `variable` may have no value at this place. */
export function describeDefault(
  coordinate: string,
  { from, to }: { readonly from: string | null; readonly to: string | null },
  variable: string | null,
): Pick<Effect, "message" | "fix"> {
  const { type, member, argument } = parseCoordinate(coordinate);
  const name = argument ?? member ?? type;
  const unless = variable === null ? "" : ` It holds when $${variable} has no value.`;
  return {
    message: `The default of ${coordinate} was ${from ?? "nothing"} and is ${to ?? "nothing"}.${unless}`,
    fix:
      from === null
        ? `send \`${name}\` to say which value is meant.`
        : `send \`${name}: ${from}\` to keep the meaning it had.`,
  };
}

/** Effects worst first, each once; what makes an operation invalid is not reported to change a type too. */
export function arrangeEffects(effects: readonly Effect[]): Effect[] {
  const seen = new Set<string>();
  const broken = new Set<string>();
  return [...effects].sort(compareEffects).filter((effect) => {
    const { coordinates, impact, message } = effect;
    // What callers may send is another thing than what the document does.
    if (impact === "broken") for (const coordinate of coordinates) broken.add(coordinate);
    else if (impact !== "at-risk" && coordinates.every((coordinate) => broken.has(coordinate))) return false;
    const key = `${effect.file}:${effect.line}:${effect.column} ${impact} ${message}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Worst first, then in order of place. */
export function compareEffects(a: Effect, b: Effect): number {
  return (
    IMPACT_KINDS.indexOf(a.impact) - IMPACT_KINDS.indexOf(b.impact) ||
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    compareCodeUnits(a.file, b.file) ||
    a.line - b.line ||
    a.column - b.column ||
    compareCodeUnits(a.coordinates.join(), b.coordinates.join()) ||
    compareCodeUnits(a.message, b.message)
  );
}
