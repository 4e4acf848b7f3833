import { type DocumentNode, type GraphQLSchema, TypeInfo, visit, visitWithTypeInfo } from "graphql";
import { cached, compareCodeUnits, findNamed, indexByName } from "../../base/collections.ts";
import { compareStyles } from "../../compare/parity.ts";
import { type ApiSchema, baseTypeName, isList, isRequired } from "../../dialects/api-schema.ts";
import {
  createModelUnion,
  type EntityEnum,
  type EntityField,
  type EntityModel,
  isRowDefinition,
  type RowDefinition,
} from "../../dialects/entity-model.ts";
import { styles } from "../../dialects/index.ts";
import { originKey } from "../../dialects/origin.ts";
import { parseEntities } from "../../dialects/parse-entities.ts";
import { isTime } from "../../dialects/protocol.ts";
import type { OriginLookup } from "../../dialects/style.ts";
import { type Protocol, STYLE_NAMES, type StyleName, surfaceId } from "../../dialects/surface.ts";
import { ACCOUNTING } from "../../project/accounting-entities.ts";
import { BUILT_IN_PROTOCOLS, builtInEnums } from "../../project/protocols.ts";
import type { ParityRename, ParityRow } from "../../report/outcome.ts";
import { readEntities } from "../../workspace/models.ts";
import { readOperations } from "../../workspace/operations.ts";
import type { Snapshot } from "../../workspace/snapshot.ts";
import { graphqlSchema, snapshotModel, writtenSchema } from "../../workspace/snapshot-schema.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type {
  DescribedEntity,
  DescribedEnum,
  DescribedField,
  ProtocolData,
  SelectingOperation,
} from "./described-data.ts";

/** Describes the entities and enums of a protocol by its snapshots, one for each style that it is deployed in. */
export async function describeProtocol(
  workspace: Workspace,
  protocol: Protocol,
  snapshots: readonly Snapshot[],
): Promise<ProtocolData> {
  const sides = snapshots.map((snapshot): Side => {
    const model = snapshotModel(snapshot);
    const rows = indexByName(model.definitions.filter(isRowDefinition));
    return { style: snapshot.style, model, rows, shown: indexFieldTypes(writtenSchema(snapshot.base)) };
  });
  const authored = readAuthored(workspace, protocol);
  const [parity] = compareStyles([protocol], snapshots);
  const context: Context = {
    protocol,
    sides,
    words: createModelUnion([...sides.map(({ model }) => model), ...authored]),
    enums: collectEnums(protocol, sides, authored),
    compared: new Map(parity?.rows.map((row) => [`${row.entity}.${row.field}`, row])),
    renames: parity?.renames ?? [],
    selections: await findSelections(workspace, snapshots),
    times: workspace.project.definitions.find(({ key }) => key === protocol)?.times ?? [],
  };
  const names = new Set(sides.flatMap(({ rows }) => [...rows.keys()]));
  return {
    entities: [...names].sort(compareCodeUnits).map((name) => describeEntity(name, context)),
    enums: context.enums,
  };
}

/** The data of one style. */
type Side = {
  readonly style: StyleName;
  readonly model: EntityModel;
  readonly rows: ReadonlyMap<string, RowDefinition>;
  /** The types of fields in the API, by coordinate. A relation may be nullable there although its column is not. */
  readonly shown: ReadonlyMap<string, string>;
};

type Context = {
  readonly protocol: Protocol;
  readonly sides: readonly Side[];
  /** For descriptions. Some platforms do not show those of the authors. */
  readonly words: ReturnType<typeof createModelUnion>;
  readonly enums: readonly DescribedEnum[];
  /** How the styles compare, by coordinate; empty for one style. */
  readonly compared: ReadonlyMap<string, ParityRow>;
  readonly renames: readonly ParityRename[];
  readonly selections: Selections;
  readonly times: Parameters<typeof isTime>[0];
};

function indexFieldTypes({ types }: ApiSchema): ReadonlyMap<string, string> {
  return new Map(
    types
      .filter((type) => type.kind === "OBJECT" || type.kind === "INTERFACE")
      .flatMap((type) => type.fields.map((field) => [`${type.name}.${field.name}`, field.type] as const)),
  );
}

