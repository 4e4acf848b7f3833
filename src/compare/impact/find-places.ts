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

/** Where a node of a document stands in a schema. */
export type NodePlace = {
  /** Of the answer, from the operation or the fragment it stands in: `streams.asset`, `...StreamFields.asset`. */
  readonly path: string;
  readonly parent: string | null;
  readonly inputType: string | null;
  /** The fields around the node and its own if it is one, the innermost last. */
  readonly fields: readonly FieldPlace[];
  /** The arguments and members of input objects around the node and its own if it is one, the innermost last. */
  readonly inputs: readonly InputPlace[];
};

export type FieldPlace = {
  readonly coordinate: string;
  readonly type: string;
  readonly find: (schema: IndexedSchema) => ApiField | undefined;
};

export type InputPlace = {
  readonly coordinate: string;
  readonly type: string | null;
  readonly find: (schema: IndexedSchema) => ApiInputValue | undefined;
};

/** Finds where the wanted nodes of a document stand. */
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

/** The type of another schema that has the role of this one's: a root may have another name. */
function counterpart(type: string, schema: IndexedSchema, other: IndexedSchema): string {
  const operation = ROOTS.find((root) => schema.root(root) === type);
  return (operation && other.root(operation)) ?? type;
}

/** The innermost of the places whose named type is another in the schema. */
export function findRetyped<T extends FieldPlace | InputPlace>(
  places: readonly T[],
  schema: IndexedSchema,
): T | undefined {
  return places.findLast((place) => {
    const found = place.find(schema);
    return (
      place.type !== null && found !== undefined && baseTypeName(found.type) !== baseTypeName(place.type)
    );
  });
}

function nameOf(type: GraphQLInputType | null | undefined): string | null {
  return getNamedType(type)?.name ?? null;
}
