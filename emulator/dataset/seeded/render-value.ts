import { baseTypeName, isList, itemType, nullableType } from "../../../src/dialects/api-schema.ts";
import type { RowValue } from "../../styles/read-view.ts";

/** What of a style decides how values are stored. */
export type StyleTypes = {
  /** The members of an enum; undefined for any other type. */
  readonly membersOf: (type: string) => readonly string[] | undefined;
  /** The scalar of the ids that a reference holds; undefined for what is no reference. */
  readonly idTypeOf: (type: string) => string | undefined;
};

/**
 * Gives a value the form in which a style stores it in a field of this type.
 *
 * @param isTime whether it is a time, in Unix seconds.
 * @param isJson whether it is a JSON text.
 */
export function renderValue(
  value: RowValue,
  type: string,
  types: StyleTypes,
  facts: { readonly isTime: boolean; readonly isJson: boolean },
): RowValue {
  if (value === null) return null;
  const inner = nullableType(type);
  if (isList(inner)) {
    const item = itemType(inner);
    const items: readonly RowValue[] = isListValue(value) ? value : [value];
    return items.map((one) => renderValue(one, item, types, facts));
  }
  if (isListValue(value)) return renderValue(value[0] ?? null, type, types, facts);
  const base = baseTypeName(inner);
  const members = types.membersOf(base);
  if (members !== undefined) return members.includes(String(value)) ? value : (members[0] ?? null);
  switch (types.idTypeOf(base) ?? base) {
    case "Boolean":
      return value === true;
    case "Int":
      return Number(wholeOf(value));
    case "Float":
      return Number(value);
    case "Timestamp":
      return facts.isTime ? `${wholeOf(value)}000000` : wholeOf(value);
    case "BigInt":
    case "Int8":
      return wholeOf(value);
    case "BigDecimal":
      return NUMBER.test(String(value)) ? String(value) : "0";
    case "Bytes":
      return HEX.test(String(value)) ? value : `0x${Buffer.from(String(value)).toString("hex")}`;
    case "Json":
      return facts.isJson ? value : JSON.stringify(value);
    default:
      return String(value);
  }
}

const HEX = /^0x(?:[0-9a-f]{2})*$/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** A number without its decimals. */
function wholeOf(value: RowValue): string {
  const text = String(value);
  return NUMBER.test(text) ? text.replace(/\.\d+$/, "") : "0";
}

function isListValue(value: RowValue): value is readonly RowValue[] {
  return Array.isArray(value);
}
