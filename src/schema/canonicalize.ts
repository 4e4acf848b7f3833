import { compareCodeUnits, sortByName } from "../base/compare-code-units.ts";
import { indexByName } from "../base/find-named.ts";
import type { ApiInputValue, ApiSchema, ApiType } from "./api-schema.ts";
import { normalizeDescription } from "./normalize-description.ts";
import { normalizeValue } from "./normalize-value.ts";
import { STANDARD_DIRECTIVES, STANDARD_SCALARS } from "./standard-names.ts";

/** The form that snapshots hold and hashes are taken of; of two members with one name the first counts. */
export function canonicalize(schema: ApiSchema): ApiSchema {
  return {
    queryType: schema.queryType,
    mutationType: schema.mutationType,
    subscriptionType: schema.subscriptionType,
    types: distinct(schema.types)
      .filter((type) => !type.name.startsWith("__") && !STANDARD_SCALARS.has(type.name))
      .map(canonicalType),
    directives: distinct(schema.directives)
      .filter((directive) => !STANDARD_DIRECTIVES.has(directive.name))
      .map((directive) => ({
        name: directive.name,
        description: normalizeDescription(directive.description),
        locations: [...directive.locations].sort(compareCodeUnits),
        args: canonicalInputs(directive.args),
      })),
  };
}

function canonicalType(type: ApiType): ApiType {
  const description = normalizeDescription(type.description);
  switch (type.kind) {
    case "SCALAR":
      return { ...type, description };
    case "OBJECT":
    case "INTERFACE":
      return {
        kind: type.kind,
        name: type.name,
        description,
        interfaces: [...type.interfaces].sort(compareCodeUnits),
        fields: distinct(type.fields).map((field) => ({
          name: field.name,
          description: normalizeDescription(field.description),
          args: canonicalInputs(field.args),
          type: field.type,
          deprecationReason: wellFormed(field.deprecationReason),
        })),
      };
    case "UNION":
      return { ...type, description, possibleTypes: [...type.possibleTypes].sort(compareCodeUnits) };
    case "ENUM":
      return {
        ...type,
        description,
        values: distinct(type.values).map((value) => ({
          name: value.name,
          description: normalizeDescription(value.description),
          deprecationReason: wellFormed(value.deprecationReason),
        })),
      };
    case "INPUT_OBJECT":
      return { ...type, description, fields: canonicalInputs(type.fields) };
  }
}

/** Half of a surrogate pair can be written in no document of GraphQL. */
function wellFormed(reason: string | null): string | null {
  return reason?.toWellFormed() ?? null;
}

/** Spelled out, as fields are: to spread what members share takes many times as long. */
function canonicalInputs(inputs: readonly ApiInputValue[]): ApiInputValue[] {
  return distinct(inputs).map((input) => ({
    name: input.name,
    description: normalizeDescription(input.description),
    type: input.type,
    defaultValue: input.defaultValue === null ? null : normalizeValue(input.defaultValue),
  }));
}

function distinct<T extends { readonly name: string }>(items: readonly T[]): readonly T[] {
  // What is in order is so without repetitions, and of a snapshot all is.
  const isAscending = items.every(({ name }, at) => at === 0 || (items[at - 1]?.name ?? "") < name);
  return isAscending ? items : sortByName([...indexByName(items).values()]);
}
