import type { RowValue } from "../../read-view.ts";
import type { ColumnOperator } from "./filter-key.ts";
import { foldAscii, matchesLike } from "./like.ts";
import { patternKind } from "./pattern-kind.ts";
import type { Attribute } from "./schema-index.ts";
import { decimalOf, isListValue, type ValueTest } from "./stored-value.ts";

/** Compiles a comparison of a stored list (B.4). */
export function listTest(attribute: Attribute, operator: ColumnOperator, value: RowValue): ValueTest {
  const decimal = attribute.valueType === "BigDecimal";
  const listOf = (stored: RowValue): readonly RowValue[] | null => {
    if (!isListValue(stored)) return null;
    return decimal ? stored.map(decimalOf) : stored;
  };
  if (operator === "" || operator === "_not") {
    const wanted = operator === "";
    if (value === null) return (stored) => (stored === null) === wanted;
    const items = isListValue(value) ? value : [value];
    return (stored) => {
      const list = listOf(stored);
      if (list === null) return false;
      return (list.length === items.length && list.every((item, at) => item === items[at])) === wanted;
    };
  }
  const { negated, nocase } = patternKind(operator);
  if (!isListValue(value)) return () => false;
  if (nocase) {
    // No `%` is put around: `nocase` asks whether ANY element is like ANY of these.
    const patterns = value.map((item) => matchesLike(foldAscii(String(item))));
    return (stored) => {
      // A list that is null has no element, so none that is like these.
      const list = listOf(stored) ?? [];
      return list.some((item) => patterns.some((matches) => matches(foldAscii(String(item))))) !== negated;
    };
  }
  return (stored) => {
    const list = listOf(stored);
    if (list === null) return false;
    return negated ? !value.some((item) => list.includes(item)) : value.every((item) => list.includes(item));
  };
}
