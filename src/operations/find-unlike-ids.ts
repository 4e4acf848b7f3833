import { type FieldDefinitionNode, Kind, type Token, TokenKind } from "graphql";
import { displayText } from "../base/text.ts";
import { baseTypeName } from "../dialects/api-schema.ts";
import { locateNode } from "../dialects/locate.ts";
import { parseDocument, typeExpression } from "../dialects/parse-sdl.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import type { StyleName } from "../dialects/surface.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import type { Finding } from "../report/finding.ts";
import type { OperationSource } from "./operation-set.ts";

/** The entity SDL of each style, in files of their own. */
export type EntityFiles = { readonly [S in StyleName]: OperationSource };

/**
 * Finds entities whose ids the styles may write differently. Signs are a comment in one entity file that names the chain, and
 * ids of bytes, which cannot contain it. Skips entities whose ids the definition describes.
 */
export function findUnlikeIds(
  { key, ids, chains }: Pick<ResolvedProtocol, "key" | "ids" | "chains">,
  files: EntityFiles,
): Finding[] {
  const subgraphIds = readIds(files.subgraph);
  return [...readIds(files.multichain)].flatMap(([entity, multichain]): Finding[] => {
    const subgraph = subgraphIds.get(entity);
    if (subgraph === undefined || Object.hasOwn(ids, entity)) return [];
    const reason = suspect(subgraph, multichain, chains?.length === 1);
    if (reason === null) return [];
    const fix = `say how ids are made: protocols.${key}.ids.${entity}: { subgraph: "{address}", multichain: "{chainId}-{address}" }. If they are the same, say so: { subgraph: "{id}", multichain: "{id}" }.`;
    const place = locateNode(files.multichain.path, multichain.node);
    return [buildFileFinding("operation/unlike-ids", [entity, reason], { subject: entity, place, fix })];
  });
}

type IdField = {
  readonly node: FieldDefinitionNode;
  readonly type: string;
  /** Its description and the comments before it and on its line. */
  readonly note: string;
};

function suspect(subgraph: IdField, multichain: IdField, isOneChain: boolean): string | null {
  const namesChain = ({ note }: IdField) => /chain/i.test(note);
  if (namesChain(multichain) && !namesChain(subgraph)) {
    const said = subgraph.note === "" ? "nothing" : `"${subgraph.note}"`;
    return `the multichain file says "${multichain.note}" about them, and the subgraph file ${said}`;
  }
  const isBytes = subgraph.type === "Bytes" && multichain.type !== "Bytes";
  return isBytes && !isOneChain && !namesChain(subgraph)
    ? "they are bytes in the subgraph file, and text with room for a chain in the multichain file"
    : null;
}

function readIds({ text, path }: OperationSource): ReadonlyMap<string, IdField> {
  const fields = new Map<string, IdField>();
  for (const definition of parseDocument(text, path, { locations: true }).definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
    const node = definition.fields?.find(({ name }) => name.value === "id");
    if (node === undefined) continue;
    fields.set(definition.name.value, {
      node,
      type: baseTypeName(typeExpression(node.type)),
      note: displayText(
        [node.description?.value ?? "", ...commentsOf(node)].join(" ").replaceAll(/\s+/g, " "),
        [],
      ).trim(),
    });
  }
  return fields;
}

/** The comments on the lines before a field, and at the end of its own. */
function commentsOf({ loc }: FieldDefinitionNode): string[] {
  if (loc === undefined) return [];
  const before: string[] = [];
  for (let token = loc.startToken.prev; token?.kind === TokenKind.COMMENT; token = token.prev) {
    // What ends another field's line is about that field.
    if (token.prev?.line === token.line && token.prev.kind !== TokenKind.BRACE_L) break;
    before.unshift(token.value);
  }
  const after: Token | null = loc.endToken.next;
  const isOnLine = after?.kind === TokenKind.COMMENT && after.line === loc.endToken.line;
  return isOnLine ? [...before, after.value] : before;
}
