import {
  type DocumentNode,
  type FieldNode,
  type FragmentSpreadNode,
  type InlineFragmentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { type ApiEnum, type ApiField, type ApiType, baseTypeName } from "../../dialects/api-schema.ts";
import type { Severity } from "../../report/finding.ts";
import { judgeAnswerType } from "../severity-rules.ts";
import { type Effect, effectAt, MOST_EFFECTS, type SchemaPair } from "./effect.ts";
import { findInputEffects } from "./find-input-effects.ts";

/** Finds the effects on answers. Walks the selection in both schemas at once; validation reports fields that only one has. */
export function findAnswerEffects(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  pair: SchemaPair,
): Effect[] {
  const { before, after } = pair;
  const definitions = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const fragments = new Map(definitions.map((node) => [node.name.value, node]));
  const variables = operation.variableDefinitions ?? [];
  const effects: Effect[] = [];
  const walked = new Set<string>();

  function walk(set: SelectionSetNode, site: Site): void {
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) walkField(node, site);
      else walkFragment(node, site);
    }
  }

  function walkFragment(node: InlineFragmentNode | FragmentSpreadNode, site: Site): void {
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
    if (fragment === undefined) return;
    const condition = fragment.typeCondition?.name.value;
    const inner = condition === undefined ? site : narrow(site, condition);
    if (condition !== undefined) effects.push(...compareReach(node, { outer: site, inner }, condition));
    if (node.kind === Kind.FRAGMENT_SPREAD) {
      // A fragment that is spread on the same types again has the same effects.
      const types = [inner.was, ...inner.wasPossibly, "|", inner.is, ...inner.isPossibly];
      const key = `${node.name.value} ${types.join(" ")}`;
      if (walked.has(key)) return;
      walked.add(key);
    }
    walk(fragment.selectionSet, inner);
  }

  function narrow(site: Site, condition: string): Site {
    return {
      ...site,
      was: condition,
      is: condition,
      wasPossibly: intersect(site.wasPossibly, before.possibleTypes(condition)),
      isPossibly: intersect(site.isPossibly, after.possibleTypes(condition)),
    };
  }

  function walkField(node: FieldNode, site: Site): void {
    const name = node.name.value;
    const path = [...site.path, (node.alias ?? node.name).value];
    if (name === "__typename") {
      // Changes of other types are reported at the fields that return them.
      if (site.path.length === 0 && site.was !== site.is) effects.push(describeRoot(node, site));
      return;
    }
    const was = before.field(site.was, name);
    const is = after.field(site.is, name);
    if (was === undefined || is === undefined) return;
    const coordinate = `${site.was}.${name}`;
    const at = { node, path: path.join(".") };
    effects.push(
      ...compareAnswers(at, { coordinate, was: was.type, is: is.type }, pair),
      ...compareConcreteAnswers(at, site, { was, is }),
      ...findInputEffects(
        node,
        { owner: coordinate, before: was.args, after: is.args },
        { before, after, variables, path: at.path },
      ),
    );
    if (is.deprecationReason !== null && was.deprecationReason === null) {
      effects.push(
        effectAt(node, {
          impact: "deprecated",
          coordinates: [coordinate],
          path: at.path,
          message: `${coordinate} is deprecated: ${is.deprecationReason}`,
          fix: `select the replacement of "${name}" before it is removed.`,
        }),
      );
    }
    if (!node.selectionSet) return;
    const [typeBefore, typeAfter] = [baseTypeName(was.type), baseTypeName(is.type)];
    walk(node.selectionSet, {
      was: typeBefore,
      is: typeAfter,
      wasPossibly: before.possibleTypes(typeBefore),
      isPossibly: after.possibleTypes(typeAfter),
      path,
    });
  }

  /** Compares the field in each implementer of an interface, because answers have the implementers' types. */
  function compareConcreteAnswers(
    at: AnswerPlace,
    site: Site,
    field: { readonly was: ApiField; readonly is: ApiField },
  ): Effect[] {
    const { name } = field.was;
    return [...site.wasPossibly].flatMap((object) => {
      if (object === site.was || !site.isPossibly.has(object)) return [];
      const [was, is] = [before.field(object, name)?.type, after.field(object, name)?.type];
      if (was === undefined || is === undefined || was === is) return [];
      // Already reported for the interface.
      if (was === field.was.type && is === field.is.type) return [];
      return compareAnswers(at, { coordinate: `${object}.${name}`, was, is }, pair);
    });
  }

  const [was, is] = [before.root(operation.operation), after.root(operation.operation)];
  if (was === null || is === null) return [];
  walk(operation.selectionSet, {
    was,
    is,
    wasPossibly: new Set([was]),
    isPossibly: new Set([is]),
    path: [],
  });
  return effects;
}

type AnswerPlace = { readonly node: FieldNode; readonly path: string };

