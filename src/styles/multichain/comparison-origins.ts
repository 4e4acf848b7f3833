import type { EntityModel } from "../../model/entity-model.ts";
import { distinctOrigins, entityOrigin, type Origin } from "../../model/origin.ts";
import { type Comparable, comparisonName } from "./comparison-exp.ts";
import { FEATURES, scalarFeature } from "./platform-features.ts";
import { MULTICHAIN_SCALARS } from "./scalars.ts";
import { type ColumnSource, columnOrigins, type TableSource, type TableSources } from "./table-sources.ts";

/**
 * What a scalar and its comparisons are derived from: an enum, or the columns that are the only ones of their kind,
 * besides the platform's own.
 */
export function createComparisonOrigins(
  models: readonly EntityModel[],
  sources: readonly TableSources[],
): (type: string) => readonly Origin[] {
  const enums = indexEnums(models);
  const deciding = new Map<string, readonly Origin[]>();

  return (type) => {
    const scalar = scalarOf(type);
    const known = enums.get(scalar) ?? [];
    const platform = PLATFORM_SCALARS.has(scalar) ? [scalarFeature(scalar)] : [];
    if (known.length === 0 && platform.length === 0) return [];
    let users = deciding.get(type);
    if (users === undefined) {
      users = decidingOrigins(type, sources);
      deciding.set(type, users);
    }
    return [...known, ...users, ...platform];
  };
}

/** The columns a type is there for, where some model may be without any. */
function decidingOrigins(type: string, sources: readonly TableSources[]): readonly Origin[] {
  const certain = sources.every((tables) => {
    for (const table of tablesOf(tables)) {
      // Lists of big numbers may be lists of text, and what is internal may not show.
      const shows = ({ kinds }: ColumnSource) =>
        kinds.length === 1 && kinds.some((kind) => isFor(kind, type));
      if (!table.internal && table.columns().some(shows)) return true;
    }
    return false;
  });
  if (certain) return [];
  const origins: Origin[] = [];
  for (const tables of sources) {
    for (const table of tablesOf(tables)) {
      for (const column of table.columns()) {
        if (!column.kinds.some((kind) => isFor(kind, type))) continue;
        origins.push(...columnOrigins(column), entityOrigin(table.name));
        if (table.internal) origins.push(FEATURES.internalEntities);
      }
    }
  }
  return distinctOrigins(origins);
}

function* tablesOf({ names, find }: TableSources): Iterable<TableSource> {
  for (const name of names()) {
    const table = find(name);
    if (table) yield table;
  }
}

/** Those of the platform's own tables count, too, and what only a server's answer has. */
const PLATFORM_SCALARS: ReadonlySet<string> = new Set([...MULTICHAIN_SCALARS.keys(), "contract_type"]);

/** `numeric_comparison_exp`, `String_array_comparison_exp` and `jsonb_cast_exp` are there for a scalar. */
function scalarOf(type: string): string {
  for (const suffix of ["_array_comparison_exp", "_comparison_exp", "_cast_exp"]) {
    if (type.endsWith(suffix)) return type.slice(0, -suffix.length);
  }
  return type;
}

function indexEnums(models: readonly EntityModel[]): Map<string, Origin[]> {
  const enums = new Map<string, Origin[]>();
  for (const { kind, name } of models.flatMap((model) => model.definitions)) {
    if (kind !== "enum") continue;
    const scalar = name.toLowerCase();
    enums.set(scalar, [...(enums.get(scalar) ?? []), { kind, name }]);
  }
  return enums;
}

function isFor(kind: Comparable, type: string): boolean {
  if (type === kind.scalar || type === comparisonName(kind)) return true;
  return type === "jsonb_cast_exp" && kind.scalar === "jsonb" && !kind.list;
}
