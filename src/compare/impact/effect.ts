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

/** One effect of a schema change on an operation, with its place and cause. */
export type Effect = Omit<OperationImpact, "name"> & {
  /** The coordinates of the changes that cause it. Never empty. */
  readonly coordinates: readonly string[];
  /** The affected part of the operation: `streams.asset.symbol` in the answer, or `$where`. */
  readonly path: string;
  readonly fix: string;
};

/** An effect without its place. The severity of a changed type depends on the two types. */
export type EffectFacts = Pick<Effect, "coordinates" | "path" | "message" | "fix"> &
  (
    | { readonly impact: "changes-type"; readonly severity: Severity }
    | { readonly impact: Exclude<ImpactKind, "changes-type"> }
  );

/** The two schemas that an operation is checked with. */
export type SchemaPair = DiffOptions & {
  readonly before: IndexedSchema;
  readonly after: IndexedSchema;
  /** Caches the changes of input types, because many variables have the same type. */
  readonly inputChanges: Map<string, readonly InputTypeChange[]>;
};

/** A change in an input type or a nested one, with the path of members to it: `["asset", "symbol"]`. */
export type InputTypeChange = InputDifference & { readonly path: readonly string[] };

/** A change of an input type, and what callers must no longer send; null if nothing. */
export type InputDifference = { readonly facts: EffectFacts; readonly avoid: string | null };

const SEVERITY_OF: Readonly<Record<Exclude<ImpactKind, "changes-type">, Severity>> = {
  broken: "breaking",
  "at-risk": "risky",
  "changes-meaning": "risky",
  deprecated: "cosmetic",
};

/** The most effects of a kind at one place of an operation. A hostile enum may have a hundred thousand new values. */
export const MOST_EFFECTS = 1000;

/** Builds an effect at the place of a node. */
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

/** Describes a changed default. A non-null `variable` is used at this place and may have no value. */
export function describeDefault(
  coordinate: string,
  { from, to }: { readonly from: string | null; readonly to: string | null },
  variable: string | null,
): Pick<Effect, "message" | "fix"> {
  const { type, member, argument } = parseCoordinate(coordinate);
  const name = argument ?? member ?? type;
  const unless = variable === null ? "" : ` It applies if $${variable} has no value.`;
  return {
    message: `The default of ${coordinate} was ${from ?? "nothing"} and is ${to ?? "nothing"}.${unless}`,
    fix:
      from === null ? `send \`${name}\` explicitly.` : `send \`${name}: ${from}\` to keep the old behaviour.`,
  };
}

/** Sorts effects, worst first, without duplicates. A coordinate that breaks an operation is not also reported as a type change. */
export function arrangeEffects(effects: readonly Effect[]): Effect[] {
  const seen = new Set<string>();
  const broken = new Set<string>();
  return [...effects].sort(compareEffects).filter((effect) => {
    const { coordinates, impact, message } = effect;
    // `at-risk` is about values that callers send, so it is reported beside errors of the document.
    if (impact === "broken") for (const coordinate of coordinates) broken.add(coordinate);
    else if (impact !== "at-risk" && coordinates.every((coordinate) => broken.has(coordinate))) return false;
    const key = `${effect.file}:${effect.line}:${effect.column} ${impact} ${message}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Orders effects: worst first, then by place. */
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
