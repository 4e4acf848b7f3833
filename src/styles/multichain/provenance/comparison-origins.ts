import { cached } from "../../../base/cached.ts";
import { groupBy } from "../../../base/group-by.ts";
import { once } from "../../../base/once.ts";
import type { EntityModel } from "../../../schema/entity-model.ts";
import { distinctOrigins, entityOrigin, type Origin } from "../../../schema/origin.ts";
import { type Comparable, comparisonName } from "../derive/comparison-exp.ts";
import { FEATURES, scalarFeature } from "../platform-features.ts";
import { MULTICHAIN_SCALARS } from "../scalars.ts";
import { type ColumnSource, columnOrigins, type TableSource, type TableSources } from "./table-sources.ts";

/** Traces a scalar and its comparisons to an enum, to the only columns of a kind, to the platform. */
export function createComparisonOrigins(
  models: readonly EntityModel[],
  sources: readonly TableSources[],
): (type: string) => readonly Origin[] {
  const enums = indexEnums(models);
  const deciding = new Map<string, readonly Origin[]>();
  const indexes = once(() => sources.map(indexUsers));

  return (type) => {
    const scalar = scalarOf(type);
    const known = enums.get(scalar) ?? [];
    const platform = PLATFORM_SCALARS.has(scalar) ? [scalarFeature(scalar)] : [];
    if (known.length === 0 && platform.length === 0) return [];
    const users = cached(deciding, type, () =>
      decidingOrigins(indexes().map((index) => index.get(type) ?? NOBODY)),
    );
    return [...known, ...users, ...platform];
  };
}

/** The columns a type is there for, where some model may be without any. */
function decidingOrigins(users: readonly TypeUsers[]): readonly Origin[] {
  if (users.every(({ certain }) => certain)) return [];
  return distinctOrigins(
    users.flatMap(({ columns }) =>
      columns.flatMap(({ column, table }) => [
        ...columnOrigins(column),
        entityOrigin(table.name),
        ...(table.internal ? [FEATURES.internalEntities] : []),
      ]),
    ),
  );
}

/** The columns of one model that a type is there for. */
type TypeUsers = {
  readonly columns: { readonly column: ColumnSource; readonly table: TableSource }[];
  /** Whether one of them shows in every release. */
  certain: boolean;
};

function indexUsers({ names, find }: TableSources): ReadonlyMap<string, TypeUsers> {
  const index = new Map<string, TypeUsers>();
  for (const name of names()) {
    const table = find(name);
    for (const column of table?.columns() ?? []) {
      if (table === undefined) continue;
      // Lists of big numbers may be lists of text, and what is internal may not show.
      const certain = column.kinds.length === 1 && !table.internal;
      for (const type of new Set(column.kinds.flatMap(typesFor))) {
        const users = cached(index, type, (): TypeUsers => ({ columns: [], certain: false }));
        users.columns.push({ column, table });
        users.certain ||= certain;
      }
    }
  }
  return index;
}

const NOBODY: TypeUsers = { columns: [], certain: false };

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
  const enums = models.flatMap(({ definitions }) =>
    definitions.flatMap(({ kind, name }) => (kind === "enum" ? [{ kind, name }] : [])),
  );
  return groupBy(enums, ({ name }) => name.toLowerCase());
}

function typesFor(kind: Comparable): string[] {
  const cast = kind.scalar === "jsonb" && !kind.list ? ["jsonb_cast_exp"] : [];
  return [kind.scalar, comparisonName(kind), ...cast];
}