/** Reads the models that only add descriptions and members of enums. */
function readAuthored({ project, tree }: Workspace, protocol: Protocol): EntityModel[] {
  const definition = project.definitions.find(({ key }) => key === protocol);
  const named = STYLE_NAMES.flatMap((style) => (definition && readEntities(tree, definition, style)) ?? []);
  return BUILT_IN_PROTOCOLS.includes(protocol)
    ? [...named, parseEntities(ACCOUNTING, "the entities of the built-in protocols")]
    : named;
}

function collectEnums(
  protocol: Protocol,
  sides: readonly Side[],
  authored: readonly EntityModel[],
): DescribedEnum[] {
  const ofModels = (models: readonly EntityModel[]) =>
    models.flatMap(({ definitions }) => definitions.filter((definition) => definition.kind === "enum"));
  const shown = ofModels(sides.map(({ model }) => model));
  const withValues = [...shown.filter(({ values }) => values !== null), ...ofModels(authored)];
  const full = indexByName([...withValues, ...builtInEnums(protocol)]);
  // An opaque enum has the name of its scalar, which is folded to lower case.
  const byScalar = new Map(
    [...full.values()].map((enumeration) => [enumeration.name.toLowerCase(), enumeration]),
  );
  const nameOf = ({ name, values }: EntityEnum) =>
    values === null ? (byScalar.get(name)?.name ?? name) : name;
  return [...new Set(shown.map(nameOf))].sort(compareCodeUnits).map((name): DescribedEnum => {
    const inStyle = (style: StyleName) => {
      const models = sides.filter((side) => side.style === style).map(({ model }) => model);
      return ofModels(models).find((enumeration) => nameOf(enumeration) === name)?.name ?? null;
    };
    const { description = null, values = null } = full.get(name) ?? findNamed(shown, name) ?? {};
    return {
      protocol,
      name,
      multichain: inStyle("multichain"),
      subgraph: inStyle("subgraph"),
      description,
      members: values?.map((value) => ({ name: value.name, description: value.description })) ?? null,
    };
  });
}

function describeEntity(name: string, context: Context): DescribedEntity {
  const present = context.sides.flatMap(({ style, rows }) => {
    const definition = rows.get(name);
    return definition ? [{ style, definition }] : [];
  });
  const fields = new Set(present.flatMap(({ definition }) => definition.fields.map((field) => field.name)));
  return {
    protocol: context.protocol,
    name,
    kind: present[0]?.definition.kind ?? "entity",
    description: firstDescription(context.words.definitionsOf(name)),
    styles: present.map(({ style }) => style),
    isSelected: true,
    fields: [...fields].sort(compareCodeUnits).map((field) => describeField(name, field, context)),
    operations: context.selections(name),
  };
}

function describeField(entity: string, name: string, context: Context): DescribedField {
  const { sides, enums, compared, selections, times } = context;
  const coordinate = `${entity}.${name}`;
  const present = sides.flatMap(({ style, rows, shown }) => {
    const field = findNamed(rows.get(entity)?.fields ?? [], name);
    return field ? [{ style, field, type: shown.get(coordinate) ?? field.type }] : [];
  });
  const typeIn = (wanted: StyleName) => {
    const type = present.find(({ style }) => style === wanted)?.type;
    return type === undefined ? null : { type, nullable: !isRequired(type) };
  };
  const row = compared.get(coordinate) ?? null;
  const bases = present.map(({ field }) => baseTypeName(field.type));
  const isEnum = (enumeration: DescribedEnum) =>
    present.some(({ style, field }) => enumeration[style] === baseTypeName(field.type));
  return {
    name,
    description: firstDescription(context.words.fieldsOf(entity, name)),
    multichain: typeIn("multichain"),
    subgraph: typeIn("subgraph"),
    verdict: row?.verdict ?? null,
    difference: row && describeDifference(row, context.renames),
    relation: describeRelation(
      present.map(({ field }) => field),
      bases.find((base) => sides.some(({ rows }) => rows.has(base))),
    ),
    enum: enums.find(isEnum)?.name ?? null,
    isTime: isTime(times, entity, name),
    operations: selections(coordinate),
  };
}

function describeRelation(
  fields: readonly EntityField[],
  entity: string | undefined,
): DescribedField["relation"] {
  if (entity === undefined) return null;
  const through = fields.find(({ derivedFrom }) => derivedFrom !== null)?.derivedFrom ?? null;
  return { entity, isList: fields.some(({ type }) => isList(type)), through };
}

