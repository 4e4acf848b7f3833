import { compareCodeUnits } from "../base/compare-code-units.ts";
import type { ApiDirective, ApiInputValue, ApiSchema } from "./api-schema.ts";

/** One member of a schema: its coordinate in the notation of the GraphQL specification, and what it is. */
export type SchemaMember = {
  /** `Type`, `Type.field`, `Type.field(arg:)`, `Enum.VALUE`, `@directive`, `@directive(arg:)`. */
  readonly coordinate: string;
  /** All that matters of the member but its description, as text: `[Stream!]!`, `Int = 100`. */
  readonly signature: string;
  readonly description: string | null;
};

/** Flattens a canonical schema to its members in code-unit order of their coordinates. */
export function flattenSchema(schema: ApiSchema): SchemaMember[] {
  const members: SchemaMember[] = [];
  const add = (coordinate: string, signature: string, description: string | null) =>
    members.push({ coordinate, signature, description });

  add("query", schema.queryType, null);
  if (schema.mutationType !== null) add("mutation", schema.mutationType, null);
  if (schema.subscriptionType !== null) add("subscription", schema.subscriptionType, null);
  for (const type of schema.types) {
    switch (type.kind) {
      case "SCALAR":
        add(type.name, "scalar", type.description);
        break;
      case "OBJECT":
      case "INTERFACE":
        add(
          type.name,
          [type.kind === "OBJECT" ? "type" : "interface", ...type.interfaces].join(" "),
          type.description,
        );
        for (const field of type.fields) {
          const coordinate = `${type.name}.${field.name}`;
          add(coordinate, withDeprecation(field.type, field.deprecationReason), field.description);
          for (const arg of field.args)
            add(`${coordinate}(${arg.name}:)`, inputSignature(arg), arg.description);
        }
        break;
      case "UNION":
        add(type.name, ["union", ...type.possibleTypes].join(" "), type.description);
        break;
      case "ENUM":
        add(type.name, "enum", type.description);
        for (const value of type.values) {
          add(
            `${type.name}.${value.name}`,
            withDeprecation("value", value.deprecationReason),
            value.description,
          );
        }
        break;
      case "INPUT_OBJECT":
        add(type.name, type.oneOf === true ? "input oneOf" : "input", type.description);
        for (const field of type.fields) {
          add(`${type.name}.${field.name}`, inputSignature(field), field.description);
        }
        break;
    }
  }
  for (const directive of schema.directives) addDirective(directive, add);
  return members.sort((a, b) => compareCodeUnits(a.coordinate, b.coordinate));
}

function addDirective(
  directive: ApiDirective,
  add: (coordinate: string, signature: string, description: string | null) => void,
): void {
  const coordinate = `@${directive.name}`;
  add(coordinate, directive.locations.join(" "), directive.description);
  for (const arg of directive.args) add(`${coordinate}(${arg.name}:)`, inputSignature(arg), arg.description);
}

function inputSignature({ type, defaultValue }: ApiInputValue): string {
  return defaultValue === null ? type : `${type} = ${defaultValue}`;
}

function withDeprecation(signature: string, reason: string | null): string {
  return reason === null ? signature : `${signature} deprecated`;
}
