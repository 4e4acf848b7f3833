import { UsageError } from "../base/errors.ts";
import type { AmountName } from "../dialects/protocol.ts";
import type { Field, Units } from "./rows.ts";

/**
 * Adds a field with whole units after each amount: `depositAmount.units`.
 *
 * @param operation the name in errors.
 * @returns the fields, and a notice for amounts whose decimals are not selected; null if all are.
 * @throws UsageError if the operation selects no amounts, or no decimals of them.
 */
export function addUnits(
  fields: readonly Field[],
  amounts: readonly AmountName[],
  operation: string,
): { readonly fields: readonly Field[]; readonly notice: string | null } {
  const missing = new Map<string, string[]>();
  let count = 0;
  const add = (some: readonly Field[], above: readonly Level[], path: string): readonly Field[] =>
    some.flatMap((field) => {
      const fieldPath = `${path}${field.name}`;
      if (field.fields !== null) {
        const inner = add(field.fields, [{ fields: some, field }, ...above], `${fieldPath}.`);
        return [{ ...field, fields: inner }];
      }
      if (field.kind !== "amount" || field.isList) return [field];
      const { decimals, select } = findDecimals(amounts, { fields: some, field }, above);
      if (decimals === null) {
        if (select !== null) missing.set(select, [...(missing.get(select) ?? []), fieldPath]);
        return [field];
      }
      count++;
      const units: Field = {
        name: `${field.name}.units`,
        isList: false,
        kind: "units",
        fields: null,
        units: { amount: field.name, decimals },
      };
      return [field, units];
    });
  const all = add(fields, [], "");
  const shown = [...missing].map(([select, names]) => `${names.join(", ")}: select ${select}`);
  if (count > 0) return { fields: all, notice: shown[0] ? `No units of ${shown.join("; of ")}.` : null };
  throw new UsageError({
    sentence: shown[0]
      ? `--units needs the decimals of amounts, which ${operation} does not select.`
      : `--units applies to the fields of \`amounts\` of the protocol, and ${operation} selects none.`,
    ...(shown[0] ? { hint: `for ${shown.join("; for ")}.` } : {}),
  });
}

/** The fields of a row, and one of them. */
type Level = { readonly fields: readonly Field[]; readonly field: Field };

/** Finds the decimals of an amount among the selected fields of its row, and of the rows that it is in. */
function findDecimals(
  amounts: readonly AmountName[],
  inner: Level,
  above: readonly Level[],
): { readonly decimals: Units["decimals"] | null; readonly select: string | null } {
  let select: string | null = null;
  let path: readonly string[] = [];
  for (const [level, { fields, field }] of [inner, ...above].entries()) {
    if (field.of === undefined) break;
    path = [field.of.field, ...path];
    const name = [field.of.entity, ...path].join(".");
    const decimals = amounts.find((amount) => amount.path.join(".") === name)?.decimals;
    if (decimals === undefined) continue;
    if (typeof decimals === "number") return { decimals, select };
    const keys = findKeys(fields, decimals);
    if (keys !== null) return { decimals: { path: keys, above: level }, select };
    select ??= renderSelection(decimals, level === 0 ? null : field.name);
  }
  return { decimals: null, select };
}

/** Returns the keys of a path of fields; null if it is not selected. */
function findKeys(fields: readonly Field[], [name, ...below]: readonly string[]): readonly string[] | null {
  const field = fields.find(({ of, isList }) => of?.field === name && !isList);
  if (field === undefined || (field.fields === null) !== (below.length === 0)) return null;
  const inner = field.fields === null ? [] : findKeys(field.fields, below);
  return inner === null ? null : [field.name, ...inner];
}

/** Renders a path as a selection: `asset { decimals }`, beside another field. */
function renderSelection([first = "", ...others]: readonly string[], beside: string | null): string {
  const inner = others.length === 0 ? first : `${first} { ${renderSelection(others, null)} }`;
  return beside === null ? inner : `${inner} beside ${beside}`;
}
