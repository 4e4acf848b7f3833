import { cached } from "../base/cached.ts";
import { compareCodeUnits } from "../base/compare-code-units.ts";
import { baseTypeName, isList } from "../base/type-expression.ts";
import type { TypedUse } from "./compile-definition.ts";

/** The variables of a written document by the author's, and by what becomes of the value. */
export type VariableNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Names the variables of a written document, and the nodes that stand for them. The author's name is kept where it can
 * be: one variable of each stands for a value as it is, and others are copies.
 *
 * @param fixed names that other parts of the document have already.
 * @param declared every name that an author declares anywhere, of which no copy may have one.
 * @param given those of which there is always a value, so that what stands for none does not matter.
 */
export function nameVariables(
  uses: readonly TypedUse[],
  fixed: VariableNames,
  { declared, given }: { readonly declared: ReadonlySet<string>; readonly given: ReadonlySet<string> },
): VariableNames {
  const names = new Map([...fixed].map(([name, known]) => [name, new Map(known)]));
  for (const use of [...uses].sort(compareUses)) {
    const name = use.authored.name.value;
    const known = cached(names, name, () => new Map<string, string>());
    const same = given.has(name) ? AS_GIVEN.find((key) => known.has(key)) : undefined;
    const like = same !== undefined && AS_GIVEN.includes(keyOf(use)) ? known.get(same) : undefined;
    cached(known, keyOf(use), () => like ?? chooseName(use, new Set(known.values()), declared));
  }
  for (const use of uses) {
    use.written.name.value = names.get(use.authored.name.value)?.get(keyOf(use)) ?? use.authored.name.value;
  }
  return names;
}

/** Keys of one treatment where there is a value. */
const AS_GIVEN: readonly string[] = ["value Int", "first Int", "skip Int"];

/** Uses of one key are of one variable of the written document. */
function keyOf({ treatment, type }: TypedUse): string {
  switch (treatment.kind) {
    case "pattern":
      return `pattern ${treatment.name} ${type}`;
    case "order": {
      const { direction } = treatment;
      return `order ${typeof direction === "string" ? direction : `$${direction.name.value}`}`;
    }
    default:
      return `${treatment.kind} ${type}`;
  }
}

/** Those that can have the author's name first; of two types of numbers that which has all of them. */
function compareUses(a: TypedUse, b: TypedUse): number {
  return (
    KINDS.indexOf(a.treatment.kind) - KINDS.indexOf(b.treatment.kind) || compareCodeUnits(keyOf(b), keyOf(a))
  );
}

const KINDS: readonly TypedUse["treatment"]["kind"][] = [
  ...(["value", "bytes", "first", "skip", "direction", "filter", "order", "chains"] as const),
  ...(["pattern", "chain"] as const),
];

function chooseName(use: TypedUse, taken: ReadonlySet<string>, declared: ReadonlySet<string>): string {
  const { authored, treatment } = use;
  const name = authored.name.value;
  if (treatment.kind !== "pattern" && treatment.kind !== "chain" && !taken.has(name)) return name;
  let copy = `${name}${suffixOf(use)}`;
  while (declared.has(copy) || taken.has(copy)) copy += "_";
  return copy;
}

function suffixOf({ treatment, type }: TypedUse): string {
  const base = baseTypeName(type ?? "");
  switch (treatment.kind) {
    case "pattern":
      return `_${treatment.name}`;
    case "order":
      return `_${typeof treatment.direction === "string" ? treatment.direction : treatment.direction.name.value}`;
    case "value":
      return `_${base}${isList(type ?? "") ? "s" : ""}`;
    case "chains":
      return "Int";
    case "chain":
      return "One";
    default:
      return `_${treatment.kind}`;
  }
}
