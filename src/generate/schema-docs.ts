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

/** Look-ups of the docs of fields and input fields of an API schema. */
export type SchemaDocs = {
  readonly schema: GraphQLSchema;
  /** Null if there is no description or deprecation. */
  readonly docOf: (type: string, member: string) => Doc | null;
  /** Whether a member derives from a field of an entity: that field, its filter, its order. */
  readonly isOfEntityField: (type: string, member: string) => boolean;
};

/**
 * Creates a look-up of descriptions and deprecations. If a platform does not show the authors' descriptions,
 * they come from the entity models of the same protocol.
 *
 * @param models that of the schema itself, then those of its siblings.
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
  const docs = new Map<string, Doc | null>();

  function lookUp(type: string, member: string): Doc | null {
    if (member === "__typename") return null;
    const owner = schema.getType(type);
    const served = isInputObjectType(owner)
      ? owner.getFields()[member]
      : owner && fieldDefinition(owner, member);
    // For a field of an entity, the models have the authors' description without the platform's.
    const description = wordsOf(type, member);
    if (description !== undefined) return servedDoc(served, description ?? served?.description);
    if (served?.description) return servedDoc(served);
    const [origin] = originsOf(`${type}.${member}`);
    return servedDoc(served, origin?.kind === "field" ? wordsOf(origin.entity, origin.field) : null);
  }

  /** Undefined if no entity has the field. */
  function wordsOf(entity: string, field: string): string | null | undefined {
    const fields = union.fieldsOf(entity, field);
    if (fields.length === 0) return undefined;
    return fields.find(({ description }) => description !== null)?.description ?? null;
  }

  return {
    schema,
    docOf: (type, member) => cached(docs, `${type}.${member}`, () => lookUp(type, member)),
    isOfEntityField: (type, member) => originsOf(`${type}.${member}`)[0]?.kind === "field",
  };
}

/** A part of a schema that can have a description. */
export type Described = {
  readonly description?: string | null | undefined;
  readonly deprecationReason?: string | null | undefined;
};

/** Returns the doc of a part of a schema; null if it has none. */
export function servedDoc(
  served: Described | null | undefined,
  description = served?.description,
): Doc | null {
  const text = description?.trim() ? description : null;
  const deprecation = served?.deprecationReason ?? null;
  return text === null && deprecation === null ? null : { description: text, deprecation };
}

/** Returns the author's description of an operation or fragment, or the comment directly above it. */
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

/** Whether a token is a comment on its own line, without a blank line below. */
function isAbove(token: Token, below: Token): boolean {
  return token.kind === "Comment" && token.line === below.line - 1 && token.prev?.line !== token.line;
}

/** Comments that are instructions for tools. */
const INSTRUCTION = /^\s*(import\s|eslint-|prettier-|biome-)/;