/** The types at one level of the selection, in both schemas. */
type Site = {
  readonly was: string;
  readonly is: string;
  /** The possible object types here, limited by the fragments around it. */
  readonly wasPossibly: ReadonlySet<string>;
  readonly isPossibly: ReadonlySet<string>;
  readonly path: readonly string[];
};

/** Finds possible objects that a fragment applies to in only one of the schemas. */
function compareReach(
  node: InlineFragmentNode | FragmentSpreadNode,
  { outer, inner }: { readonly outer: Site; readonly inner: Site },
  condition: string,
): Effect[] {
  return [...outer.wasPossibly].flatMap((object) => {
    if (!outer.isPossibly.has(object)) return [];
    const [was, is] = [inner.wasPossibly.has(object), inner.isPossibly.has(object)];
    if (was === is) return [];
    return [
      effectAt(node, {
        impact: "changes-type",
        // Typed code still reads fields that are no longer returned.
        severity: is ? "risky" : "breaking",
        coordinates: [object, condition],
        path: outer.path.join("."),
        message: `The fields selected on ${condition} are ${is ? "returned" : "no longer returned"} for ${object}.`,
        fix: `check code that reads these fields of ${object}, and generate the types again.`,
      }),
    ];
  });
}

function describeRoot(node: FieldNode, { was, is }: Site): Effect {
  return effectAt(node, {
    impact: "changes-type",
    severity: "risky",
    coordinates: [was],
    path: (node.alias ?? node.name).value,
    message: `The root was called ${was} and is called ${is}.`,
    fix: "do not compare `__typename` of the root, and generate the types again.",
  });
}

function intersect(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  return new Set([...few].filter((name) => many.has(name)));
}

/** Finds changes of the type of a selected field, or of the values that the type allows. */
function compareAnswers(
  { node, path }: AnswerPlace,
  { coordinate, was, is }: { readonly coordinate: string; readonly was: string; readonly is: string },
  { before, after, exhaustiveEnums }: SchemaPair,
): Effect[] {
  const effects: Effect[] = [];
  const generate = `generate the types again, and fix what the compiler reports where \`${path}\` is used.`;
  const add = (facts: {
    severity: Severity;
    coordinates: readonly string[];
    message: string;
    fix?: string;
  }) => effects.push(effectAt(node, { impact: "changes-type", path, fix: generate, ...facts }));
  if (was !== is) {
    const severity = judgeAnswerType(was, is, after.possibleTypes);
    add({ severity, coordinates: [coordinate], message: `${coordinate} was ${was} and is ${is}.` });
  }
  const name = baseTypeName(was);
  if (name !== baseTypeName(is)) return effects;
  const [typeBefore, typeAfter] = [before.types.get(name), after.types.get(name)];
  if (typeBefore === undefined || typeAfter === undefined) return effects;
  if (typeBefore.kind !== typeAfter.kind) {
    const severity = isLeaf(typeBefore) && isLeaf(typeAfter) ? "risky" : "breaking";
    const [from, to] = [NOUNS[typeBefore.kind], NOUNS[typeAfter.kind]];
    const message = `${coordinate} is ${name}, which was ${from} and is ${to}.`;
    add({ severity, coordinates: [name], message });
  }
  const describe = ({ name: value, isAdded }: NameChange, noun: "" | "of type ") => ({
    message: `${coordinate} ${isAdded ? "can be" : "is never"} ${noun}${value} now (${name}).`,
    fix: isAdded
      ? `handle ${value} where \`${path}\` is used, and generate the types again.`
      : `generate the types again; code that handles ${value} where \`${path}\` is used can be removed.`,
  });
  if (typeBefore.kind === "ENUM" && typeAfter.kind === "ENUM") {
    const namesOf = ({ values }: ApiEnum) => new Set(values.map((value) => value.name));
    for (const value of difference(namesOf(typeBefore), namesOf(typeAfter))) {
      // A removed value breaks no reader: it just never occurs.
      const severity = value.isAdded && exhaustiveEnums ? "breaking" : "risky";
      add({ severity, coordinates: [`${name}.${value.name}`], ...describe(value, "") });
    }
  }
  if (isAbstract(typeBefore) || isAbstract(typeAfter)) {
    for (const object of difference(before.possibleTypes(name), after.possibleTypes(name))) {
      add({ severity: "risky", coordinates: [name, object.name], ...describe(object, "of type ") });
    }
  }
  return effects;
}

const NOUNS = {
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

type NameChange = { readonly name: string; readonly isAdded: boolean };

function difference(before: ReadonlySet<string>, after: ReadonlySet<string>): NameChange[] {
  const missingIn = (names: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...others].filter((name) => !names.has(name)).slice(0, MOST_EFFECTS);
  return [
    ...missingIn(before, after).map((name) => ({ name, isAdded: true })),
    ...missingIn(after, before).map((name) => ({ name, isAdded: false })),
  ];
}
