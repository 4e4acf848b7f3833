import fc from "fast-check";
import {
  buildSchema,
  execute,
  type GraphQLAbstractType,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isListType,
  isObjectType,
  Kind,
  parse,
  visit,
} from "graphql";
import { describe, expect, it } from "vitest";
import { declareTypes } from "../../src/generate/declare-types.ts";
import type { TypeMember, TypeTree } from "../../src/generate/type-tree.ts";
import { prepareFrom } from "../support/generate-from.ts";
import { runs } from "../support/runs.ts";
import { RANDOM_SDL, randomOperations } from "./random-operations.ts";

const schema = buildSchema(RANDOM_SDL);

/** The types whose descriptions may apply to objects of the random schema: the objects and their interfaces. */
const SPEAKERS: Readonly<Record<string, readonly string[]>> = {
  Query: ["Query"],
  A: ["A", "Node", "Named"],
  B: ["B", "Node"],
  C: ["C", "Named"],
};

describe("the types of random operations", () => {
  it("match the results exactly, and each property has the description of its field", () => {
    fc.assert(
      fc.property(randomOperations(schema), (operations) => {
        const types = typesOf(operations);
        const result = types.get("QQuery") as TypeTree;
        const members = membersOf(result, types);
        const seen = { present: new Set<TypeMember>(), absent: new Set<TypeMember>() };
        const unseen = () =>
          members.flatMap((member) => [
            ...(seen.present.has(member) ? [] : [`${member.key} is never there`]),
            ...(seen.absent.has(member) || !member.key.endsWith("?")
              ? []
              : [`${member.key} is always there`]),
          ]);
        for (const [index, choose] of CHOICES.entries()) {
          if (index >= ALWAYS_TRIED && unseen().length === 0) break;
          const data = answer(operations, choose);
          expect(fits(data, result, types, seen), JSON.stringify(data)).toBe(true);
        }
        expect(unseen()).toEqual([]);
      }),
      { numRuns: runs(50) },
    );
  });

  it("are rejected by this comparison if they do not match", () => {
    const [choose] = CHOICES;
    const types = typesOf("query Q { a { id next { id } } }");
    const result = types.get("QQuery") as TypeTree;
    const fitting = (operations: string) => fits(answer(operations, choose as Choose), result, types);
    expect(fitting("query Q { a { id next { id } } }")).toBe(true);
    expect(fitting("query Q { a { id next { id } name } }")).toBe(false);
    expect(fitting("query Q { a { id } }")).toBe(false);
    expect(fitting("query Q { a { id next { id: __typename } } }")).toBe(true);
    expect(fitting("query Q { a { id: b { id } next { id } } }")).toBe(false);
  });
});

type Types = ReadonlyMap<string, TypeTree>;

function typesOf(operations: string): Types {
  const { documents } = prepareFrom({ sdl: RANDOM_SDL, operations });
  if (!documents) throw new Error("Nothing was prepared.");
  return new Map(declareTypes(documents).declarations.map(({ name, type }) => [name, type]));
}

/** Chooses the type of an object at a depth, counted in earlier choices, and the variables. */
type Choose = {
  readonly variables: { readonly f: boolean; readonly g: boolean };
  readonly pick: (from: readonly string[], depth: number) => string;
};

/** Number of choices for every operation; more are tried if members have not been seen. */
const ALWAYS_TRIED = 36;

/** The depth of nested objects whose types are chosen. */
const DEPTH = 6;

/** Every choice of one of three types at every depth, with all values of the variables. */
const CHOICES: readonly Choose[] = Array.from({ length: 3 ** DEPTH * 4 }, (_, run) => ({
  variables: { f: run % 2 === 0, g: run % 4 < 2 },
  pick: (from, depth) => from[(Math.floor(run / 4 / 3 ** depth) % 3) % from.length] ?? "",
}));

/** An object of an answer during execution. */
type Made = { readonly __typename: string; readonly depth: number };

/** The alias of __typename in every object. */
const TYPE_KEY = "type_0";

