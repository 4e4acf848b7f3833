import { Kind, type OperationDefinitionNode, type TypeNode, type VariableDefinitionNode } from "graphql";
import { cached } from "../../base/collections.ts";
import {
  type ApiInputObject,
  type ApiInputValue,
  type ApiType,
  baseTypeName,
  isRequired,
} from "../../dialects/api-schema.ts";
import { describeTypeChange, listDepth } from "../severity-rules.ts";
import {
  describeDefault,
  type Effect,
  effectAt,
  type InputDifference,
  type InputTypeChange,
  MOST_EFFECTS,
  type SchemaPair,
} from "./effect.ts";

/** Finds changes of the values that callers can send through a variable, at any depth. */
export function findVariableEffects(operation: OperationDefinitionNode, pair: SchemaPair): Effect[] {
  return (operation.variableDefinitions ?? []).flatMap((variable) => findEffectsOf(variable, pair));
}

function findEffectsOf(variable: VariableDefinitionNode, pair: SchemaPair): Effect[] {
  const name = `$${variable.variable.name.value}`;
  const changes = cached(pair.inputChanges, namedTypeOf(variable.type), (type) => walkInputType(type, pair));
  const chosen = [true, false].flatMap((isRisk) =>
    changes.filter(({ facts }) => (facts.impact === "at-risk") === isRisk).slice(0, MOST_EFFECTS),
  );
  return chosen.map(({ path, facts, avoid }) => {
    const at = [name, ...shorten(path)].join(".");
    const fix =
      avoid === null
        ? facts.fix
        : `make sure that no caller ${avoid} through ${at}, and generate the types again.`;
    return effectAt(variable, { ...facts, path: at, message: `${at}: ${facts.message}`, fix });
  });
}

/** Shortens a long path to its two ends. Filters refer to each other, so paths can be as long as the chain of entities. */
function shorten(path: readonly string[]): readonly string[] {
  return path.length <= LONGEST_PATH ? path : [...path.slice(0, 2), "…", ...path.slice(-2)];
}

const LONGEST_PATH = 5;

function namedTypeOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedTypeOf(type.type);
}

/** Returns the changes of a type and all types that it refers to, nearest first. Filters refer to each other in cycles. */
function walkInputType(start: string, { before, after }: SchemaPair): readonly InputTypeChange[] {
  const changes: InputTypeChange[] = [];
  const ways = new Map<string, readonly string[]>([[start, []]]);
  // The loop also visits entries that are added during it.
  for (const [name, path] of ways) {
    const [was, is] = [before.types.get(name), after.types.get(name)];
    // A removed type is reported by validation, or at the member that referred to it.
    if (was === undefined || is === undefined) continue;
    for (const change of compareInputTypes(was, is)) changes.push({ ...change, path });
    if (was.kind !== "INPUT_OBJECT" || is.kind !== "INPUT_OBJECT") continue;
    const members = new Map(was.fields.map((member) => [member.name, baseTypeName(member.type)]));
    for (const member of is.fields) {
      const inner = baseTypeName(member.type);
      if (members.get(member.name) === inner && !ways.has(inner)) ways.set(inner, [...path, member.name]);
    }
  }
  return changes;
}

/** Compares the members and values of one input type, without nested types. */
function compareInputTypes(was: ApiType, is: ApiType): InputDifference[] {
  if (was.kind === "ENUM" && is.kind === "SCALAR") {
    const message = `${is.name} was an enum and is a scalar.`;
    const fix = "generate the types again: the schema does not list its values any more.";
    return [retyped(is.name, message, { severity: "risky", fix })];
  }
  if (was.kind !== is.kind) {
    return [refused(is.name, `${is.name} is another kind of type.`, `sends the old kind of ${is.name}`)];
  }
  if (was.kind === "ENUM" && is.kind === "ENUM") return findRemoved(is.name, was.values, is.values);
  return was.kind === "INPUT_OBJECT" && is.kind === "INPUT_OBJECT" ? compareInputObjects(was, is) : [];
}

/** Finds removed members or values. Added ones do not change existing callers. */
function findRemoved(type: string, before: readonly Named[], after: readonly Named[]): InputDifference[] {
  const names = new Set(after.map(({ name }) => name));
  return before
    .filter(({ name }) => !names.has(name))
    .map(({ name }) => refused(`${type}.${name}`, `${type} has no ${name} any more.`, `sends ${name}`));
}

type Named = { readonly name: string };

function compareInputObjects(was: ApiInputObject, is: ApiInputObject): InputDifference[] {
  const before = new Map(was.fields.map((member) => [member.name, member]));
  const changes = findRemoved(is.name, was.fields, is.fields);
  for (const member of is.fields) {
    const coordinate = `${is.name}.${member.name}`;
    const old = before.get(member.name);
    if (old === undefined && isRequired(member.type) && member.defaultValue === null) {
      changes.push(refused(coordinate, `${coordinate} is required now.`, `leaves ${member.name} out`));
    }
    const [from, to] = [old?.defaultValue ?? null, member.defaultValue];
    if (from !== to) {
      const described = describeDefault(coordinate, { from, to }, null);
      const facts = { impact: "changes-meaning", coordinates: [coordinate], path: "", ...described } as const;
      changes.push({ facts, avoid: null });
    }
    if (old !== undefined && old.type !== member.type) changes.push(compareMember(coordinate, old, member));
  }
  if (is.oneOf === true && was.oneOf !== true) {
    changes.push(
      refused(is.name, `${is.name} must have exactly one member now.`, "sends several members or a null"),
    );
  }
  return changes;
}

function compareMember(
  coordinate: string,
  { type: was }: ApiInputValue,
  { name, type: is }: ApiInputValue,
): InputDifference {
  const { renamed, reshaped, tightened } = describeTypeChange(was, is);
  const message = `${coordinate} was ${was} and is ${is}.`;
  // GraphQL accepts a single value as a list of one, but not a list as a single value.
  const flattened = reshaped && listDepth(is) < listDepth(was);
  if (renamed || flattened || tightened) return refused(coordinate, message, `sends ${name} as ${was}`);
  const fix = "generate the types again: existing values are still valid.";
  return retyped(coordinate, message, { severity: "additive", fix });
}

function refused(coordinate: string, message: string, avoid: string): InputDifference {
  return { facts: { impact: "at-risk", coordinates: [coordinate], path: "", message, fix: "" }, avoid };
}

function retyped(
  coordinate: string,
  message: string,
  facts: Pick<Effect, "severity" | "fix">,
): InputDifference {
  return {
    facts: { impact: "changes-type", coordinates: [coordinate], path: "", message, ...facts },
    avoid: null,
  };
}
