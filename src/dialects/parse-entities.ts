import {
  type ConstArgumentNode,
  type ConstDirectiveNode,
  type DefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  type StringValueNode,
} from "graphql";
import { SchemaError } from "../base/errors.ts";
import type {
  Aggregation,
  Definition,
  Described,
  DirectiveDefinition,
  Entity,
  EntityField,
  EntityModel,
  EntityStorage,
  FulltextDefinition,
  IdleType,
  InputValue,
} from "./entity-model.ts";
import {
  argumentOf,
  findDirective,
  listArgument,
  memberOf,
  parseDocument,
  stringArgument,
  typeExpression,
} from "./parse-sdl.ts";
import { MOST_TYPES } from "./validate-schema.ts";
import { printValue } from "./values.ts";

/**
 * Parses an entity SDL. It does not check the rules of a platform.
 *
 * @param place the name of the text in errors.
 * @throws SchemaError for a syntax error, a reserved name, and a text that is too large.
 */
export function parseEntities(text: string, place: string): EntityModel {
  const definitions: Definition[] = [];
  const directives: DirectiveDefinition[] = [];
  const idle: IdleType[] = [];
  requireEntitySize(text.length, "characters", place);
  const document = parseDocument(text, place, { locations: true });
  requireEntitySize(document.definitions.length, "definitions", place);
  for (const node of document.definitions) {
    requireTypeDefinition(node, place);
    switch (node.kind) {
      case Kind.OBJECT_TYPE_DEFINITION:
        if (node.name.value === "_Schema_") definitions.push(...fulltextDefinitions(node));
        else definitions.push(objectDefinition(node));
        break;
      case Kind.INTERFACE_TYPE_DEFINITION:
        definitions.push({
          kind: "interface",
          ...named(node),
          fields: (node.fields ?? []).map(entityField),
        });
        break;
      case Kind.ENUM_TYPE_DEFINITION:
        definitions.push({ kind: "enum", ...named(node), values: (node.values ?? []).map(named) });
        break;
      case Kind.INPUT_OBJECT_TYPE_DEFINITION:
        definitions.push({ kind: "input", ...named(node), fields: (node.fields ?? []).map(inputValue) });
        break;
      case Kind.SCALAR_TYPE_DEFINITION:
        idle.push({ kind: "scalar", ...named(node) });
        break;
      case Kind.UNION_TYPE_DEFINITION:
        idle.push({
          kind: "union",
          ...named(node),
          members: (node.types ?? []).map((member) => member.name.value),
        });
        break;
      case Kind.DIRECTIVE_DEFINITION:
        directives.push({
          ...named(node),
          locations: node.locations.map((location) => location.value),
          args: (node.arguments ?? []).map(inputValue),
          repeatable: node.repeatable,
        });
        break;
    }
  }
  return idle.length > 0 ? { definitions, directives, idle } : { definitions, directives };
}

function requireTypeDefinition(node: DefinitionNode, place: string): void {
  const { line, column } = node.loc?.startToken ?? { line: 1, column: 1 };
  const at = `${place}:${line}`;
  // A file of operations is valid GraphQL, but not an entity schema.
  if (node.kind === Kind.OPERATION_DEFINITION || node.kind === Kind.FRAGMENT_DEFINITION) {
    const what = node.kind === Kind.FRAGMENT_DEFINITION ? "fragment" : node.operation;
    const reason = `is a ${what}, but an entity schema has only types.`;
    throw new SchemaError({
      code: "SCHEMA_SDL_SYNTAX",
      sentence: `${at} ${reason}`,
      hint: "name the entity schema, not a file of operations.",
      problems: [{ reason: `This ${reason}`, line, column }],
    });
  }
  // Servers leave such types out of introspection, so references to them would be broken.
  if (!("name" in node) || !node.name?.value.startsWith("__")) return;
  const reason = `defines "${node.name.value}", a name that GraphQL reserves.`;
  throw new SchemaError({
    code: "SCHEMA_ENTITIES_INVALID",
    sentence: `${at} ${reason}`,
    hint: "rename it, so that it does not start with two underscores.",
    problems: [{ reason: `It ${reason}`, line, column }],
  });
}

function objectDefinition(node: ObjectTypeDefinitionNode): Entity | Aggregation {
  const fields = (node.fields ?? []).map(entityField);
  const aggregation = findDirective(node.directives, "aggregation");
  if (aggregation) {
    const items = listArgument(aggregation, "intervals");
    const intervals = items.flatMap((item) => (item.kind === Kind.STRING ? [item.value] : []));
    return { kind: "aggregation", ...named(node), fields, intervals };
  }
  const entity = findDirective(node.directives, "entity");
  return {
    kind: "entity",
    ...named(node),
    interfaces: (node.interfaces ?? []).map((parent) => parent.name.value),
    fields,
    ...(entity?.arguments?.some(makesImmutable) ? { immutable: true } : {}),
    ...(findDirective(node.directives, "crossChain") ? { crossChain: true } : {}),
    ...(findDirective(node.directives, "internal") ? { internal: true } : {}),
    ...readStorage(node.directives),
  };
}

