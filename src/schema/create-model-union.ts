import { findNamed, indexByName } from "../base/find-named.ts";
import { groupBy } from "../base/group-by.ts";
import {
  type Definition,
  type EntityField,
  type EntityModel,
  type FulltextDefinition,
  isRowDefinition,
} from "./entity-model.ts";
import { entityOrigin, type Origin } from "./origin.ts";

/** A definition that is a type. */
export type TypeDefinition = Exclude<Definition, FulltextDefinition>;

/** Several models asked as one, such as those of the two sides of a comparison. */
export type ModelUnion = {
  /** What is defined by this name: at most one of each model, the first there. */
  readonly definitionsOf: (name: string) => readonly TypeDefinition[];
  readonly fieldsOf: (type: string, field: string) => readonly EntityField[];
};

/** Indexes models by the names of their types. */
export function createModelUnion(models: readonly EntityModel[]): ModelUnion {
  const definitions = groupBy(
    models.flatMap((model) => [...indexByName(model.definitions.filter(isType)).values()]),
    ({ name }) => name,
  );
  const definitionsOf = (name: string) => definitions.get(name) ?? [];
  return {
    definitionsOf,
    fieldsOf: (type, field) =>
      definitionsOf(type).flatMap((definition) =>
        isRowDefinition(definition) ? (findNamed(definition.fields, field) ?? []) : [],
      ),
  };
}

function isType(definition: Definition): definition is TypeDefinition {
  return definition.kind !== "fulltext";
}

/** A definition as an origin. */
export function definitionOrigin({ kind, name }: TypeDefinition): Origin {
  return kind === "enum" ? { kind, name } : entityOrigin(name);
}
