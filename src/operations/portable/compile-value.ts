import { Kind, print, type ValueNode } from "graphql";
import { baseTypeName } from "../../dialects/api-schema.ts";
import { convertId, type IdForms, isOfBytes, needsChain } from "../../dialects/id-forms.ts";
import { intNode, stringNode, variableNode } from "../../dialects/make-node.ts";
import type { AuthoredType } from "../../dialects/portable-style.ts";
import type { RuleName } from "./compiled-operation.ts";
import { hasBothStyles } from "./read-entities.ts";
import type { Scope, Treatment } from "./scope.ts";

/** A place of a value: the authored facts, and the type of the column in the written schema. */
export type Position = { readonly type: AuthoredType; readonly writtenType: string };

/** Compiles a value or a list of values that a column is compared with; null if it is refused. */
export function compileValue(value: ValueNode, position: Position, scope: Scope): ValueNode | null {
  if (value.kind === Kind.VARIABLE) {
    const { name, isIdWithBytes, chainInId = null } = position.type;
    if (name === "Int8" && hasBothStyles(scope.facts)) {
      return scope.refuse(
        "portable/variable-type",
        [value.name.value, name, "has no like where numbers have any size"],
        value,
      );
    }
    const isBytes = name === "Bytes";
    if (isBytes) scope.apply("bytes-form", value);
    const { forms } = position.type;
    if (forms !== null) scope.apply(formRule(forms), value);
    const treatment: Treatment =
      forms !== null
        ? { kind: "id", forms, isBytes, isIdWithBytes, chainInId }
        : isBytes
          ? { kind: "bytes" }
          : { kind: "value", isIdWithBytes, chainInId };
    // A default keeps its form. The client writes it with the chain.
    const plain = { ...position, type: { ...position.type, forms: null } };
    return scope.use(value, {
      treatment,
      ifNull: "error",
      compileDefault: (value) => {
        const compiled = compileValue(value, plain, scope);
        return forms === null || compiled === null ? compiled : requireIds(compiled, forms, scope);
      },
    });
  }
  if (value.kind === Kind.LIST) {
    const values = value.values.map((item) => compileValue(item, position, scope));
    return values.some((item) => item === null)
      ? null
      : { ...value, values: values.filter((item) => item !== null) };
  }
  const { type } = position;
  if (type.forms !== null)
    return compileOwnId(value, { ...position, type: { ...type, forms: null }, forms: type.forms }, scope);
  if (type.isEnum) {
    if (value.kind !== Kind.ENUM) return value;
    scope.apply("enum-text", value);
    return scope.facts.written.writer.writeMember(value);
  }
  switch (type.name) {
    case "Bytes":
      return compileBytes(value, scope);
    case "BigInt":
    case "BigDecimal":
    case "Int8":
      return compileNumber(value, position, scope);
    case "ID":
      return compileText(value, scope);
    default:
      return value;
  }
}

/** Compiles the id of a row, which may be authored as a number. */
export function compileId(value: ValueNode, position: Position, scope: Scope): ValueNode | null {
  const text = compileText(value, scope);
  if (text === null) return null;
  return compileValue(text, position, {
    ...scope,
    use: (variable, use) =>
      scope.use(variable, {
        ...use,
        compileDefault: (value) => {
          const text = compileText(value, scope);
          return text && (use.compileDefault?.(text) ?? null);
        },
      }),
  });
}

/** Compiles a literal id that the styles write differently. */
function compileOwnId(
  value: ValueNode,
  { forms, ...position }: Position & { readonly forms: IdForms },
  scope: Scope,
): ValueNode | null {
  const compiled = compileValue(value, position, scope);
  if (compiled?.kind !== Kind.STRING) return compiled;
  const id = position.type.isIdWithBytes ? lowerBytes(compiled.value) : compiled.value;
  const written = convertId(forms.multichain, id, null);
  if (written === null) {
    return refuseId(value, `is not an id of ${forms.entity}, which is \`${forms.template}\``, scope);
  }
  scope.apply(formRule(forms), value);
  if (!needsChain(forms.multichain)) return stringNode(written, value.loc);
  if (scope.isDefault) {
    const reason = `is an id of ${forms.entity} in the default of a filter, which names no chain`;
    return refuseId(value, reason, scope);
  }
  // Authored variables cannot have this name.
  return scope.use(variableNode(`${forms.entity} id`, value.loc), {
    treatment: { kind: "literal", forms, value: id },
  });
}

