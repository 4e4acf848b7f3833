import type { ApiDirective, ApiObject, ApiScalar, ApiType } from "../../schema/api-schema.ts";
import { blockDescription } from "./block-description.ts";
import { defineDirective, defineEnum, defineField, defineInput, defineInputObject } from "./define.ts";
import { type GraphNodeFeatures, graphNodeFeatures } from "./release.ts";

/**
 * The types graph-node puts into every API schema, used or not, byte for byte (A.3).
 *
 * `Block_height` has no descriptions: graph-node defines it twice and the undocumented copy comes first. Of
 * the two copies of `OrderDirection` the one without descriptions of its values wins.
 */
export function platformTypes(features: GraphNodeFeatures): ApiType[] {
  const types: ApiType[] = [
    scalar("BigDecimal"),
    scalar("BigInt"),
    scalar("Boolean"),
    scalar("Bytes"),
    scalar("Float"),
    scalar("ID"),
    scalar("Int", blockDescription("4 bytes signed integer", features)),
    scalar("Int8", blockDescription("8 bytes signed integer", features)),
    scalar("String"),
    defineEnum("OrderDirection", "Defines the order direction, either ascending or descending", [
      ["asc", null],
      ["desc", null],
    ]),
    defineEnum("_SubgraphErrorPolicy_", null, [
      ["allow", "Data will be returned even if the subgraph has indexing errors"],
      ["deny", "If the subgraph has indexing errors, data will be omitted. The default."],
    ]),
    defineInputObject("BlockChangedFilter", [defineInput("number_gte", "Int!")]),
    defineInputObject("Block_height", [
      defineInput("hash", "Bytes"),
      defineInput("number", "Int"),
      defineInput("number_gte", "Int"),
    ]),
    metaType(features),
    blockType(features),
  ];
  if (features.aggregations) types.push(...aggregationTypes(features));
  if (features.logs) types.push(...logTypes());
  return types;
}

/** The names of the types any supported release puts into an API schema by itself, `Query` not included. */
export const PLATFORM_TYPE_NAMES: ReadonlySet<string> = new Set(
  platformTypes(graphNodeFeatures("0.44")).map((type) => type.name),
);

/** The names of the types that came with `_logs`, which were free before (A.3). */
export const LOG_TYPE_NAMES: ReadonlySet<string> = new Set(logTypes().map((type) => type.name));

/** The directives graph-node lists after those of the authors. */
export const PLATFORM_DIRECTIVES: readonly ApiDirective[] = [
  defineDirective(
    "skip",
    null,
    ["FIELD", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"],
    [defineInput("if", "Boolean!")],
  ),
  defineDirective(
    "include",
    null,
    ["FIELD", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"],
    [defineInput("if", "Boolean!")],
  ),
  defineDirective(
    "entity",
    "Marks the GraphQL type as indexable entity.  Each type that should be an entity is required to be annotated with this directive.",
    ["OBJECT"],
  ),
  defineDirective(
    "subgraphId",
    "Defined a Subgraph ID for an object type",
    ["OBJECT"],
    [defineInput("id", "String!")],
  ),
  defineDirective(
    "derivedFrom",
    "creates a virtual field on the entity that may be queried but cannot be set manually through the mappings API.",
    ["FIELD_DEFINITION"],
    [defineInput("field", "String!")],
  ),
];

function metaType(features: GraphNodeFeatures): ApiObject {
  return object("_Meta_", "The type for the top-level _meta field", [
    defineField(
      "block",
      "_Block_!",
      blockDescription(
        [
          "Information about a specific subgraph block. The hash of the block",
          "will be null if the _meta field has a block constraint that asks for",
          "a block number. It will be filled if the _meta field has no block constraint",
          "and therefore asks for the latest  block",
        ].join("\n"),
        features,
      ),
    ),
    defineField("deployment", "String!", "The deployment ID"),
    defineField(
      "hasIndexingErrors",
      "Boolean!",
      "If `true`, the subgraph encountered indexing errors at some past block",
    ),
  ]);
}

function blockType(features: GraphNodeFeatures): ApiObject {
  const fields = [
    defineField("hash", "Bytes", "The hash of the block"),
    defineField("number", "Int!", "The block number"),
    defineField("timestamp", "Int", "Integer representation of the timestamp stored in blocks for the chain"),
  ];
  if (features.parentHash) fields.push(defineField("parentHash", "Bytes", "The hash of the parent block"));
  return object("_Block_", null, fields);
}

function aggregationTypes(features: GraphNodeFeatures): ApiType[] {
  const types: ApiType[] = [
    scalar(
      "Timestamp",
      blockDescription("A string representation of microseconds UNIX timestamp (16 digits)", features),
    ),
    defineEnum("Aggregation_interval", null, [
      ["hour", null],
      ["day", null],
    ]),
  ];
  if (!features.currentBucket) return types;
  return [
    ...types,
    defineEnum(
      "Aggregation_current",
      "Indicates whether the current, partially filled bucket should be included in the response. Defaults to `exclude`",
      [
        ["exclude", "Exclude the current, partially filled bucket from the response"],
        ["include", "Include the current, partially filled bucket in the response"],
      ],
    ),
  ];
}

function logTypes(): ApiType[] {
  return [
    defineEnum(
      "LogLevel",
      "The severity level of a log entry.\nLog levels are ordered from most to least severe: CRITICAL > ERROR > WARNING > INFO > DEBUG",
      [
        ["CRITICAL", "Critical errors that require immediate attention"],
        ["ERROR", "Error conditions that indicate a failure"],
        ["WARNING", "Warning conditions that may require attention"],
        ["INFO", "Informational messages about normal operations"],
        ["DEBUG", "Detailed diagnostic information for debugging"],
      ],
    ),
    object(
      "_Log_",
      "A log entry emitted by a subgraph during indexing.\nLogs can be generated by the subgraph's AssemblyScript code using the `log.*` functions.",
      [
        defineField("id", "String!", "Unique identifier for this log entry"),
        defineField("subgraphId", "String!", "The deployment hash of the subgraph that emitted this log"),
        defineField(
          "timestamp",
          "String!",
          "The timestamp when the log was emitted, in RFC3339 format (e.g., '2024-01-15T10:30:00Z')",
        ),
        defineField("level", "LogLevel!", "The severity level of the log entry"),
        defineField("text", "String!", "The log message text"),
        defineField(
          "arguments",
          "[_LogArgument_!]!",
          "Additional structured data passed to the log function as key-value pairs",
        ),
        defineField(
          "meta",
          "_LogMeta_!",
          "Metadata about the source location in the subgraph code where the log was emitted",
        ),
      ],
    ),
    object(
      "_LogArgument_",
      "A key-value pair of additional data associated with a log entry.\nThese correspond to arguments passed to the log function in the subgraph code.",
      [
        defineField("key", "String!", "The parameter name"),
        defineField("value", "String!", "The parameter value, serialized as a string"),
      ],
    ),
    object(
      "_LogMeta_",
      "Source code location metadata for a log entry.\nIndicates where in the subgraph's AssemblyScript code the log statement was executed.",
      [
        defineField("module", "String!", "The module or file path where the log was emitted"),
        defineField("line", "Int!", "The line number in the source file"),
        defineField("column", "Int!", "The column number in the source file"),
      ],
    ),
  ];
}

function scalar(name: string, description: string | null = null): ApiScalar {
  return { kind: "SCALAR", name, description };
}

function object(name: string, description: string | null, fields: ApiObject["fields"]): ApiObject {
  return { kind: "OBJECT", name, description, interfaces: [], fields };
}
