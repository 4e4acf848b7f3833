import type { RowValue } from "../../read-view.ts";
import { normalizeDecimal } from "./scalars.ts";

/** A test of one stored value. */
export type ValueTest = (stored: RowValue) => boolean;

/** Whether a stored value is a list. */
export function isListValue(value: RowValue | undefined): value is readonly RowValue[] {
  return Array.isArray(value);
}

/** A stored decimal in its one notation. */
export function decimalOf(stored: RowValue): RowValue {
  return stored === null ? null : (normalizeDecimal(String(stored)) ?? stored);
}

/** A stored value as messages show it. */
export function showStored(value: RowValue): string {
  return isListValue(value) ? `[${value.map(showStored).join(", ")}]` : String(value);
}

/** The ids a stored reference, or list of references, holds. */
export function idsOf(value: RowValue | undefined): readonly string[] {
  if (value === null || value === undefined) return [];
  return isListValue(value) ? value.map(String) : [String(value)];
}

/** Whether a stored value is, or as a list holds, another. */
export function holdsValue(stored: RowValue | undefined, value: RowValue): boolean {
  return stored !== undefined && isListValue(stored) ? stored.includes(value) : stored === value;
}
