import { baseTypeName } from "../../../src/dialects/api-schema.ts";
import type { EntityField, EntityModel } from "../../../src/dialects/entity-model.ts";
import type { Row, RowValue } from "../../styles/read-view.ts";
import { referenceName } from "./build-row-plan.ts";
import type { MadeRow } from "./create-row-maker.ts";
import { renderValue, type StyleTypes } from "./render-value.ts";
import type { PlannedEntity, RowPlan } from "./row-plan.ts";

/** Gives rows the form in which one style stores them. */
export type RowRenderer = {
  /** Whether the style has the entity at all. */
  readonly has: (entity: string) => boolean;
  readonly render: (entity: PlannedEntity, row: MadeRow) => Row;
};

/** Creates what gives rows of a plan the form of a style, which has these entities, on one chain. */
export function createRowRenderer({ definitions }: EntityModel, plan: RowPlan, chainId: number): RowRenderer {
  const enums = new Map<string, readonly string[]>();
  const ids = new Map<string, string>();
  const columns = new Map<string, readonly Column[]>();
  for (const definition of definitions) {
    if (definition.kind === "enum")
      enums.set(definition.name, definition.values?.map(({ name }) => name) ?? []);
    if (definition.kind !== "entity" && definition.kind !== "aggregation") continue;
    const planned = plan.entities.get(definition.name);
    if (planned !== undefined) columns.set(definition.name, columnsOf(definition.fields, planned));
    const id = definition.fields.find(({ name }) => name === "id");
    const parents = definition.kind === "entity" ? definition.interfaces : [];
    // The rows of an interface have the ids of its first implementer.
    for (const name of [definition.name, ...parents])
      if (!ids.has(name)) ids.set(name, baseTypeName(id?.type ?? "ID"));
  }
  const types: StyleTypes = {
    membersOf: (type) => enums.get(type),
    idTypeOf: (type) => ids.get(type),
  };
  return {
    has: (entity) => columns.has(entity),
    render: (entity, row) =>
      Object.fromEntries<RowValue>([
        // Where entities are kept per chain, the platform says of every row which chain it is of.
        ["chainId", chainId],
        ...(columns.get(entity.name) ?? []).map(({ name, key, type, ...facts }): [string, RowValue] => [
          name,
          renderValue(row.get(key) ?? null, type, types, facts),
        ]),
      ]),
  };
}

/** A stored field of a style, and the field of the plan that has its values. */
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
