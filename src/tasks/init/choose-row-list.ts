import { capitalize } from "../../base/text.ts";
import { type ApiSchema, baseTypeName, fieldsOf, isList, isRequired } from "../../dialects/api-schema.ts";
import { styles } from "../../dialects/index.ts";
import type { ResolvedProtocol } from "../../dialects/protocol.ts";
import type { RowList } from "../../dialects/row-list.ts";
import type { StyleName } from "../../dialects/surface.ts";

/** What a start is chosen by: what the definition says that a protocol is about. */
type Subject = Pick<ResolvedProtocol, "cursors" | "identity">;

/** An entity as all given styles show it. */
type Listed = Pick<RowList, "entity" | "rows"> & {
  readonly leaves: readonly string[];
  readonly references: readonly string[];
};

/**
 * Chooses what a protocol's first operation lists, of what all given styles have: an entity with a cursor, the one the
 * protocol is recognised by, or the one with most fields. Null where there is no such entity.
 */
export function chooseRowList(schemas: ReadonlyMap<StyleName, ApiSchema>, subject: Subject): RowList | null {
  const { cursors, identity } = subject;
  const listed = listEntities(schemas);
  const named = [...Object.keys(cursors), identity.protocol?.entity];
  const chosen =
    listed.find(({ entity }) => named.includes(entity)) ??
    listed.reduce<Listed | null>(
      (most, one) => (one.leaves.length > (most?.leaves.length ?? 0) ? one : most),
      null,
    );
  if (chosen === null) return null;
  const { entity, rows, leaves, references } = chosen;
  const cursor = cursors[entity];
  const order = [cursor, "timestamp"].find((field) => field !== undefined && leaves.includes(field)) ?? "id";
  const isPaged = order !== cursor && order !== "id";
  return {
    name: rows === entity ? `${entity}List` : capitalize(rows),
    comment: isPaged
      ? `A page of ${rows}, by ${order} from the highest.`
      : `The ${rows} with the highest ${order}.`,
    entity,
    rows,
    by: null,
    order,
    isPaged,
    fields: [
      ...new Set(["id", order, ...leaves].slice(0, MOST_FIELDS)),
      ...references.slice(0, MOST_REFERENCES).map((reference) => ({ reference, fields: ["id"] })),
    ],
  };
}

/** Enough to see what there is: who uses the operation decides what it needs. */
const MOST_FIELDS = 12;
const MOST_REFERENCES = 2;

/** The entities that all styles list, in the order of the first. */
function listEntities(schemas: ReadonlyMap<StyleName, ApiSchema>): Listed[] {
  const all = [...schemas];
  const [first] = all;
  if (first === undefined) return [];
  const [style, schema] = first;
  return styles[style].schemas.read(schema).definitions.flatMap((definition): Listed[] => {
    if (definition.kind !== "entity") return [];
    const entity = definition.name;
    const roots = new Map(all.map(([name, one]) => [name, rootOf(one, entity)]));
    if ([...roots.values()].includes(undefined)) return [];
    // What the platform adds to its tables is no field of the entity.
    const own = new Set(definition.fields.map(({ name }) => name));
    const fields = fieldsOf(schema, entity).filter(({ name }) => own.has(name));
    const kinds = fields.map(({ name }) => ({
      name,
      kinds: new Set(all.map(([, one]) => kindOf(one, entity, name))),
    }));
    const ofKind = (kind: "leaf" | "reference") =>
      kinds.flatMap((field) => (field.kinds.size === 1 && field.kinds.has(kind) ? [field.name] : []));
    const leaves = ofKind("leaf");
    if (!leaves.includes("id")) return [];
    return [{ entity, rows: roots.get("subgraph") ?? entity, leaves, references: ofKind("reference") }];
  });
}

/** The root field that lists an entity's rows and needs no argument. */
function rootOf(schema: ApiSchema, entity: string): string | undefined {
  return fieldsOf(schema, schema.queryType).find(
    ({ type, args }) =>
      isList(type) &&
      baseTypeName(type) === entity &&
      !args.some((one) => isRequired(one.type) && one.defaultValue === null),
  )?.name;
}

function kindOf(schema: ApiSchema, entity: string, name: string): "leaf" | "reference" | "none" {
  const field = fieldsOf(schema, entity).find((one) => one.name === name);
  if (field === undefined || isList(field.type)) return "none";
  const type = schema.types.find((one) => one.name === baseTypeName(field.type));
  if (type?.kind === "OBJECT" || type?.kind === "INTERFACE") {
    return type.fields.some((one) => one.name === "id") ? "reference" : "none";
  }
  return "leaf";
}
