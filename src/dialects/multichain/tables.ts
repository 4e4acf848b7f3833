import { findNamed, indexByName, once } from "../../base/collections.ts";
import { baseTypeName, isList, isRequired } from "../api-schema.ts";
import type { Entity, EntityField, EntityModel } from "../entity-model.ts";
import type { SchemaSettings } from "../platform.ts";
import type { BytesType } from "../protocol.ts";
import { RELEASES, type ReleaseFeatures } from "./release.ts";

/** A tracked table from which API types are derived: one per entity, and a few of the platform. */
export type Table = {
  readonly name: string;
  readonly description: string | null;
  readonly columns: readonly Column[];
  /** The names of the columns of the primary key; empty for a view. */
  readonly primaryKey: readonly string[];
  readonly objectRelations: readonly Relation[];
  readonly arrayRelations: readonly Relation[];
  /** Whether the entity is `@internal`, which newer releases hide from clients. */
  readonly isInternal: boolean;
};

export type Column = {
  readonly name: string;
  readonly description: string | null;
  /** The API scalar; for a list, that of its items. */
  readonly scalar: string;
  readonly list: boolean;
  readonly nullable: boolean;
  /** The field of an entity that the column stores; null for a column of the platform. */
  readonly source: ColumnSource | null;
};

type ColumnSource = {
  readonly entity: string;
  readonly field: EntityField;
  /** The entity that the field refers to; the column contains its id. Null for a value. */
  readonly target: string | null;
};

/** A relation from a row to a row of `table`, or to a list of them. */
export type Relation = { readonly name: string; readonly table: string };

/** The API scalars of the scalars of an entity SDL. */
export const COLUMN_SCALARS: ReadonlyMap<string, string> = new Map([
  ["BigDecimal", "numeric"],
  ["BigInt", "numeric"],
  ["Boolean", "Boolean"],
  ["Bytes", "String"],
  ["Float", "float8"],
  ["ID", "String"],
  ["Int", "Int"],
  ["Json", "jsonb"],
  ["String", "String"],
  ["Timestamp", "timestamptz"],
]);

/** The API scalar of `Bytes` stored as bytes. */
export const RAW_BYTES = "bytea";

/** The time when a row was written, which the platform adds. */
export const WRITE_TIMESTAMP = platformColumn("db_write_timestamp", "timestamp");

/** The chain of a row of a per-chain entity. */
export const CHAIN_COLUMN = platformColumn("chainId", "Int!");

/** Makes a column of the platform. */
function platformColumn(name: string, type: string): Column {
  return {
    name,
    description: null,
    scalar: baseTypeName(type),
    list: false,
    nullable: !isRequired(type),
    source: null,
  };
}

/** The operator's settings for tables of entities, with their defaults. */
export type TableSettings = ReturnType<typeof tableSettings>;

/** Applies the defaults of settings. */
export function tableSettings({
  perChainEntities = false,
  postgresDefault = true,
  bytesType = "string",
}: SchemaSettings) {
  return { perChainEntities, postgresDefault, bytesType };
}

/** Returns whether an entity is stored in Postgres. Others are not in the API. */
export function isInPostgres({ storage }: Entity, { postgresDefault }: TableSettings): boolean {
  return storage?.postgres ?? postgresDefault;
}

/** Builds the tables of valid entities that clients can see. */
export function buildTables(model: EntityModel, features: ReleaseFeatures, settings: TableSettings): Table[] {
  const entities = indexByName(model.definitions.filter((definition) => definition.kind === "entity"));
  const isShown = (name: string) => {
    const entity = entities.get(name);
    const isHidden = features.internalEntities && entity?.internal;
    return !isHidden && (entity === undefined || isInPostgres(entity, settings));
  };
  return [...entities.values()]
    .filter(({ name }) => isShown(name))
    .map((entity) => {
      const table = buildTable(entity, { entities, features, bytesType: settings.bytesType });
      // A hidden table has no relations either; the column of a reference stays.
      const shown = {
        ...table,
        objectRelations: table.objectRelations.filter((relation) => isShown(relation.table)),
        arrayRelations: table.arrayRelations.filter((relation) => isShown(relation.table)),
      };
      if (!settings.perChainEntities || entity.crossChain) return shown;
      return { ...shown, columns: [CHAIN_COLUMN, ...table.columns], primaryKey: [CHAIN_COLUMN.name, "id"] };
    });
}

/** Returns the nullable type of a column: `numeric`, `[String!]`. */
export function columnType({ scalar, list }: Column): string {
  return list ? `[${scalar}!]` : scalar;
}

/** Builds the table of one entity, with relations to all others. */
export function buildTable(entity: Entity, context: TableContext): Table {
  const { entities, features } = context;
  const columns: Column[] = [];
  const [objectRelations, arrayRelations]: [Relation[], Relation[]] = [[], []];
  for (const field of entity.fields) {
    const target = entities.get(baseTypeName(field.type));
    const shared = {
      description: describe(field.description, features),
      nullable: !isRequired(field.type),
      source: { entity: entity.name, field, target: target?.name ?? null },
    };
    if (target === undefined) {
      columns.push({ name: field.name, ...shared, ...columnKind(field, context) });
    } else if (field.derived) {
      arrayRelations.push({ name: field.name, table: target.name });
    } else {
      columns.push({ name: referenceColumn(field.name), ...shared, scalar: idScalar(target), list: false });
      objectRelations.push({ name: field.name, table: target.name });
    }
  }
  if (features.writeTimestamps) columns.push(WRITE_TIMESTAMP);
  return {
    name: entity.name,
    description: describe(entity.description, features),
    columns,
    primaryKey: ["id"],
    objectRelations,
    arrayRelations,
    isInternal: entity.internal ?? false,
  };
}