function readStorage(directives: readonly ConstDirectiveNode[] = []): { readonly storage?: EntityStorage } {
  const [storage, ...others] = directives.filter(({ name }) => name.value === "storage");
  if (storage === undefined) return {};
  const { arguments: args = [] } = storage;
  const isOn = (name: string) =>
    args.some((arg) => arg.name.value === name && (arg.value.kind !== Kind.BOOLEAN || arg.value.value));
  const isValid = args.every(
    ({ name, value }, index) =>
      (name.value === "clickhouse" || (name.value === "postgres" && value.kind === Kind.BOOLEAN)) &&
      args.findIndex((other) => other.name.value === name.value) === index,
  );
  const reasons = [
    ...(others.length > 0 ? ["has more than one @storage"] : []),
    ...(isValid ? [] : ["@storage takes only postgres, which is true or false, and clickhouse, each once"]),
    ...(isOn("postgres") || isOn("clickhouse")
      ? []
      : ["@storage enables no storage: postgres or clickhouse must be true"]),
  ];
  const [problem = null] = reasons;
  return { storage: { postgres: isOn("postgres"), problem } };
}

function makesImmutable({ name, value }: ConstArgumentNode): boolean {
  const isNamed = name.value === "immutable" || name.value === "timeseries";
  return isNamed && value.kind === Kind.BOOLEAN && value.value;
}

function entityField(node: FieldDefinitionNode): EntityField {
  const derivedFrom = findDirective(node.directives, "derivedFrom");
  const config = findDirective(node.directives, "config");
  return {
    ...named(node),
    type: typeExpression(node.type),
    args: (node.arguments ?? []).map(inputValue),
    derived: derivedFrom !== undefined,
    derivedFrom: stringArgument(derivedFrom, "field"),
    aggregate: findDirective(node.directives, "aggregate") !== undefined,
    precise: argumentOf(config, "precision") !== undefined,
    ...storedScale(config),
  };
}

/** Reads the scale of `numeric(p, s)`; 0 for `numeric(p)`. */
function storedScale(config: ConstDirectiveNode | undefined): { readonly scale?: number } {
  const numbers = new Map(
    config?.arguments?.flatMap(({ name, value }) =>
      value.kind === Kind.INT ? [[name.value, Number(value.value)] as const] : [],
    ),
  );
  return numbers.has("precision") ? { scale: numbers.get("scale") ?? 0 } : {};
}

function inputValue(node: InputValueDefinitionNode): InputValue {
  return {
    ...named(node),
    type: typeExpression(node.type),
    defaultValue: node.defaultValue === undefined ? null : printValue(node.defaultValue),
  };
}

function fulltextDefinitions(node: ObjectTypeDefinitionNode): FulltextDefinition[] {
  return (node.directives ?? []).flatMap((fulltext): FulltextDefinition[] => {
    if (fulltext.name.value !== "fulltext") return [];
    // Platforms use only the first entry of `include`.
    const [first] = listArgument(fulltext, "include");
    const entity = memberOf(first, "entity");
    const fields = memberOf(first, "fields");
    const names = (fields?.kind === Kind.LIST ? fields.values : []).map((field) => memberOf(field, "name"));
    const name = stringArgument(fulltext, "name");
    if (name === null || entity?.kind !== Kind.STRING) return [];
    const searched = names.flatMap((value) => (value?.kind === Kind.STRING ? value.value : []));
    const [language, algorithm] = ["language", "algorithm"].map((choice) => {
      const value = argumentOf(fulltext, choice);
      return value?.kind === Kind.ENUM ? value.value : undefined;
    });
    const how = { ...(language && { language }), ...(algorithm && { algorithm }) };
    return [{ kind: "fulltext", name, entity: entity.value, searched, ...how }];
  });
}

function named(node: {
  readonly name: { readonly value: string };
  readonly description?: StringValueNode | undefined;
}): Described {
  return { name: node.name.value, description: node.description?.value ?? null };
}

/** Some hundred times the largest deployed schema. A syntax tree takes thirty times the memory of its text. */
const MOST = { characters: 8_000_000, definitions: MOST_TYPES };

/**
 * Throws if an entity schema is implausibly large.
 *
 * @param place the name of the text in the error.
 * @throws SchemaError `SCHEMA_TOO_LARGE`
 */
export function requireEntitySize(count: number, what: keyof typeof MOST, place: string): void {
  if (count <= MOST[what]) return;
  throw new SchemaError({
    code: "SCHEMA_TOO_LARGE",
    sentence: `${place} has ${count} ${what}, and the limit is ${MOST[what]}, so it was not read.`,
    hint: "check that it is the entity schema that is deployed.",
  });
}
