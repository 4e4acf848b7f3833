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
  /** Without a bang at its end. */
  readonly type: string;
  readonly value: unknown;
  /** Whether it only stands for whole arguments, which may be left out; not for what something is compared with. */
  readonly isArgument: boolean;
  /** Whether only numbers in a range are taken where it stands. */
  readonly isRange: boolean;
};

/** A variable as it is declared and given. */
type Given = { readonly definition: VariableDefinitionNode; readonly value: unknown };

/** Declares a variable in one of the ways that are portable, and gives it, or leaves it to its default. */
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
  // Nothing at all can stand where something is compared with nothing.
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

/** Values in the forms that programs have them in. */
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

/** Bytes in capitals, or without their prefix; other text as it is. */
export function dressBytes(text: string, form: number): string {
  const digits = /^(?:0x)?((?:[\da-f]{2})+)$/.exec(text)?.[1];
  if (digits === undefined || !text.startsWith("0x")) return text;
  if (form === 1) return `0x${digits.toUpperCase()}`;
  return form === 2 ? digits.toUpperCase() : text;
}