function formRule(forms: IdForms): RuleName {
  return isOfBytes(forms) ? "raw-bytes" : "id-form";
}

function requireIds(value: ValueNode, forms: IdForms, scope: Scope): ValueNode | null {
  const odd = (value.kind === Kind.LIST ? value.values : [value]).find(
    (value) => value.kind === Kind.STRING && convertId(forms.multichain, value.value, null) === null,
  );
  return odd === undefined
    ? value
    : refuseId(odd, `is not an id of ${forms.entity}, which is \`${forms.template}\``, scope);
}

function refuseId(value: ValueNode, reason: string, scope: Scope): null {
  return scope.refuse("portable/id-form", [`\`${print(value)}\``, reason], value);
}

function lowerBytes(id: string): string {
  return id.replaceAll(/0x[\da-f]+/gi, (bytes) => bytes.toLowerCase());
}

function compileText(value: ValueNode, scope: Scope): ValueNode | null {
  if (value.kind !== Kind.INT) return value;
  return isIn64Bits(value.value)
    ? stringNode(value.value, value.loc)
    : scope.refuse("portable/bad-number", [value.value, "ID"], value);
}

/** Returns the digits of bytes in lower case; null if they are refused. */
export function readDigits(value: ValueNode, scope: Scope): string | null {
  const refuse = (reason: string) => scope.refuse("portable/bad-bytes", [print(value), reason], value);
  if (value.kind !== Kind.STRING) return refuse("it is not a string");
  const digits = value.value.replace(/^(0x)+/, "").toLowerCase();
  if (!/^[0-9a-f]*$/.test(digits)) return refuse("it has other characters than hexadecimal digits");
  return digits.length % 2 === 0 ? digits : refuse("it has half a byte");
}

function compileBytes(value: ValueNode, scope: Scope): ValueNode | null {
  const digits = readDigits(value, scope);
  if (digits === null) return null;
  const text = `0x${digits}`;
  if (value.kind === Kind.STRING && value.value === text) return value;
  scope.apply("bytes-form", value);
  return stringNode(text, value.loc);
}

function compileNumber(value: ValueNode, { type, writtenType }: Position, scope: Scope): ValueNode | null {
  const text = readNumber(value, type.name);
  const written = baseTypeName(writtenType);
  const refuse = () => scope.refuse("portable/bad-number", [print(value), type.name], value);
  if (text === null) return refuse();
  if (type.isList && scope.facts.written.writer.itemsAreText(written)) {
    // Numbers that are compared as text need one form.
    scope.apply("number-form", value);
    return stringNode(BigInt(text.replace(/^\+/, "")).toString(), value.loc);
  }
  if (written === "Int") {
    const number = Number(text);
    if (number < -(2 ** 31) || number >= 2 ** 31) return refuse();
    if (value.kind === Kind.INT) return value;
    scope.apply("number-form", value);
    return intNode(number, value.loc);
  }
  if (value.kind !== Kind.FLOAT) return value;
  // One style reads a fraction as a 64-bit number, the other as text.
  return stringNode(text, value.loc);
}

/** Returns a number as text; null if one style does not read it. */
function readNumber(value: ValueNode, type: string): string | null {
  switch (value.kind) {
    case Kind.INT:
      return isIn64Bits(value.value) ? value.value : null;
    case Kind.FLOAT: {
      const number = Number(value.value);
      const isRead = type === "BigDecimal" && FRACTION.test(value.value) && Number.isFinite(number);
      return isRead ? String(number) : null;
    }
    case Kind.STRING:
      if (!(type === "BigDecimal" ? DECIMAL : WHOLE).test(value.value)) return null;
      return type === "Int8" && !isIn64Bits(value.value) ? null : value.value;
    default:
      return null;
  }
}

/** An exponent without a sign must not begin with 0 or 9, which graph-node does not read. */
const FRACTION = /^-?\d+(\.\d+)?([eE]([+-]\d+|[1-8]\d*))?$/;
const WHOLE = /^[+-]?\d+$/;
/** Subgraphs round values with more than 34 significant digits. */
const DECIMAL = /^[+-]?(?![0.]*[1-9](\.?\d){33,}\.?[1-9])(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

function isIn64Bits(text: string): boolean {
  const number = BigInt(text.replace(/^\+/, ""));
  return BigInt.asIntN(64, number) === number;
}