/** Executes an operation on generated objects. Lists have one object of every type, and each object has its type. */
function answer(operations: string, { variables, pick }: Choose): unknown {
  const make = (type: GraphQLOutputType, name: string, depth: number): unknown => {
    const nullable = getNullableType(type);
    if (isListType(nullable)) {
      const named = getNamedType(nullable);
      const names = isAbstractType(named) ? possibleNames(named) : [named.name];
      return names.map((each) => make(nullable.ofType, each, depth));
    }
    if (isEnumType(nullable)) return "X";
    if (isObjectType(nullable)) return { __typename: nullable.name, depth };
    if (!isAbstractType(nullable)) return "text";
    const names = possibleNames(nullable);
    return names.includes(name)
      ? { __typename: name, depth }
      : { __typename: pick(names, depth), depth: depth + 1 };
  };
  const fieldResolver: GraphQLFieldResolver<Made | undefined, unknown> = (parent, _, __, { returnType }) =>
    make(returnType, "", parent?.depth ?? 0);
  const document = visit(parse(operations), {
    SelectionSet: (node) => ({
      ...node,
      selections: [
        ...node.selections,
        {
          kind: Kind.FIELD,
          alias: { kind: Kind.NAME, value: TYPE_KEY },
          name: { kind: Kind.NAME, value: "__typename" },
        },
      ],
    }),
  });
  const executed = execute({
    schema,
    document,
    variableValues: variables,
    fieldResolver,
    typeResolver: (value: Made) => value.__typename,
  });
  if (executed instanceof Promise) throw new Error("Nothing takes its time here.");
  expect(executed.errors).toBeUndefined();
  return executed.data;
}

function possibleNames(type: GraphQLAbstractType): string[] {
  return schema.getPossibleTypes(type).map(({ name }) => name);
}

type Seen = { readonly present: Set<TypeMember>; readonly absent: Set<TypeMember> };

/** Returns whether a value matches a type exactly, and records present and absent members of matching types. */
function fits(value: unknown, type: TypeTree, types: Types, seen?: Seen): boolean {
  switch (type.kind) {
    case "array":
      return Array.isArray(value) && value.map((each) => fits(each, type.item, types, seen)).every(Boolean);
    case "union":
      return type.parts.map((part) => fits(value, part, types, seen)).some(Boolean);
    case "text": {
      const named = types.get(type.text);
      if (named) return fits(value, named, types, seen);
      if (type.text.startsWith('"')) return value === JSON.parse(type.text);
      if (type.text === "Record<PropertyKey, undefined>")
        return isObject(value) && keysOf(value).length === 0;
      return type.text === (value === null ? "null" : typeof value);
    }
    case "object":
    case "intersection": {
      if (!isObject(value)) return false;
      const members = ownMembers(type, types).map((member) => [member.key.replace("?", ""), member] as const);
      const keys = new Set(members.map(([key]) => key));
      const isFit =
        keysOf(value).every((key) => keys.has(key)) &&
        members.every(([key, member]) =>
          key in value
            ? speaksFor(member, String(value[TYPE_KEY])) && fits(value[key], member.type, types)
            : member.key.endsWith("?"),
        );
      if (isFit && seen) {
        for (const [key, member] of members) {
          seen[key in value ? "present" : "absent"].add(member);
          if (key in value) fits(value[key], member.type, types, seen);
        }
      }
      return isFit;
    }
  }
}

/** Returns the members of an object type, including those of its fragments. */
function ownMembers(type: TypeTree, types: Types): readonly TypeMember[] {
  if (type.kind === "object") return type.members;
  if (type.kind === "text") return ownMembers(types.get(type.text) as TypeTree, types);
  if (type.kind !== "intersection") throw new Error(`A ${type.kind} has no members.`);
  const shared = type.names.flatMap((name) => ownMembers(types.get(name) as TypeTree, types));
  return [...shared, ...type.rest.members];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function keysOf(value: object): string[] {
  return Object.keys(value).filter((key) => key !== TYPE_KEY);
}

/** Returns whether the description of a member is that of its field in objects of a type. */
function speaksFor({ key, doc, type }: TypeMember, object: string): boolean {
  if (doc === null) return type.kind === "text" && type.text.startsWith('"');
  const [speaker = "", field = ""] = doc.description?.split(".") ?? [];
  return SPEAKERS[object]?.includes(speaker) === true && field === key.replace("?", "").replace(/_\d$/, "");
}

function membersOf(type: TypeTree, types: Types): TypeMember[] {
  switch (type.kind) {
    case "array":
      return membersOf(type.item, types);
    case "union":
      return type.parts.flatMap((part) => membersOf(part, types));
    case "text":
      return types.has(type.text) ? membersOf(types.get(type.text) as TypeTree, types) : [];
    case "object":
    case "intersection":
      return ownMembers(type, types).flatMap((member) => [member, ...membersOf(member.type, types)]);
  }
}
