import {
  type ApiDirective,
  type ApiField,
  type ApiInputValue,
  type ApiSchema,
  type ApiType,
  ROOTS,
} from "./api-schema.ts";
import { KEYWORDS } from "./members.ts";

/** Renders SDL. For a canonical schema these are the bytes of a snapshot, which must not change with a library. */
export function renderSdl(schema: ApiSchema): string {
  const parts = [
    renderRoots(schema),
    ...schema.directives.map(renderDirective),
    ...schema.types.map(renderType),
  ];
  return `${parts.join("\n\n")}\n`;
}

function renderRoots(schema: ApiSchema): string {
  const lines = ROOTS.flatMap((root) => {
    const name = schema[`${root}Type`];
    return name === null ? [] : [`  ${root}: ${name}`];
  });
  return block("schema", lines);
}

function renderDirective(directive: ApiDirective): string {
  const head = `${renderDescription(directive.description, "")}directive @${directive.name}`;
  return `${head}${renderArguments(directive.args, "")} on ${directive.locations.join(" | ")}`;
}

function renderType(type: ApiType): string {
  const description = renderDescription(type.description, "");
  switch (type.kind) {
    case "SCALAR":
      return `${description}scalar ${type.name}`;
    case "OBJECT":
    case "INTERFACE": {
      const parents = type.interfaces.length > 0 ? ` implements ${type.interfaces.join(" & ")}` : "";
      return (
        description + block(`${KEYWORDS[type.kind]} ${type.name}${parents}`, type.fields.map(renderField))
      );
    }
    case "UNION":
      return `${description}union ${type.name} = ${type.possibleTypes.join(" | ")}`;
    case "ENUM":
      return (
        description +
        block(
          `enum ${type.name}`,
          type.values.map(
            (value) =>
              `${renderDescription(value.description, "  ")}  ${value.name}${renderDeprecation(value.deprecationReason)}`,
          ),
        )
      );
    case "INPUT_OBJECT":
      return (
        description +
        block(
          `input ${type.name}${type.oneOf === true ? " @oneOf" : ""}`,
          type.fields.map((field) => `${renderDescription(field.description, "  ")}  ${renderInput(field)}`),
        )
      );
  }
}

function renderField(field: ApiField): string {
  const description = renderDescription(field.description, "  ");
  const args = renderArguments(field.args, "  ");
  return `${description}  ${field.name}${args}: ${field.type}${renderDeprecation(field.deprecationReason)}`;
}

function renderArguments(args: readonly ApiInputValue[], indent: string): string {
  if (args.length === 0) return "";
  if (args.every((arg) => arg.description === null)) return `(${args.map(renderInput).join(", ")})`;
  const lines = args.map(
    (arg) => `${renderDescription(arg.description, `${indent}  `)}${indent}  ${renderInput(arg)}`,
  );
  return `(\n${lines.join("\n")}\n${indent})`;
}

function renderInput({ name, type, defaultValue }: ApiInputValue): string {
  return `${name}: ${type}${defaultValue === null ? "" : ` = ${defaultValue}`}`;
}

function renderDeprecation(reason: string | null): string {
  return reason === null ? "" : ` @deprecated(reason: ${JSON.stringify(reason)})`;
}

function renderDescription(description: string | null, indent: string): string {
  if (description === null) return "";
  const escaped = description.replaceAll('"""', '\\"""');
  const lines = escaped.split("\n").map((line) => (line === "" ? "" : indent + line));
  // A one-line description must not end with a quote or backslash, or start with a blank.
  const single = lines.length === 1 && !/["\\]$/.test(escaped) && !escaped.startsWith(" ");
  if (single) return `${indent}"""${escaped}"""\n`;
  return `${indent}"""\n${lines.join("\n")}\n${indent}"""\n`;
}

function block(head: string, lines: readonly string[]): string {
  return lines.length === 0 ? head : `${head} {\n${lines.join("\n")}\n}`;
}
