import { type ConstDirectiveNode, Kind, type ObjectTypeDefinitionNode, parse } from "graphql";
import type { EntityText } from "../../dialects/derive-entities.ts";
import type { Place } from "../../dialects/locate.ts";
import { buildFileFinding } from "../../report/codes/files.ts";
import type { Finding, Where } from "../../report/finding.ts";

/** Two entity schemas for a platform whose tables have the indexes that `@index` asks for. */
export type IndexComparison = {
  readonly before: EntityText;
  readonly after: EntityText;
  readonly where: Where;
  readonly locate: (coordinate: string) => Place | null;
};

/** Finds the indexes that entity schemas add or remove. No API shows them; they decide how fast filters and orders are. */
export function planIndexes({ before, after, where, locate }: IndexComparison): Finding[] {
  const [old, now] = [readIndexes(before), readIndexes(after)];
  const describe = (name: string, code: "plan/index-added" | "plan/index-removed") => {
    return buildFileFinding(code, [name], { place: locate(name.replace(/\(.*/, "")), where });
  };
  return [
    ...[...now].filter((name) => !old.has(name)).map((name) => describe(name, "plan/index-added")),
    ...[...old].filter((name) => !now.has(name)).map((name) => describe(name, "plan/index-removed")),
  ];
}

/** Reads the indexes of a schema: `Auction.price` of one column, `Auction(seller, price)` of several. */
function readIndexes({ text }: EntityText): Set<string> {
  return new Set(
    parse(text).definitions.flatMap((type) => {
      if (type.kind !== Kind.OBJECT_TYPE_DEFINITION) return [];
      const ofFields = (type.fields ?? []).flatMap(({ name, directives = [] }) =>
        directives.some(isIndex) ? [`${type.name.value}.${name.value}`] : [],
      );
      return [...ofFields, ...ofType(type)];
    }),
  );
}

function ofType({ name, directives = [] }: ObjectTypeDefinitionNode): string[] {
  return directives.filter(isIndex).flatMap(({ arguments: args = [] }) => {
    const fields = args.find((one) => one.name.value === "fields")?.value;
    if (fields?.kind !== Kind.LIST) return [];
    const names = fields.values.flatMap((value) => ("value" in value ? [String(value.value)] : []));
    return names.length === 1 ? [`${name.value}.${names[0]}`] : [`${name.value}(${names.join(", ")})`];
  });
}

function isIndex({ name }: ConstDirectiveNode): boolean {
  return name.value === "index";
}
