import { once } from "../base/once.ts";
import { baseTypeName } from "../base/type-expression.ts";
import type { ApiSchema, ApiType } from "../schema/api-schema.ts";

/** Which types of a schema a client can meet, and on which way. */
export type TypePositions = {
  /** In an answer. */
  readonly isOutput: (type: string) => boolean;
  /** In an argument or a variable. */
  readonly isInput: (type: string) => boolean;
};

/**
 * Finds the types a client can meet, going from the roots. It goes no further than it is asked for: large schemas
 * have most of their types in arguments, and most of what is asked is an argument of a root.
 */
export function createTypePositions(schema: ApiSchema): TypePositions {
  const index = once(() => ({ types: indexTypes(schema), possible: findPossibleTypes(schema) }));
  const outputs = createWalk(walkOutputs(schema, index));
  const inputs = createWalk(walkInputs(schema, index));
  return { isOutput: outputs, isInput: inputs };
}

/** Finds the types that can stand where an interface or union does. */
export function findPossibleTypes({ types }: ApiSchema): Map<string, Set<string>> {
  const possible = new Map<string, Set<string>>();
  const add = (abstract: string, concrete: string) => {
    const found = possible.get(abstract);
    if (found) found.add(concrete);
    else possible.set(abstract, new Set([concrete]));
  };
  for (const type of types) {
    if (type.kind === "OBJECT" || type.kind === "INTERFACE") {
      for (const name of type.interfaces) add(name, type.name);
    }
    if (type.kind === "UNION") for (const name of type.possibleTypes) add(type.name, name);
  }
  return possible;
}

type Index = {
  readonly types: ReadonlyMap<string, ApiType>;
  readonly possible: ReadonlyMap<string, ReadonlySet<string>>;
};

function indexTypes({ types }: ApiSchema): Map<string, ApiType> {
  const index = new Map<string, ApiType>();
  for (const type of types) index.set(type.name, type);
  return index;
}

/** Asks a walk whether it comes by a name, and lets it go on until it does. */
function createWalk(walk: Iterator<string, void>): (name: string) => boolean {
  const met = new Set<string>();
  return (name) => {
    if (met.has(name)) return true;
    for (let next = walk.next(); !next.done; next = walk.next()) {
      met.add(next.value);
      if (next.value === name) return true;
    }
    return false;
  };
}

function* walkOutputs(schema: ApiSchema, index: () => Index): Generator<string, void> {
  const { types, possible } = index();
  const seen = new Set<string>();
  const follow = createFollow();
  const rest = [schema.subscriptionType, schema.mutationType, schema.queryType].filter(
    (name) => name !== null,
  );
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    yield name;
    // What implements an interface can be met through it, and what it implements can be spread on.
    for (const other of possible.get(name) ?? []) rest.push(other);
    const type = types.get(name);
    if (type?.kind !== "OBJECT" && type?.kind !== "INTERFACE") continue;
    for (const other of type.interfaces) rest.push(other);
    for (const field of type.fields) follow(field.type, rest);
  }
}

function* walkInputs(schema: ApiSchema, index: () => Index): Generator<string, void> {
  const { types } = index();
  const seen = new Set<string>();
  const follow = createFollow();
  const rest: string[] = [];
  let told = 0;
  for (const directive of schema.directives) for (const arg of directive.args) follow(arg.type, rest);
  for (const output of walkOutputs(schema, index)) {
    const type = types.get(output);
    if (type?.kind !== "OBJECT" && type?.kind !== "INTERFACE") continue;
    for (const field of type.fields) for (const arg of field.args) follow(arg.type, rest);
    // The arguments themselves first; what they are made of when nothing else is left.
    for (; told < rest.length; told++) yield rest[told] ?? "";
  }
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    yield name;
    const type = types.get(name);
    if (type?.kind === "INPUT_OBJECT") for (const field of type.fields) follow(field.type, rest);
  }
}

/** A large schema has few type expressions, each many times. */
function createFollow(): (type: string, into: string[]) => void {
  const seen = new Set<string>();
  return (type, into) => {
    if (seen.has(type)) return;
    seen.add(type);
    into.push(baseTypeName(type));
  };
}
