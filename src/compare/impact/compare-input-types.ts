import { isRequired } from "../../base/type-expression.ts";
import type { ApiEnum, ApiInputObject, ApiInputValue, ApiType } from "../../schema/api-schema.ts";
import { describeTypeChange } from "../type-change.ts";
import { describeDefault } from "./describe-default.ts";
import type { EffectFacts } from "./effect.ts";

/** What changed for those who send values of a type. */
export type InputTypeChange = {
  readonly facts: EffectFacts;
  /** What callers must not do any more, where something they may send is refused; else null. */
  readonly avoid: string | null;
};

/** Compares what may be sent as a type before and after, its own members and values only. */
export function compareInputTypes(was: ApiType, is: ApiType): InputTypeChange[] {
  if (was.kind !== is.kind) return [compareKinds(was, is)];
  if (was.kind === "ENUM" && is.kind === "ENUM") return compareEnums(was, is);
  return was.kind === "INPUT_OBJECT" && is.kind === "INPUT_OBJECT" ? compareInputObjects(was, is) : [];
}

function compareKinds(was: ApiType, is: ApiType): InputTypeChange {
  if (was.kind === "ENUM" && is.kind === "SCALAR") {
    const message = `${is.name} was an enum and is a scalar.`;
    return retyped("risky", is.name, message, "run `lockflow generate`: its values are not known any more.");
  }
  return refused(is.name, `${is.name} is another kind of type.`, `sends what ${is.name} was`);
}

function compareEnums(was: ApiEnum, is: ApiEnum): InputTypeChange[] {
  const values = new Set(is.values.map(({ name }) => name));
  // What may be sent in addition changes nothing for callers that do not.
  return was.values.flatMap(({ name }) => (values.has(name) ? [] : [gone(is.name, name)]));
}

function compareInputObjects(was: ApiInputObject, is: ApiInputObject): InputTypeChange[] {
  const before = new Map(was.fields.map((member) => [member.name, member]));
  const after = new Set(is.fields.map(({ name }) => name));
  const changes = was.fields.flatMap(({ name }) => (after.has(name) ? [] : [gone(is.name, name)]));
  for (const member of is.fields) {
    const coordinate = `${is.name}.${member.name}`;
    const old = before.get(member.name);
    if (old === undefined && isRequired(member.type) && member.defaultValue === null) {
      changes.push(refused(coordinate, `${coordinate} is required now.`, `leaves ${member.name} out`));
    }
    const [from, to] = [old?.defaultValue ?? null, member.defaultValue];
    if (from !== to) {
      const { message, fix } = describeDefault(coordinate, from, to, null);
      const facts = { impact: "changes-meaning", coordinates: [coordinate], path: "", message, fix } as const;
      changes.push({ facts, avoid: null });
    }
    if (old !== undefined && old.type !== member.type) changes.push(compareMember(coordinate, old, member));
  }
  if (is.oneOf === true && was.oneOf !== true) {
    changes.push(
      refused(is.name, `${is.name} takes exactly one member now.`, "sends several members or a null"),
    );
  }
  return changes;
}

function compareMember(
  coordinate: string,
  { type: was }: ApiInputValue,
  { name, type: is }: ApiInputValue,
): InputTypeChange {
  const { renamed, reshaped, tightened } = describeTypeChange(was, is);
  const message = `${coordinate} was ${was} and is ${is}.`;
  // A single value stands for a list of it; a list for no single value.
  const flattened = reshaped && depthOf(is) < depthOf(was);
  return renamed || flattened || tightened
    ? refused(coordinate, message, `sends ${name} as ${was}`)
    : retyped("additive", coordinate, message, "run `lockflow generate`: what was sent may still be sent.");
}

function gone(type: string, name: string): InputTypeChange {
  return refused(`${type}.${name}`, `${type} has no ${name} any more.`, `sends ${name}`);
}

function refused(coordinate: string, message: string, avoid: string): InputTypeChange {
  return { facts: { impact: "at-risk", coordinates: [coordinate], path: "", message, fix: "" }, avoid };
}

function retyped(
  severity: "risky" | "additive",
  coordinate: string,
  message: string,
  fix: string,
): InputTypeChange {
  return {
    facts: { impact: "changes-type", severity, coordinates: [coordinate], path: "", message, fix },
    avoid: null,
  };
}

function depthOf(type: string): number {
  return type.split("[").length;
}
