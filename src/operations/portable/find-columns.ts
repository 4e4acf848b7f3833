import { isTime } from "../../dialects/protocol.ts";
import type { DecodedColumns } from "./compiled-operation.ts";
import type { SelectedRows } from "./find-chain.ts";
import type { Facts } from "./read-entities.ts";

/** Finds the columns of rows that decoders convert; null if there are none. */
export function findColumns({ fields, entity, path }: SelectedRows, facts: Facts): DecodedColumns | null {
  const found = fields.flatMap((field): [string, DecodedColumns[string]][] => {
    const name = field.node.name.value;
    const known = entity.fields.get(name);
    if (known === undefined) return [];
    if (known.kind === "column") {
      const isNumber = WHOLE_NUMBERS.has(known.type.name);
      if (isNumber && isTime(facts.definition.times, entity.name, name)) return [[field.key, "time"]];
      return isNumber && known.type.name !== "Int" ? [[field.key, "integer"]] : [];
    }
    const target = facts.entity(known.target);
    if (target === undefined) return [];
    const below = { fields: field.below().fields, entity: target, path: [...path, field.key] };
    const inner = findColumns(below, facts);
    return inner === null ? [] : [[field.key, inner]];
  });
  return found.length === 0 ? null : Object.fromEntries(found);
}

/** Scalars of whole numbers. Answers have `Int` as a JSON number and the others as text. */
const WHOLE_NUMBERS: ReadonlySet<string> = new Set(["BigInt", "Int", "Int8"]);
