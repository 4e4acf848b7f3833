import {
  type ASTNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
  Kind,
  type NameNode,
  type ObjectValueNode,
  type OperationDefinitionNode,
} from "graphql";
import { type ApiInputValue, isRequired } from "../../dialects/api-schema.ts";
import type { IndexedSchema } from "../indexed-schema.ts";
import { type Effect, effectAt } from "./effect.ts";
import { findPlaces, findRetyped, type InputPlace, type NodePlace } from "./find-places.ts";

type OperationDocument = { readonly document: DocumentNode; readonly operation: OperationDefinitionNode };

/** Describes validation errors of `schema`. The `other` schema, in which the operation is valid, explains its nodes. */
export function describeErrors(
  errors: readonly GraphQLError[],
  { document, operation }: OperationDocument,
  { schema, other }: { readonly schema: IndexedSchema; readonly other: IndexedSchema },
): Effect[] {
  const kind = operation.operation;
  // Validation skips an operation whose root does not exist.
  if (schema.root(kind) === null) {
    const fix =
      kind === "subscription"
        ? "repeat a query at intervals instead."
        : "remove the operation: the schema cannot answer it.";
    const message = `The schema has no ${kind}s.`;
    return [effectAt(operation, { impact: "broken", coordinates: [kind], path: "", message, fix })];
  }
  if (errors.length === 0) return [];
  const places = findPlaces(document, new Set(errors.flatMap(({ nodes = [] }) => nodes)), other);
  return errors.map((error) => {
    const { node, coordinates, path, fix } = causeOf(error, places, schema);
    return effectAt(node ?? error.nodes?.[0] ?? operation, {
      impact: "broken",
      // An error without a coordinate is about the whole operation.
      coordinates: coordinates.length > 0 ? coordinates : [kind],
      path,
      message: error.message,
      fix,
    });
  });
}

/** The cause of a validation error. If `node` is null, the error's first node is reported. */
type ErrorCause = Pick<Effect, "coordinates" | "path" | "fix"> & { readonly node: ASTNode | null };

type Places = ReadonlyMap<ASTNode, NodePlace>;

/** Finds the cause of an error. An error does not name its rule, but its node and the two schemas imply it. */
function causeOf({ nodes = [] }: GraphQLError, places: Places, schema: IndexedSchema): ErrorCause {
  const [node = null, second] = nodes;
  const fields = nodes.filter((other) => other.kind === Kind.FIELD);
  if (fields.length > 1) return causeOfConflict(fields, places, schema);
  // For a variable of the wrong type, the first node is its definition and the second its use.
  const at = node && places.get(second?.kind === Kind.VARIABLE ? second : node);
  if (!node || !at) return { node, coordinates: [], path: "", fix: "correct the operation." };
  return { node, path: at.path, ...causeAt(node, at, schema) };
}

type Cause = Pick<ErrorCause, "coordinates" | "fix">;

function causeAt(node: ASTNode, at: NodePlace, schema: IndexedSchema): Cause {
  switch (node.kind) {
    case Kind.FIELD:
      return causeAtField(node, at, schema);
    case Kind.DIRECTIVE:
      return causeAtDirective(node, schema);
    case Kind.INLINE_FRAGMENT:
      return causeAtSpread(node.typeCondition?.name.value, at, schema);
    case Kind.FRAGMENT_SPREAD:
      return causeAtSpread(undefined, at, schema);
    case Kind.NAMED_TYPE: {
      const name = node.name.value;
      return { coordinates: [name], fix: `remove what uses ${name}, or use another type.` };
    }
    case Kind.VARIABLE_DEFINITION: {
      const position = at.inputs.at(-1);
      const type = position?.find(schema)?.type;
      const name = node.variable.name.value;
      return {
        coordinates: position ? [position.coordinate] : [],
        fix: type === undefined ? `remove $${name}.` : `declare $${name} as ${type}.`,
      };
    }
    case Kind.ARGUMENT:
    case Kind.OBJECT_FIELD:
      return causeAtInput(node.name.value, at, schema);
    case Kind.OBJECT:
      return causeAtObject(node, at, schema);
    case Kind.ENUM:
      return causeAtValue(at, schema, node.value);
    default:
      return causeAtValue(at, schema, null);
  }
}

