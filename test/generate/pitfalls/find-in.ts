import type { GraphQLSchema } from "graphql";
import { styles } from "../../../src/dialects/index.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import type { DeriveOptions } from "../../../src/dialects/platform.ts";
import type { StyleName } from "../../../src/dialects/surface.ts";
import { toGraphqlSchema } from "../../../src/dialects/to-graphql-schema.ts";
import { findPitfalls } from "../../../src/operations/find-pitfalls.ts";
import type { Sibling } from "../../../src/operations/find-unlike-twins.ts";
import { parseOperations } from "../../../src/operations/parse-operations.ts";
import { validateOperations } from "../../../src/operations/validate-operations.ts";
import { placeText } from "../../../src/report/describe-finding.ts";
import type { Finding } from "../../../src/report/finding.ts";

const ENTITIES = `
  type Watcher @entity { id: String! chainId: BigInt! }
  type Asset @entity { id: ID! symbol: String! tags: [String!]! streams: [Stream!]! @derivedFrom(field: "asset") }
  type Stream @entity {
    id: String!
    subgraphId: BigInt!
    sender: Bytes!
    canceled: Boolean!
    timestamp: BigInt!
    asset: Asset!
    actions: [Action!]! @derivedFrom(field: "stream")
  }
  type Action @entity { id: String! subgraphId: BigInt! stream: Stream! }
`;

const SCHEMAS = {
  subgraph: schemaOf("subgraph", {}),
  multichain: schemaOf("multichain", { release: "3.8", aggregates: ["Stream"] }),
};

/** The schema of a multichain indexer that stores bytes as bytes. */
export const RAW_BYTES = { schema: schemaOf("multichain", { release: "3.10", bytesType: "uint8array" }) };

function schemaOf(style: StyleName, options: DeriveOptions) {
  return toGraphqlSchema(styles[style].deriver.derive(parseEntities(ENTITIES, "entities.graphql"), options));
}

/** The facts about the rows of these entities. */
const PROTOCOL = {
  cursors: { Stream: "subgraphId", Action: "subgraphId" },
  identity: { protocol: null, chain: { entity: "Watcher", field: "chainId" } },
};

/** The operations of a style, which have to be valid. */
export function siblingOf(
  style: StyleName,
  text: string,
  {
    path = `${style}.graphql`,
    schema = SCHEMAS[style],
  }: { readonly path?: string; readonly schema?: GraphQLSchema } = {},
): Sibling {
  const { set, findings } = parseOperations([{ path, text }], { protocol: "lockup", style });
  const wrong = [...findings, ...validateOperations(set, schema)];
  if (wrong.length > 0) throw new Error(wrong.map(({ message }) => message).join("\n"));
  return { set, schema, pitfalls: styles[style].pitfalls };
}

/** Returns the pitfalls in operations of a style. */
export function pitfallsOf(
  style: StyleName,
  text: string,
  of?: { readonly schema: GraphQLSchema },
): Finding[] {
  const { set, schema } = siblingOf(style, text, of);
  return findPitfalls(set, schema, { pitfalls: styles[style].pitfalls, protocol: PROTOCOL });
}

/** A finding as `1:11 no-page-size`. */
export function inShort({ place, code }: Finding): string {
  const at = place ? placeText(place).replace(/^[^:]*:/, "") : "nowhere";
  return `${at} ${code.replace("operation/", "")}`;
}
