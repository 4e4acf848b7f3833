import { findNamed } from "../base/find-named.ts";
import type { Definition, EntityField, EntityModel, FulltextDefinition } from "./entity-model.ts";
import { entityOrigin, type Origin } from "./origin.ts";

/** A definition that is a type. */
export type TypeDefinition = Exclude<Definition, FulltextDefinition>;

/** Several models asked as one, such as those of the two sides of a comparison. */
export type ModelUnion = {
  /** What is defined by this name: at most one of each model, the first there. */
  readonly definitionsOf: (name: string) => readonly TypeDefinition[];
  /** The fields of this name that types of this name have. */
  readonly fieldsOf: (type: string, field: string) => readonly EntityField[];
};

/** Indexes models by the names of their types. */
export function createModelUnion(models: readonly EntityModel[]): ModelUnion {
  const definitions = new Map<string, TypeDefinition[]>();
  for (const model of models) {
    const seen = new Set<string>();
    for (const definition of model.definitions) {
      if (definition.kind === "fulltext" || seen.has(definition.name)) continue;
      seen.add(definition.name);
      const others = definitions.get(definition.name);
      if (others) others.push(definition);
      else definitions.set(definition.name, [definition]);
    }
  }
  const definitionsOf = (name: string) => definitions.get(name) ?? [];

  function fieldsOf(type: string, field: string): EntityField[] {
    const found: EntityField[] = [];
    for (const definition of definitionsOf(type)) {
      const own = findNamed(entityFields(definition), field);
      if (own) found.push(own);
    }
    return found;
  }

  return { definitionsOf, fieldsOf };
}

/** The fields rows of a definition have; none of an enum and an input object. */
function entityFields(definition: TypeDefinition): readonly EntityField[] {
  return definition.kind === "enum" || definition.kind === "input" ? [] : definition.fields;
}

/** A definition as an origin. */
export function definitionOrigin({ kind, name }: TypeDefinition): Origin {
  return kind === "enum" ? { kind, name } : entityOrigin(name);
}
