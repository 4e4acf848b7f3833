import type { ApiSchema } from "../../../src/dialects/api-schema.ts";
import { styles } from "../../../src/dialects/index.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import type { DeriveOptions } from "../../../src/dialects/platform.ts";
import type { IdTemplates } from "../../../src/dialects/protocol.ts";
import type { StyleName } from "../../../src/dialects/surface.ts";
import { toGraphqlSchema } from "../../../src/dialects/to-graphql-schema.ts";
import { parseOperations } from "../../../src/operations/parse-operations.ts";
import {
  type CompiledOperations,
  compileOperations,
} from "../../../src/operations/portable/compile-operations.ts";
import type { CompiledOperation } from "../../../src/operations/portable/compiled-operation.ts";
import type { PortableContext } from "../../../src/operations/portable/read-entities.ts";
import { printDocument } from "../../../src/operations/print-document.ts";
import { resolveProtocols } from "../../../src/project/protocols.ts";

/** Options of a context besides its entities. */
export type ContextOptions = {
  readonly multichain?: DeriveOptions & { readonly entities?: string };
  readonly subgraph?: DeriveOptions;
  readonly chainPath?: Readonly<Record<string, string>>;
  readonly cursors?: Readonly<Record<string, string>>;
  readonly ids?: IdTemplates;
  readonly times?: readonly string[];
};

/** Returns the context of a custom protocol in both styles. Multichain ids are text, because they cannot be bytes. */
export function contextOf(
  entities: string,
  { multichain, subgraph, chainPath = {}, cursors = {}, ids = {}, times = [] }: ContextOptions = {},
): PortableContext {
  const [definition] = resolveProtocols({ protocols: { auctions: { chainPath, cursors, ids, times } } });
  if (definition === undefined) throw new TypeError("There is no protocol.");
  const read = (style: StyleName, sdl: string, options: DeriveOptions = {}) => {
    return schemaOf(style, styles[style].deriver.derive(parseEntities(sdl, "test.graphql"), options));
  };
  const { entities: others = entities, ...options } = multichain ?? {};
  return {
    definition,
    schemas: {
      multichain: read("multichain", others.replaceAll("id: Bytes!", "id: String!"), options),
      subgraph: read("subgraph", entities, subgraph),
    },
  };
}

/** Returns the forms of a schema that a context has. */
export function schemaOf(style: StyleName, api: ApiSchema): PortableContext["schemas"][StyleName] {
  return { api, graphql: toGraphqlSchema(api), model: styles[style].schemas.read(api) };
}

/** Compiles all operations of a text. */
export function compileText(text: string, context: PortableContext): CompiledOperations {
  const { set, findings } = parseOperations([{ path: "test.graphql", text }], {
    protocol: "auctions",
    style: "subgraph",
  });
  const wrong = findings.filter(({ code }) => code !== "operation/unused-fragment");
  if (wrong.length > 0) throw new TypeError(wrong.map(({ message }) => message).join("\n"));
  return compileOperations(set, context);
}

/** Compiles the only operation of a text; throws its findings if it is not portable. */
export function compileOne(text: string, context: PortableContext): CompiledOperation {
  const { operations, findings } = compileText(text, context);
  const [operation] = operations;
  if (operation === undefined) {
    throw new TypeError(findings.map(({ code, message }) => `${code}: ${message}`).join("\n"));
  }
  return operation;
}

/** A compiled document on one line. */
export function textOf({ documents }: CompiledOperation, style: StyleName): string {
  const { node, fragments } = documents[style];
  return printDocument(node, fragments).replaceAll(/\s+/g, " ");
}
