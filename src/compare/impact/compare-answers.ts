import type { FieldNode } from "graphql";
import { baseTypeName } from "../../base/type-expression.ts";
import type { Severity } from "../../report/finding.ts";
import type { ApiType } from "../../schema/api-schema.ts";
import { judgeAnswerType } from "../type-change.ts";
import { type Effect, effectAt, MOST_EFFECTS, type SchemaPair } from "./effect.ts";

/** Finds how the answer of a selected field is of another type, or can be something else of the same type. */
export function compareAnswers(
  { node, path }: { readonly node: FieldNode; readonly path: string },
  coordinate: string,
  was: string,
  is: string,
  { before, after, exhaustiveEnums }: SchemaPair,
): Effect[] {
  const effects: Effect[] = [];
  const generate = `run \`lockflow generate\`, and see what the compiler says where \`${path}\` is used.`;
  const retyped = (severity: Severity, coordinates: readonly string[], message: string, fix = generate) =>
    effects.push(effectAt(node, { impact: "changes-type", severity, coordinates, path, message, fix }));
  if (was !== is) {
    const severity = judgeAnswerType(was, is, after.possibleTypes);
    retyped(severity, [coordinate], `${coordinate} was ${was} and is ${is}.`);
  }
  const name = baseTypeName(was);
  if (name !== baseTypeName(is)) return effects;
  const [typeBefore, typeAfter] = [before.types.get(name), after.types.get(name)];
  if (typeBefore === undefined || typeAfter === undefined) return effects;
  if (typeBefore.kind !== typeAfter.kind) {
    const severity = isLeaf(typeBefore) && isLeaf(typeAfter) ? "risky" : "breaking";
    const [from, to] = [CALLED[typeBefore.kind], CALLED[typeAfter.kind]];
    retyped(severity, [name], `${coordinate} is ${name}, which was ${from} and is ${to}.`);
  }
  const reach = (change: Reach, coordinates: readonly string[], what: string, severity: Severity) => {
    const message = `${coordinate} ${change.came ? "can be" : "is never"} ${what}${change.name} now (${name}).`;
    const fix = change.came
      ? `handle ${change.name} where \`${path}\` is used, and run \`lockflow generate\`.`
      : `run \`lockflow generate\`; nothing needs to handle ${change.name} where \`${path}\` is used.`;
    retyped(severity, coordinates, message, fix);
  };
  if (typeBefore.kind === "ENUM" && typeAfter.kind === "ENUM") {
    const [old, now] = [typeBefore, typeAfter].map(
      ({ values }) => new Set(values.map((value) => value.name)),
    );
    for (const value of difference(old, now)) {
      // Of a value that is gone no answer can be wrong: the case stops to occur.
      const severity = value.came && exhaustiveEnums ? "breaking" : "risky";
      reach(value, [`${name}.${value.name}`], "", severity);
    }
  }
  if (isAbstract(typeBefore) || isAbstract(typeAfter)) {
    for (const object of difference(before.possibleTypes(name), after.possibleTypes(name))) {
      reach(object, [name, object.name], "of type ", "risky");
    }
  }
  return effects;
}

const CALLED = {
  SCALAR: "a scalar",
  OBJECT: "an object type",
  INTERFACE: "an interface",
  UNION: "a union",
  ENUM: "an enum",
  INPUT_OBJECT: "an input object",
} as const satisfies Record<ApiType["kind"], string>;

function isLeaf({ kind }: ApiType): boolean {
  return kind === "ENUM" || kind === "SCALAR";
}

function isAbstract({ kind }: ApiType): boolean {
  return kind === "INTERFACE" || kind === "UNION";
}

/** A name that an answer can be now, or no longer. */
type Reach = { readonly name: string; readonly came: boolean };

function difference(
  before: ReadonlySet<string> = new Set(),
  after: ReadonlySet<string> = new Set(),
): Reach[] {
  const missingIn = (names: ReadonlySet<string>, others: ReadonlySet<string>, came: boolean) =>
    [...others].flatMap((name) => (names.has(name) ? [] : [{ name, came }])).slice(0, MOST_EFFECTS);
  return [...missingIn(before, after, true), ...missingIn(after, before, false)];
}
