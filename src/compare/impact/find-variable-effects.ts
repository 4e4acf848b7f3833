import { Kind, type OperationDefinitionNode, type TypeNode, type VariableDefinitionNode } from "graphql";
import type { ApiEnum, ApiInputObject, ApiInputValue, ApiType } from "../../model/api-schema.ts";
import { baseTypeName, isRequired } from "../../utils/type-expression.ts";
import { describeTypeChange } from "../type-change.ts";
import { describeDefault } from "./describe-default.ts";
import { type Effect, type EffectFacts, effectAt } from "./effect.ts";
import type { IndexedSchema } from "./indexed-schema.ts";

/**
 * Finds what callers may send through a variable that is refused now, and what of it has another type or meaning.
 *
 * Looked at is the variable's own type with what stands in it directly, not all it leads to: filters refer to each
 * other, and with everything they reach one removed field would put most operations at risk.
 */
export function findVariableEffects(
  operation: OperationDefinitionNode,
  before: IndexedSchema,
  after: IndexedSchema,
): Effect[] {
  return (operation.variableDefinitions ?? []).flatMap((variable) => findEffectsOf(variable, before, after));
}

function findEffectsOf(
  variable: VariableDefinitionNode,
  before: IndexedSchema,
  after: IndexedSchema,
): Effect[] {
  const name = variable.variable.name.value;
  const effects: Effect[] = [];
  const compared = new Set<string>();
  const add: Add = (facts) =>
    effects.push(effectAt(variable, { ...facts, path: `$${name}`, message: `$${name}: ${facts.message}` }));
  const refused: Refused = (coordinate, message, avoid) =>
    add({
      impact: "at-risk",
      coordinates: [coordinate],
      message,
      fix: `see that no caller ${avoid} through $${name}, and run \`lockflow generate\`.`,
    });

  function compare(type: string): void {
    if (compared.has(type)) return;
    compared.add(type);
    const was = before.type(type);
    const is = after.type(type);
    // What is gone as a whole, validation tells.
    if (was === undefined || is === undefined) return;
    compareKinds(was, is, add, refused);
    if (was.kind === "ENUM" && is.kind === "ENUM") compareEnums(was, is, refused);
    if (was.kind !== "INPUT_OBJECT" || is.kind !== "INPUT_OBJECT") return;
    compareInputObjects(was, is, add, refused);
    const members = new Map(was.fields.map((member) => [member.name, member]));
    for (const member of is.fields) {
      const old = members.get(member.name);
      const inner = baseTypeName(member.type);
      if (old === undefined || baseTypeName(old.type) !== inner) continue;
      if (standsDirectly(old, before.type(inner))) compare(inner);
    }
  }

  compare(namedTypeOf(variable.type));
  return effects;
}

type Add = (facts: Omit<EffectFacts, "path">) => void;
type Refused = (coordinate: string, message: string, avoid: string) => void;

/**
 * Whether a member's type is a part of the object it stands in: the values of an enum, what has to be sent with it,
 * and the operators of one scalar, which in one style are objects (`{ amount: { _gt: 1 } }`) and in the other
 * members of their own (`{ amount_gt: 1 }`).
 */
function standsDirectly(member: ApiInputValue, type: ApiType | undefined): boolean {
  if (type?.kind === "ENUM") return true;
  if (type?.kind !== "INPUT_OBJECT") return false;
  if (isRequired(member.type)) return true;
  const compared = new Set(type.fields.map((field) => baseTypeName(field.type)));
  compared.delete("Boolean");
  return compared.size <= 1 && !compared.has(type.name);
}

function compareEnums(was: ApiEnum, is: ApiEnum, refused: Refused): void {
  const values = new Set(is.values.map(({ name }) => name));
  // What may be sent in addition changes nothing for callers that do not.
  for (const { name } of was.values) {
    if (!values.has(name))
      refused(`${is.name}.${name}`, `${is.name} has no ${name} any more.`, `sends ${name}`);
  }
}

function compareKinds(was: ApiType, is: ApiType, add: Add, refused: Refused): void {
  if (was.kind === is.kind) return;
  if (was.kind === "ENUM" && is.kind === "SCALAR") {
    add({
      impact: "changes-type",
      coordinates: [is.name],
      message: `${is.name} was an enum and is a scalar.`,
      fix: "run `lockflow generate`: its values are not known any more.",
    });
    return;
  }
  refused(is.name, `${is.name} is another kind of type.`, `sends what ${is.name} was`);
}

function compareInputObjects(was: ApiInputObject, is: ApiInputObject, add: Add, refused: Refused): void {
  const before = new Map(was.fields.map((member) => [member.name, member]));
  const after = new Set(is.fields.map(({ name }) => name));
  for (const { name } of was.fields) {
    if (!after.has(name))
      refused(`${is.name}.${name}`, `${is.name} has no ${name} any more.`, `sends ${name}`);
  }
  for (const member of is.fields) {
    const coordinate = `${is.name}.${member.name}`;
    const old = before.get(member.name);
    if (old === undefined && isRequired(member.type) && member.defaultValue === null) {
      refused(coordinate, `${coordinate} is required now.`, `leaves ${member.name} out`);
    }
    const [from, to] = [old?.defaultValue ?? null, member.defaultValue];
    if (from !== to) {
      add({
        impact: "changes-meaning",
        coordinates: [coordinate],
        ...describeDefault(coordinate, from, to, null),
      });
    }
    if (old !== undefined && old.type !== member.type) compareMember(coordinate, old, member, add, refused);
  }
  if (is.oneOf === true && was.oneOf !== true) {
    refused(is.name, `${is.name} takes exactly one member now.`, "sends several members or a null");
  }
}

function compareMember(
  coordinate: string,
  { type: was }: ApiInputValue,
  { name, type: is }: ApiInputValue,
  add: Add,
  refused: Refused,
): void {
  const { renamed, reshaped, tightened } = describeTypeChange(was, is);
  const message = `${coordinate} was ${was} and is ${is}.`;
  // A single value stands for a list of it; a list for no single value.
  const flattened = reshaped && depthOf(is) < depthOf(was);
  if (renamed || flattened || tightened) {
    refused(coordinate, message, `sends ${name} as ${was}`);
  } else {
    add({
      impact: "changes-type",
      coordinates: [coordinate],
      message,
      fix: "run `lockflow generate`: what was sent may still be sent.",
    });
  }
}

function depthOf(type: string): number {
  return type.split("[").length;
}

function namedTypeOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedTypeOf(type.type);
}
