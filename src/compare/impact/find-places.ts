import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLInputType,
  getNamedType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { type ApiField, type ApiInputValue, baseTypeName, ROOTS } from "../../dialects/api-schema.ts";
import type { IndexedSchema } from "../indexed-schema.ts";

/** The context of a document's node in a schema. */
export type NodePlace = {
  /** The path in the answer, from the operation or fragment: `streams.asset`, `...StreamFields.asset`. */
  readonly path: string;
  readonly parent: string | null;
  readonly inputType: string | null;
  /** The fields around the node, and the node itself if it is a field, innermost last. */
  readonly fields: readonly FieldPlace[];
  /** The arguments and input members around the node, and the node itself if it is one, innermost last. */
  readonly inputs: readonly InputPlace[];
};

type Place<T> = {
  readonly coordinate: string;
  readonly type: string | null;
  readonly find: (schema: IndexedSchema) => T | undefined;
};

export type FieldPlace = Place<ApiField>;

export type InputPlace = Place<ApiInputValue>;

/** Returns the contexts of the wanted nodes of a document. */
export function findPlaces(
  document: DocumentNode,
  wanted: ReadonlySet<ASTNode>,
  schema: IndexedSchema,
): Map<ASTNode, NodePlace> {
  const places = new Map<ASTNode, NodePlace>();
  const typeInfo = new TypeInfo(schema.graphql());
  const path: string[] = [];
  const fields: FieldPlace[] = [];
  const inputs: InputPlace[] = [];

  function enter(node: ASTNode): void {
    switch (node.kind) {
      case Kind.FRAGMENT_DEFINITION:
        path.push(`...${node.name.value}`);
        break;
      case Kind.FIELD:
        path.push((node.alias ?? node.name).value);
        fields.push(fieldHere(node));
        break;
      case Kind.ARGUMENT:
        inputs.push(argumentHere(node.name.value));
        break;
      case Kind.OBJECT_FIELD:
        inputs.push(memberHere(node.name.value));
        break;
    }
    if (!wanted.has(node)) return;
    places.set(node, {
      path: path.join("."),
      parent: typeInfo.getParentType()?.name ?? null,
      inputType: nameOf(typeInfo.getInputType()),
      fields: [...fields],
      inputs: [...inputs],
    });
  }

  function leave(node: ASTNode): void {
    if (node.kind === Kind.FRAGMENT_DEFINITION || node.kind === Kind.FIELD) path.pop();
    if (node.kind === Kind.FIELD) fields.pop();
    if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) inputs.pop();
  }

  function fieldHere(node: FieldNode): FieldPlace {
    const parent = typeInfo.getParentType()?.name ?? "";
    const name = node.name.value;
    return {
      coordinate: `${parent}.${name}`,
      type: String(typeInfo.getFieldDef()?.type ?? ""),
      find: (other) => other.field(counterpart(parent, schema, other), name),
    };
  }

  function argumentHere(name: string): InputPlace {
    const type = typeInfo.getArgument()?.type;
    const directive = typeInfo.getDirective()?.name;
    const owner = fields.at(-1);
    const coordinate = directive === undefined ? (owner?.coordinate ?? "") : `@${directive}`;
    return {
      coordinate: `${coordinate}(${name}:)`,
      type: type ? String(type) : null,
      find: (other) => {
        const holder = directive === undefined ? owner?.find(other) : other.directive(directive);
        return holder?.args.find((argument) => argument.name === name);
      },
    };
  }

  function memberHere(name: string): InputPlace {
    const owner = nameOf(typeInfo.getParentInputType()) ?? "";
    const type = typeInfo.getInputType();
    return {
      coordinate: `${owner}.${name}`,
      type: type ? String(type) : null,
      find: (other) => {
        const input = other.types.get(owner);
        return input?.kind === "INPUT_OBJECT" ? input.fields.find((field) => field.name === name) : undefined;
      },
    };
  }

  visit(document, visitWithTypeInfo(typeInfo, { enter, leave }));
  return places;
}

/** Returns the name of the same type in another schema, where a root may have another name. */
function counterpart(type: string, schema: IndexedSchema, other: IndexedSchema): string {
  const operation = ROOTS.find((root) => schema.root(root) === type);
  return (operation && other.root(operation)) ?? type;
}

/** Returns the innermost place whose named type differs in the schema. */
export function findRetyped<T extends FieldPlace | InputPlace>(
  places: readonly T[],
  schema: IndexedSchema,
): T | undefined {
  return places.findLast((place) => {
    const type = place.find(schema)?.type;
    return place.type !== null && type !== undefined && baseTypeName(type) !== baseTypeName(place.type);
  });
}

function nameOf(type: GraphQLInputType | null | undefined): string | null {
  return getNamedType(type)?.name ?? null;
}
