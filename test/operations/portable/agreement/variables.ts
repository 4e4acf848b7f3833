import {
  astFromValue,
  type ConstValueNode,
  type GraphQLSchema,
  isInputType,
  Kind,
  parseType,
  typeFromAST,
  type VariableDefinitionNode,
} from "graphql";
import type { Choose } from "./choices.ts";

/** A variable of a random operation. */
export type Variable = {
  readonly name: string;
  /** Without an exclamation mark at its end. */
  readonly type: string;
  readonly value: unknown;
  /** Whether it is used only as whole arguments, which may be omitted, and not as values in comparisons. */
  readonly isArgument: boolean;
  /** Whether its places accept only numbers in a range. */
  readonly isRange: boolean;
};

/** The declaration and the value of a variable. */
type Given = { readonly definition: VariableDefinitionNode; readonly value: unknown };

/** Declares a variable in one of the portable ways, with a value or with its default. */
export function declareVariable(variable: Variable, schema: GraphQLSchema, choose: Choose): Given {
  const { name, type, isArgument } = variable;
  const value = dressValue(variable, choose);
  const define = (bang: string, defaultValue?: ConstValueNode): VariableDefinitionNode => ({
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } },
    type: parseType(`${type}${bang}`, { noLocation: true }),
    ...(defaultValue === undefined ? {} : { defaultValue }),
  });
  const literal = () => literalOf(variable, schema);
  if (variable.value === null) return { definition: define(""), value: [undefined, null][choose(2)] };
  // A variable in a comparison must have a value.
  switch (choose(isArgument ? 8 : 5)) {
    case 1:
      return { definition: define("!", literal()), value: undefined };
    case 2:
      return { definition: define("", literal()), value: choose(2) === 0 ? undefined : null };
    case 3:
      return { definition: define("", literal()), value };
    case 4:
      return { definition: define("!", literal()), value };
    case 5:
      return { definition: define(""), value };
    case 6:
      return { definition: define(""), value: choose(2) === 0 ? undefined : null };
    case 7:
      return { definition: define("", { kind: Kind.NULL }), value: undefined };
    default:
      return { definition: define("!"), value };
  }
}

/** The literal of a value. */
function literalOf({ name, type, value }: Variable, schema: GraphQLSchema): ConstValueNode {
  const known = typeFromAST(schema, parseType(type) as Parameters<typeof typeFromAST>[1]);
  const literal = isInputType(known) ? astFromValue(value, known) : null;
  if (!literal) throw new TypeError(`There is no literal of $${name}.`);
  return literal as ConstValueNode;
}

/** Returns a value in one of the forms that applications send. */
function dressValue({ type, value }: Variable, choose: Choose): unknown {
  const dress = (one: unknown): unknown => {
    if (typeof one !== "string") return one;
    if (/BigInt/.test(type)) {
      const form = choose(6);
      if (form === 1) return BigInt(one);
      if (form === 2 && one.length < 16) return Number(one);
      return form === 3 ? one.replace(/^(-?)/, "$10") : one;
    }
    return dressBytes(one, choose(4));
  };
  return Array.isArray(value) ? value.map(dress) : dress(value);
}

/** Returns bytes in upper case or without their prefix, and other text unchanged. */
export function dressBytes(text: string, form: number): string {
  const digits = /^(?:0x)?((?:[\da-f]{2})+)$/.exec(text)?.[1];
  if (digits === undefined || !text.startsWith("0x")) return text;
  if (form === 1) return `0x${digits.toUpperCase()}`;
  return form === 2 ? digits.toUpperCase() : text;
}