function causeAtField(node: FieldNode, at: NodePlace, schema: IndexedSchema): Cause {
  const place = at.fields.at(-1);
  const field = place?.find(schema);
  const around = findRetyped(at.fields.slice(0, -1), schema);
  const name = node.name.value;
  const coordinate = place?.coordinate ?? name;
  // A field around it has another type, which may not have this field.
  const parentIsGone = at.parent !== null && schema.types.get(at.parent) === undefined;
  if (around !== undefined && (parentIsGone || field?.type === place?.type)) {
    const fix = `select fields of the new type of ${around.coordinate}.`;
    return { coordinates: [around.coordinate], fix };
  }
  if (field === undefined) {
    const fix = `remove "${name}" from the selection, or select its replacement.`;
    return { coordinates: [coordinate], fix };
  }
  const missing = missingInputs(field.args, node.arguments ?? []);
  if (missing.length > 0) return requiredNow(missing, (argument) => `${coordinate}(${argument}:)`);
  return {
    coordinates: [coordinate],
    fix: node.selectionSet
      ? `remove the selection of "${name}": it has no fields any more.`
      : `select fields of "${name}": it has some now.`,
  };
}

function causeAtDirective(node: DirectiveNode, schema: IndexedSchema): Cause {
  const coordinate = `@${node.name.value}`;
  const missing = missingInputs(schema.directive(node.name.value)?.args ?? [], node.arguments ?? []);
  if (missing.length > 0) return requiredNow(missing, (argument) => `${coordinate}(${argument}:)`);
  return { coordinates: [coordinate], fix: `remove ${coordinate} here.` };
}

function causeAtSpread(condition: string | undefined, at: NodePlace, schema: IndexedSchema): Cause {
  const around = findRetyped(at.fields, schema);
  const types = [at.parent, condition].filter((name) => name != null);
  const fix = `remove the fragment: it can never match within ${at.parent}.`;
  return { coordinates: around ? [around.coordinate] : types, fix };
}

function causeAtInput(name: string, at: NodePlace, schema: IndexedSchema): Cause {
  const place = at.inputs.at(-1);
  const around = place?.find(schema) ? findRetyped(at.inputs.slice(0, -1), schema) : undefined;
  const cause = around ?? place;
  return {
    coordinates: cause ? [cause.coordinate] : [],
    fix: `remove "${name}", or send its replacement.`,
  };
}

function causeAtObject(node: ObjectValueNode, at: NodePlace, schema: IndexedSchema): Cause {
  const type = at.inputType === null ? undefined : schema.types.get(at.inputType);
  if (findRetyped(at.inputs, schema) || type?.kind !== "INPUT_OBJECT") return causeAtValue(at, schema, null);
  const missing = missingInputs(type.fields, node.fields);
  if (missing.length > 0) return requiredNow(missing, (member) => `${type.name}.${member}`);
  return { coordinates: [type.name], fix: "send exactly one member that is not null." };
}

function causeAtValue(at: NodePlace, schema: IndexedSchema, enumValue: string | null): Cause {
  const type = at.inputType === null ? undefined : schema.types.get(at.inputType);
  const isRemoved = type?.kind === "ENUM" && !type.values.some(({ name }) => name === enumValue);
  const retyped = findRetyped(at.inputs, schema);
  if (enumValue !== null && type && isRemoved && !retyped) {
    const fix = `send another value of ${type.name} instead of ${enumValue}.`;
    return { coordinates: [`${type.name}.${enumValue}`], fix };
  }
  const position: InputPlace | undefined = retyped ?? at.inputs.at(-1);
  const coordinate = position?.coordinate ?? at.inputType;
  const expected = position?.find(schema)?.type;
  return {
    coordinates: coordinate === null ? [] : [coordinate],
    fix: expected === undefined ? "send another value." : `send a value of type ${expected}.`,
  };
}

/** Finds the cause of two selections that cannot be merged: the ones whose types changed. */
function causeOfConflict(fields: readonly FieldNode[], places: Places, schema: IndexedSchema): ErrorCause {
  const all = fields.flatMap((node) => {
    const at = places.get(node);
    const place = at?.fields.at(-1);
    return at && place ? [{ node, at, place }] : [];
  });
  const changed = all.filter(({ place }) => place.find(schema)?.type !== place.type);
  const reported = changed.length > 0 ? changed : all;
  const [first] = reported;
  return {
    node: first?.node ?? null,
    path: first?.at.path ?? "",
    coordinates: [...new Set(reported.map(({ place }) => place.coordinate))],
    fix: "give one of the two selections an alias: they are of different types now.",
  };
}

function missingInputs(
  inputs: readonly ApiInputValue[],
  sent: readonly { readonly name: NameNode }[],
): ApiInputValue[] {
  return inputs.filter(
    ({ name, type, defaultValue }) =>
      isRequired(type) && defaultValue === null && !sent.some((input) => input.name.value === name),
  );
}

function requiredNow(missing: readonly ApiInputValue[], coordinateOf: (name: string) => string): Cause {
  return {
    coordinates: missing.map(({ name }) => coordinateOf(name)),
    fix: `send ${missing.map(({ name, type }) => `"${name}" (${type})`).join(", ")}.`,
  };
}
