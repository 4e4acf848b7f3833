import { baseTypeName } from "../../dialects/api-schema.ts";
import { styles } from "../../dialects/index.ts";
import type { ParityRename, ParityRow } from "../../report/outcome.ts";

/** Describes how a field differs between the styles; null if it does not. */
export function describeDifference(
  { entity, field, multichain, subgraph, verdict, rule, weaker }: ParityRow,
  renames: readonly ParityRename[],
): string | null {
  if (multichain === null || subgraph === null) {
    const [own, other] =
      multichain === null ? (["subgraph", "multichain"] as const) : (["multichain", "subgraph"] as const);
    const rename = renames.find((one) => one.entity === entity && one[own] === field);
    return rename === undefined
      ? `Only on ${own}.`
      : `Only on ${own}. It seems to be named ${rename[other]} on ${other}.`;
  }
  const nullable = weaker === null ? "" : `Nullable only on ${weaker}.`;
  if (rule === "parity/relation-nullability") return `Nullable only on ${weaker}, like every relation there.`;
  if (verdict === "equal") return nullable || null;
  if (verdict === "nullability") return nullable || "The styles declare different parts as nullable.";
  if (verdict === "conflict")
    return `The types do not match: ${multichain} on multichain, ${subgraph} on subgraph.`;
  const [left, right] = [baseTypeName(multichain), baseTypeName(subgraph)];
  const mapped =
    rule === "parity/opaque-enum"
      ? `Multichain shows the enum ${right} as the scalar ${left}.`
      : `The scalar is ${left} on multichain and ${right} on subgraph.`;
  const format =
    styles.subgraph.scalars.get(right)?.family === "timestamp" ? "The styles format it differently." : "";
  return [mapped, format, nullable].filter((part) => part !== "").join(" ");
}
