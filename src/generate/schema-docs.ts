import {
  type FragmentDefinitionNode,
  type GraphQLSchema,
  isInputObjectType,
  type OperationDefinitionNode,
  type StringValueNode,
  type Token,
} from "graphql";
import { cached } from "../base/collections.ts";
import { createModelUnion, type EntityModel } from "../dialects/entity-model.ts";
import type { Style } from "../dialects/style.ts";
import { fieldDefinition } from "../operations/collect-fields.ts";
import type { Doc } from "./type-tree.ts";

/** What is known of the fields and input fields of an API schema. */
export type SchemaDocs = {
  /** Null when nothing is known. */
  readonly docOf: (type: string, member: string) => Doc | null;
  /** Whether it is there for a field of an entity: that field, its filter, its order. */
  readonly isOfEntityField: (type: string, member: string) => boolean;
};

/**
 * Creates a look-up of descriptions and deprecations. Where a platform does not show what the authors wrote, the entity
 * models of the same protocol do.
 *
 * @param models the one of the schema itself, then those of its siblings.
 */
export function createSchemaDocs(
  schema: GraphQLSchema,
  style: Style,
  models: readonly EntityModel[],
): SchemaDocs {
  const union = createModelUnion(models);
  const originsOf = style.deriver.traceOrigins(models, {
    queryType: schema.getQueryType()?.name ?? "",
    mutationType: schema.getMutationType()?.name ?? null,
    subscriptionType: schema.getSubscriptionType()?.name ?? null,
  });
  const known = new Map<string, Doc | null>();

  function lookUp(type: string, member: string): Doc | null {
    if (member === "__typename") return null;
    const owner = schema.getType(type);
    const served = isInputObjectType(owner)
      ? owner.getFields()[member]
      : owner && fieldDefinition(owner, member);
    // Of a field of an entity the models know which words are the authors' and which the platform's.
    const own = wordsOf(type, member);
    if (own !== undefined) return servedDoc(served, own ?? served?.description);
    if (served?.description) return servedDoc(served);
    const [origin] = originsOf(`${type}.${member}`);
    return servedDoc(served, origin?.kind === "field" ? wordsOf(origin.entity, origin.field) : null);
  }

  /** Undefined when no entity has the field. */
  function wordsOf(entity: string, field: string): string | null | undefined {
    const fields = union.fieldsOf(entity, field);
    if (fields.length === 0) return undefined;
    return fields.find(({ description }) => description !== null)?.description ?? null;
  }

  return {
    docOf: (type, member) => cached(known, `${type}.${member}`, () => lookUp(type, member)),
    isOfEntityField: (type, member) => originsOf(`${type}.${member}`)[0]?.kind === "field",
  };
}

/** What a schema says of one of its parts. */
export type Described = {
  readonly description?: string | null | undefined;
  readonly deprecationReason?: string | null | undefined;
};

/** What a schema says as a doc; null when there is nothing. */
export function servedDoc(
  served: Described | null | undefined,
  description = served?.description,
): Doc | null {
  const text = description?.trim() ? description : null;
  const deprecation = served?.deprecationReason ?? null;
  return text === null && deprecation === null ? null : { description: text, deprecation };
}

/** What the author of an operation or fragment says of it: its description, or the comment right above it. */
export function authoredDescription(node: OperationDefinitionNode | FragmentDefinitionNode): string | null {
  const { description }: { readonly description?: StringValueNode | undefined } = node;
  if (description) return description.value;
  const lines: string[] = [];
  let below = node.loc?.startToken;
  for (let token = below?.prev; below && token && isAbove(token, below); token = token.prev) {
    if (!INSTRUCTION.test(token.value)) lines.unshift(token.value.replace(/^ /, "").trimEnd());
    below = token;
  }
  const text = lines.join("\n").trim();
  return text === "" ? null : text;
}

/** A comment on a line of its own, with no blank line below. */
function isAbove(token: Token, below: Token): boolean {
  return token.kind === "Comment" && token.line === below.line - 1 && token.prev?.line !== token.line;
}

/** What comments say to tools. */
const INSTRUCTION = /^\s*(import\s|eslint-|prettier-|biome-)/;
