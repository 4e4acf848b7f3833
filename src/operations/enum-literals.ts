import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  isScalarType,
  Kind,
  TypeInfo,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { nearestName } from "../base/text.ts";
import type { EntityEnum } from "../dialects/entity-model.ts";
import { locateNode } from "../dialects/locate.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import type { Finding } from "../report/finding.ts";
import type { OperationSet } from "./operation-set.ts";

/** A literal at a place where an API expects a value of an enum that it shows as a scalar. */
type EnumLiteral = { readonly definition: EntityEnum; readonly node: ValueNode };

/**
 * Finds the literals and defaults that are values of opaque enums. Multichain APIs show an enum as a scalar, called by the
 * name of the enum in lower case, and accept any literal for it.
 *
 * @param enums the enums that the authors of the schema wrote.
 */
export function findEnumLiterals(
  document: DocumentNode,
  schema: GraphQLSchema,
  enums: readonly EntityEnum[],
): EnumLiteral[] {
  const opaque = new Map(
    enums.flatMap((definition) => {
      const name = definition.name.toLowerCase();
      return isScalarType(schema.getType(name)) ? [[name, definition] as const] : [];
    }),
  );
  if (opaque.size === 0) return [];
  const literals: EnumLiteral[] = [];
  const info = new TypeInfo(schema);
  const enter = (node: ValueNode) => {
    const definition = opaque.get(getNamedType(info.getInputType())?.name ?? "");
    if (definition) literals.push({ definition, node });
  };
  visit(
    document,
    visitWithTypeInfo(info, {
      EnumValue: enter,
      StringValue: enter,
      IntValue: enter,
      FloatValue: enter,
      BooleanValue: enter,
      ObjectValue: enter,
    }),
  );
  return literals;
}

/** Returns whether a literal is one of the values of its enum. Multichain APIs read names and texts alike. */
function isEnumValue({ definition: { values }, node }: EnumLiteral): boolean {
  const isText = node.kind === Kind.ENUM || node.kind === Kind.STRING;
  return values === null || (isText && values.some(({ name }) => name === node.value));
}

/** Validates the literals and defaults of opaque enums. A variable is checked by its generated type. */
export function validateEnumLiterals(
  { operations, fragments }: Pick<OperationSet, "operations" | "fragments">,
  schema: GraphQLSchema,
  enums: readonly EntityEnum[],
): Finding[] {
  return [...operations, ...fragments.values()].flatMap(({ name, file, node: definition }) => {
    const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [definition] };
    return findEnumLiterals(document, schema, enums)
      .filter((literal) => !isEnumValue(literal))
      .map(({ definition: { name: type, values }, node }) => {
        const text = "value" in node ? String(node.value) : "";
        const names = (values ?? []).map((value) => value.name);
        const nearest = nearestName(text, names);
        const hint = nearest === null ? "" : ` Did you mean "${nearest}"?`;
        return buildFileFinding(
          "operation/invalid",
          [`Value "${text}" does not exist in "${type}" enum.${hint}`],
          { subject: name, place: locateNode(file.path, node) },
        );
      });
  });
}
