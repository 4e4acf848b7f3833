import { findNamed } from "../../../src/base/collections.ts";
import { baseTypeName, isList, itemType, nullableType } from "../../../src/dialects/api-schema.ts";
import type { EntityField, EntityModel } from "../../../src/dialects/entity-model.ts";
import type { Row, RowValue } from "../../styles/read-view.ts";
import { readStyleTypes, type StyleTypes } from "../style-types.ts";
import { referenceName } from "./build-row-plan.ts";
import type { MadeRow } from "./create-row-maker.ts";
import type { PlannedEntity } from "./row-plan.ts";

/** Writes an id of an entity, or a list of them, given as subgraphs write it. Other values stay the same. */
export type WriteId = (entity: string, id: RowValue, chainId: number) => RowValue;

/** Returns the function from rows of an entity to those that a style stores; undefined if the style has no such entity. */
type RowRenderer = (entity: PlannedEntity) => ((row: MadeRow) => Row) | undefined;

/**
 * Creates the renderer of a plan's rows for a style with these entities, on one chain.
 *
 * @param writeId writes ids of an entity as the style does.
 */
export function createRowRenderer(
  model: EntityModel,
  { chainId, writeId }: { readonly chainId: number; readonly writeId: WriteId },
): RowRenderer {
  const types = readStyleTypes(model);
  return (entity) => {
    const definition = findNamed(model.definitions, entity.name);
    if (definition?.kind !== "entity" && definition?.kind !== "aggregation") return undefined;
    const columns = columnsOf(definition.fields, entity);
    return (row) =>
      Object.fromEntries<RowValue>([
        // If entities are stored per chain, the platform adds the chain's id to every row.
        ["chainId", chainId],
        ...columns.map(({ name, key, type, ...facts }): [string, RowValue] => {
          const value = renderValue(row.get(key) ?? null, type, { ...types, ...facts });
          const target = targetOf(entity, key);
          return [name, target === null ? value : writeId(target, value, chainId)];
        }),
      ]);
  };
}

/** The entity whose ids a field holds; null for no entity and for several. */
function targetOf({ name, fields }: PlannedEntity, key: string): string | null {
  if (key === "id") return name;
  const source = fields.get(key)?.source;
  const [target = null, ...others] = source?.kind === "reference" ? source.targets : [];
  return others.length === 0 ? target : null;
}

/** A stored field of a style, and its field in the plan. */
type Column = {
  readonly name: string;
  readonly key: string;
  readonly type: string;
  readonly isTime: boolean;
  readonly isJson: boolean;
};

function columnsOf(fields: readonly EntityField[], { fields: planned, rollUp }: PlannedEntity): Column[] {
  const columns = fields
    .filter(({ derived }) => !derived)
    .map(({ name, type }): Column => {
      const base = referenceName(name);
      const key = base !== null && !planned.has(name) && planned.has(base) ? base : name;
      const source = planned.get(key)?.source;
      const family = source && "family" in source ? source.family : null;
      return {
        name,
        key,
        type,
        isTime: source?.kind === "created" || family === "time",
        isJson: family === "json",
      };
    });
  if (rollUp === null || columns.some(({ name }) => name === "interval")) return columns;
  return [...columns, { name: "interval", key: "interval", type: "String", isTime: false, isJson: false }];
}

/**
 * Converts a value to the form that a style stores in a field of this type.
 *
 * @param isTime whether it is a time, in Unix seconds.
 * @param isJson whether it is a JSON text.
 */
function renderValue(
  value: RowValue,
  type: string,
  column: StyleTypes & Pick<Column, "isTime" | "isJson">,
): RowValue {
  if (value === null) return null;
  const inner = nullableType(type);
  if (isList(inner)) {
    const item = itemType(inner);
    const items: readonly RowValue[] = isListValue(value) ? value : [value];
    return items.map((rowValue) => renderValue(rowValue, item, column));
  }
  if (isListValue(value)) return renderValue(value[0] ?? null, type, column);
  const base = baseTypeName(inner);
  const members = column.membersOf(base);
  if (members !== undefined) return members.includes(String(value)) ? value : (members[0] ?? null);
  switch (column.idTypeOf(base) ?? base) {
    case "Boolean":
      return value === true;
    case "Int":
      return Number(wholeOf(value));
    case "Float":
      return Number(value);
    case "Timestamp":
      return column.isTime ? `${wholeOf(value)}000000` : wholeOf(value);
    case "BigInt":
    case "Int8":
      return wholeOf(value);
    case "BigDecimal":
      return NUMBER.test(String(value)) ? String(value) : "0";
    case "Bytes":
      return HEX.test(String(value)) ? value : `0x${Buffer.from(String(value)).toString("hex")}`;
    case "Json":
      return column.isJson ? value : JSON.stringify(value);
    default:
      return String(value);
  }
}

const HEX = /^0x(?:[0-9a-f]{2})*$/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

function wholeOf(value: RowValue): string {
  const text = String(value);
  return NUMBER.test(text) ? text.replace(/\.\d+$/, "") : "0";
}

function isListValue(value: RowValue): value is readonly RowValue[] {
  return Array.isArray(value);
}
