import type { ApiEnumValue, ApiField, ApiInputValue, ApiSchema, ApiType } from "./api-schema.ts";

/** The keywords of types in SDL, by kind. */
export const KEYWORDS = {
  SCALAR: "scalar",
  OBJECT: "type",
  INTERFACE: "interface",
  UNION: "union",
  ENUM: "enum",
  INPUT_OBJECT: "input",
} as const satisfies Record<ApiType["kind"], string>;

/** Renders the type and default of an input: `Int = 100`. */
export function inputSignature({ type, defaultValue }: ApiInputValue): string {
  return defaultValue === null ? type : `${type} = ${defaultValue}`;
}

/** Visits the fields, arguments and values of a type, with the kind of change that adds each of them. */
export function visitMembers(
  type: ApiType,
  visit: (
    coordinate: string,
    signature: string,
    added: ChangeKind,
    member: ApiField | ApiInputValue | ApiEnumValue,
  ) => void,
): void {
  switch (type.kind) {
    case "OBJECT":
    case "INTERFACE":
      for (const field of type.fields) {
        const coordinate = `${type.name}.${field.name}`;
        visit(coordinate, field.type, "field-added", field);
        for (const arg of field.args) {
          visit(`${coordinate}(${arg.name}:)`, inputSignature(arg), "argument-added", arg);
        }
      }
      break;
    case "INPUT_OBJECT":
      for (const field of type.fields) {
        visit(`${type.name}.${field.name}`, inputSignature(field), "input-field-added", field);
      }
      break;
    case "ENUM":
      for (const value of type.values) {
        visit(`${type.name}.${value.name}`, value.name, "enum-value-added", value);
      }
      break;
  }
}

/** Returns the signatures of the members of a type by coordinate. The first of two members with one name wins. */
export function signaturesOf(type: ApiType): Map<string, string> {
  const signatures = new Map<string, string>();
  visitMembers(type, (coordinate, signature) => {
    if (!signatures.has(coordinate)) signatures.set(coordinate, signature);
  });
  return signatures;
}

/** Counts the members of a type, including arguments. */
export function countMembers(type: ApiType | undefined): number {
  let count = 0;
  if (type !== undefined) visitMembers(type, () => count++);
  return count;
}

/** Counts the members of all types of a schema, including arguments. */
export function countAll({ types }: ApiSchema): number {
  return types.reduce((count, type) => count + countMembers(type), 0);
}

/** A neutral difference of two schemas: the values at a coordinate before and after, or null. */
export type Change = {
  readonly kind: ChangeKind;
  /** In the notation of the GraphQL specification: `Type.field(arg:)`, `Enum.VALUE`, `@directive(arg:)`. */
  readonly coordinate: string;
  readonly before: string | null;
  readonly after: string | null;
};

/** The kinds of changes. Codes of findings are named after them. */
export type ChangeKind =
  | `root-${"added" | "removed" | "renamed"}`
  | `type-${"added" | "removed" | "kind-changed"}`
  | "scalar-specification-changed"
  | `interface-${"added" | "removed"}`
  | `member-${"added" | "removed"}`
  | `field-${"added" | "removed" | "type-changed" | "deprecation-changed"}`
  | `${InputNoun}-${"added" | "removed" | "type-changed" | "default-changed"}`
  | `input-one-of-${"added" | "removed"}`
  | `enum-value-${"added" | "removed" | "deprecation-changed"}`
  | `directive-${"added" | "removed" | "location-added" | "location-removed"}`
  | "description-changed"
  | CauseKind;

/** The kinds of inputs. */
export type InputNoun = "argument" | "input-field" | "directive-argument";

/** Causes of several changes. For `change-missing`, `before` is the current value and `after` the expected one. */
type CauseKind =
  | "enum-value-renamed"
  | "field-renamed"
  | "type-renamed"
  | `platform-feature-${"added" | "removed" | "changed"}`
  | "platform-release-changed"
  | "change-missing";