type TableContext = {
  readonly entities: ReadonlyMap<string, Entity>;
  readonly features: ReleaseFeatures;
  readonly bytesType: BytesType;
};

function columnKind(
  { type, precise }: EntityField,
  { features, bytesType }: TableContext,
): Pick<Column, "scalar" | "list"> {
  const name = baseTypeName(type);
  const isRaw = name === "Bytes" && bytesType === "uint8array";
  // The name of an enum is an unquoted Postgres type, so it is in lower case.
  const scalar = isRaw ? RAW_BYTES : (COLUMN_SCALARS.get(name) ?? name.toLowerCase());
  const list = isList(type);
  // In a model read from an API, `numeric` means that a precision was configured.
  const isBigNumberList = list && scalar === "numeric" && name !== scalar && !precise;
  return { scalar: isBigNumberList ? features.bigNumberItems : scalar, list };
}

/** Returns the name of the column that stores a reference. */
export function referenceColumn(field: string): string {
  return `${field}_id`;
}

function idScalar(target: Entity): string {
  const id = findNamed(target.fields, "id");
  const name = baseTypeName(id?.type ?? "ID");
  return COLUMN_SCALARS.get(name) ?? name;
}

/** Returns the description that an API shows. Postgres drops empty comments. */
function describe(description: string | null, features: ReleaseFeatures): string | null {
  return features.descriptions && description !== "" ? description : null;
}

/** Returns the platform's tables and views in a release. */
export function internalTables(features: ReleaseFeatures): Table[] {
  return features.bookkeeping === "tables"
    ? [...BOOKKEEPING_TABLES, rawEvents(features)]
    : [chainMetadataView(features), metaView(features), rawEvents(features)];
}

/** Returns the columns that the platform's tables have in any known release, as `_meta.chainId`. */
export const knownColumns = once(
  () =>
    new Set(
      Object.values(RELEASES)
        .flatMap(internalTables)
        .flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)),
    ),
);

const CHAIN_METADATA = `
  block_height: Int! chain_id: Int! end_block: Int first_event_block_number: Int is_hyper_sync: Boolean!
  latest_fetched_block_number: Int! latest_processed_block: Int num_batches_fetched: Int! num_events_processed: Int
  start_block: Int! timestamp_caught_up_to_head_or_endblock: timestamptz`;

const BOOKKEEPING_TABLES: readonly Table[] = [
  table("chain_metadata", ["chain_id"], CHAIN_METADATA),
  table(
    "dynamic_contract_registry",
    ["id"],
    `chain_id: Int! contract_address: String! contract_type: contract_type! id: String!
    registering_event_block_number: Int! registering_event_block_timestamp: Int!
    registering_event_contract_name: String! registering_event_log_index: Int!
    registering_event_name: String! registering_event_src_address: String!`,
  ),
  table(
    "end_of_block_range_scanned_data",
    ["block_number", "chain_id"],
    "block_hash: String! block_number: Int! chain_id: Int!",
  ),
  table(
    "event_sync_state",
    ["chain_id"],
    `block_number: Int! block_timestamp: Int! chain_id: Int! is_pre_registering_dynamic_contracts: Boolean
    log_index: Int!`,
  ),
  table(
    "persisted_state",
    ["id"],
    `abi_files_hash: String! config_hash: String! envio_version: String! handler_files_hash: String! id: Int!
    schema_hash: String!`,
  ),
];

/** Views have nullable columns and no primary key. */
function chainMetadataView({ counter, ecosystem }: ReleaseFeatures): Table {
  const columns = CHAIN_METADATA.replaceAll("!", "").replace("processed: Int", `processed: ${counter}`);
  return table("chain_metadata", [], columns + (ecosystem ? " ecosystem: String" : ""));
}

function metaView({ counter, ecosystem, progressBlockTime }: ReleaseFeatures): Table {
  return table(
    "_meta",
    [],
    `bufferBlock: Int chainId: Int ${ecosystem ? "ecosystem: String" : ""} endBlock: Int eventsProcessed: ${counter}
    firstEventBlock: Int isReady: Boolean progressBlock: Int readyAt: timestamptz sourceBlock: Int startBlock: Int
    ${progressBlockTime ? "progressBlockTime: timestamptz" : ""}`,
  );
}

function rawEvents({ eventId, serial, writeTimestamps }: ReleaseFeatures): Table {
  const events = table(
    "raw_events",
    ["serial"],
    `block_fields: jsonb! block_hash: String! block_number: Int! block_timestamp: Int! chain_id: Int!
    contract_name: String! event_id: ${eventId}! event_name: String! log_index: Int! params: jsonb!
    serial: ${serial}! src_address: String! transaction_fields: jsonb!`,
  );
  return writeTimestamps ? { ...events, columns: [...events.columns, WRITE_TIMESTAMP] } : events;
}

/** Makes a table without relations from columns in the form `name: Type`. */
function table(name: string, primaryKey: readonly string[], columns: string): Table {
  return {
    name,
    description: null,
    columns: [...columns.matchAll(/(\w+): (\S+)/g)].map(([, column = "", type = ""]) =>
      platformColumn(column, type),
    ),
    primaryKey,
    objectRelations: [],
    arrayRelations: [],
    isInternal: false,
  };
}

/** The names of the platform's tables, and of the views since 2.28. They are not entities. */
export const INTERNAL_TABLE_NAMES: ReadonlySet<string> = new Set(
  [RELEASES["2.27"], RELEASES["2.28"]].flatMap(internalTables).map(({ name }) => name),
);
