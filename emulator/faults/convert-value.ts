import { baseTypeName, isList, isRequired, itemType, nullableType } from "../../src/dialects/api-schema.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import type { RowStore, RowValue } from "../styles/read-view.ts";

/** Makes a value fit a type: the value it stands for where there is one, else null or something empty. */
export function convertValue(value: RowValue, type: string, model: EntityModel, store: RowStore): RowValue {
  if (isList(type)) {
    if (value === null) return isRequired(type) ? [] : null;
    const items: readonly RowValue[] = Array.isArray(value) ? value : [value];
    return items.map((item) => convertValue(item, itemType(type), model, store));
  }
  const single = Array.isArray(value) ? ((value[0] as RowValue | undefined) ?? null) : value;
  const fitting = single === null ? null : fitTo(single, nullableType(type), model, store);
  return fitting === null && isRequired(type) ? emptyOf(baseTypeName(type), model, store) : fitting;
}

const INTEGER = /^-?\d+$/;

/** Null where the value stands for nothing of the type. */
function fitTo(value: RowValue, name: string, model: EntityModel, store: RowStore): RowValue {
  const text = String(value);
  const number = Number(text);
  switch (name) {
    case "ID":
    case "String":
      return text;
    case "Bytes":
      return /^0x(?:[\da-f]{2})*$/i.test(text)
        ? text.toLowerCase()
        : `0x${Buffer.from(text).toString("hex")}`;
    case "Boolean":
      return value === true || text === "true" || (number !== 0 && !Number.isNaN(number));
    case "Int":
      return Number.isInteger(number) && Math.abs(number) < 2 ** 31 ? number : null;
    case "Float":
      return Number.isFinite(number) ? number : null;
    case "Int8":
    case "Timestamp":
    case "BigInt":
      return INTEGER.test(text) ? text : null;
    case "BigDecimal":
      return /^-?\d+(?:\.\d+)?$/.test(text) ? text : null;
  }
  const definition = model.definitions.find((candidate) => candidate.name === name);
  if (definition?.kind === "enum") {
    return definition.values?.some((member) => member.name === text) ? text : null;
  }
  return store.find(name, text) ? text : null;
}

function emptyOf(name: string, model: EntityModel, store: RowStore): RowValue {
  switch (name) {
    case "ID":
    case "String":
      return "";
    case "Bytes":
      return "0x";
    case "Boolean":
      return false;
    case "Int":
    case "Float":
      return 0;
    case "Int8":
    case "Timestamp":
    case "BigInt":
    case "BigDecimal":
      return "0";
  }
  const definition = model.definitions.find((candidate) => candidate.name === name);
  if (definition?.kind === "enum") return definition.values?.[0]?.name ?? null;
  // A reference to somebody, since it must not be to nobody.
  return store.rows(name)[0]?.["id"] ?? null;
}