/** Removes the line breaks of a text that authors wrapped. */
function firstDescription(items: readonly { readonly description: string | null }[]): string | null {
  const text = items.find(({ description }) => description !== null)?.description ?? null;
  return text?.replaceAll(/\s*\n\s*/g, " ") ?? null;
}

/** Describes how a field differs between the styles; null if it does not. */
export function describeDifference(
  { entity, field, multichain, subgraph, verdict, rule, weaker }: ParityRow,
  renames: readonly ParityRename[],
): string | null {
  if (multichain === null || subgraph === null) {
    const [only, other] =
      multichain === null ? (["subgraph", "multichain"] as const) : (["multichain", "subgraph"] as const);
    const rename = renames.find(
      (parityRename) => parityRename.entity === entity && parityRename[only] === field,
    );
    return rename === undefined
      ? `Only on ${only}.`
      : `Only on ${only}. It seems to be named ${rename[other]} on ${other}.`;
  }
  const nullable = weaker === null ? "" : `Nullable only on ${weaker}.`;
  if (rule === "parity/relation-nullability") return `Nullable only on ${weaker}, like every relation there.`;
  if (verdict === "equal") return nullable || null;
  if (verdict === "nullability") return nullable || "The styles declare different parts as nullable.";
  if (verdict === "conflict")
    return `The types do not match: ${multichain} on multichain, ${subgraph} on subgraph.`;
  const [left, right] = [baseTypeName(multichain), baseTypeName(subgraph)];
  const mapped =
    rule === "parity/opaque-enum"
      ? `Multichain shows the enum ${right} as the scalar ${left}.`
      : `The scalar is ${left} on multichain and ${right} on subgraph.`;
  const format =
    styles.subgraph.scalars.get(right)?.family === "timestamp" ? "The styles format it differently." : "";
  return [mapped, format, nullable].filter((part) => part !== "").join(" ");
}

/** Returns the operations that select an entity, `Stream`, or a field, `Stream.sender`. */
type Selections = (coordinate: string) => readonly SelectingOperation[];

/** Finds what the operations of surfaces select. A portable operation is listed once, with the styles that select it. */
async function findSelections(workspace: Workspace, snapshots: readonly Snapshot[]): Promise<Selections> {
  const operations = await readOperations(workspace, snapshots);
  const byCoordinate = new Map<string, Map<string, SelectingOperation>>();
  for (const snapshot of snapshots) {
    const { style, base } = snapshot;
    const schema = graphqlSchema(base);
    const originsOf = styles[style].deriver.traceOrigins([snapshotModel(snapshot)], writtenSchema(base));
    for (const { name, document, place, isPortable } of operations.get(surfaceId(snapshot)) ?? []) {
      for (const coordinate of findSelectedFields(document, schema, originsOf)) {
        const selecting = cached(byCoordinate, coordinate, () => new Map<string, SelectingOperation>());
        const key = `${name} ${place.file}:${place.line}`;
        const earlier = selecting.get(key)?.styles ?? [];
        selecting.set(key, {
          name,
          file: place.file,
          line: place.line,
          isPortable,
          styles: [...earlier, style],
        });
      }
    }
  }
  return (coordinate) =>
    [...(byCoordinate.get(coordinate)?.values() ?? [])].sort(
      (a, b) => compareCodeUnits(a.name, b.name) || compareCodeUnits(a.file, b.file) || a.line - b.line,
    );
}

/**
 * Finds the entities and fields that a document selects, as `Stream` and `Stream.sender`. A column or an aggregate counts as
 * its field. Fields that the schema does not have are ignored.
 *
 * @param originsOf traces the coordinates of the schema back to its entities.
 */
function findSelectedFields(
  document: DocumentNode,
  schema: GraphQLSchema,
  originsOf: OriginLookup,
): ReadonlySet<string> {
  const selected = new Set<string>();
  const info = new TypeInfo(schema);
  const enter = () => {
    const [parent, field] = [info.getParentType(), info.getFieldDef()];
    if (!parent || !field) return;
    for (const origin of originsOf(`${parent.name}.${field.name}`)) {
      if (origin.kind === "entity" || origin.kind === "field") selected.add(originKey(origin));
    }
  };
  visit(document, visitWithTypeInfo(info, { Field: enter }));
  return selected;
}
