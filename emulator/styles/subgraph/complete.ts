import { indexByName, once } from "../../../src/base/collections.ts";
import {
  type ApiSchema,
  baseTypeName,
  isList,
  isRequired,
  itemType,
  nullableType,
} from "../../../src/dialects/api-schema.ts";
import { buildIntrospection } from "../../../src/dialects/introspection.ts";
import { compareText } from "../compare.ts";
import type { RowValue } from "../read-view.ts";
import type { Budget } from "../served-style.ts";
import type { Arguments } from "./coerce.ts";
import { isListValue } from "./decode-value.ts";
import { type ErrorEntry, messages, refuse } from "./messages.ts";
import type { Node } from "./prefetch.ts";
import type { Quirks } from "./quirks.ts";
import { serializeScalar } from "./scalars.ts";
import type { SchemaIndex } from "./schema-index.ts";
import type { SelectedField } from "./select.ts";

/** Builds answers from fetched entities and collects errors; any error discards the answer. */
type Completer = {
  readonly entities: (field: SelectedField, nodes: readonly Node[]) => unknown;
  /** The value of a platform field (`_meta`, `__schema`), from plain data. */
  readonly plain: (field: SelectedField, value: unknown) => unknown;
};

const MAX_ERRORS = 10_000;

/** This many characters cost as much as a value. */
const LONG_TEXT = 64;

/** @param errors collects the problems. */
export function createCompleter(index: SchemaIndex, budget: Budget, errors: ErrorEntry[]): Completer {
  const finished = new Map<Node, { readonly answer: unknown; readonly cost: number }>();

  function entities(field: SelectedField, nodes: readonly Node[], via?: string | null): unknown {
    if (field.hollow) return hollow(field, undefined);
    if (field.field.list) return nodes.map((node) => entity(node, field));
    const [node, another] = nodes;
    if (another !== undefined) {
      errors.push(messages.ambiguousDerived(field, field.field.base, via ?? "id"));
      return null;
    }
    return node === undefined ? missing(field) : entity(node, field);
  }

  /** A selection without fields. The server returns the stored ids of the entities that exist. */
  function hollow({ field, name }: SelectedField, stored: RowValue | undefined): unknown {
    if (!isListValue(stored)) {
      errors.push(messages.nothingFetched(field.base, name));
      return null;
    }
    const reason =
      index.type(field.base)?.kind === "INTERFACE" ? ": abstract type value must be an object" : "";
    return stored.length === 0
      ? stored
      : refuse(messages.panic(`internal error: entered unreachable code${reason}`));
  }

  function entity(node: Node, field: SelectedField): unknown {
    const earlier = finished.get(node);
    if (earlier !== undefined) {
      // Built once, and returned wherever it occurs.
      budget.spend(earlier.cost);
      return earlier.answer;
    }
    const answer = emptyAnswer();
    const before = errors.length;
    const spent = budget.spent();
    for (const child of field.selection.get(node.type) ?? []) {
      spendOn(child);
      answer[child.key] = entityField(node, child);
    }
    // The problems of an entity are reported wherever it occurs, up to a limit.
    if (errors.length === before || errors.length > MAX_ERRORS) {
      finished.set(node, { answer, cost: budget.spent() - spent });
    }
    return answer;
  }

  function entityField(node: Node, field: SelectedField): unknown {
    if (field.name === "__typename") return node.type;
    if (field.hollow) return hollow(field, node.row[field.name]);
    if (!field.field.leaf) {
      const via = index.entity(node.type)?.attribute(field.name)?.derivedFrom;
      return entities(field, node.children.get(field) ?? [], via);
    }
    // Reserved names are not columns.
    const stored = field.name.startsWith("__") ? null : node.row[field.name];
    return leaf(field, stored ?? null, field.field.type);
  }

  function leaf(field: SelectedField, value: RowValue, type: string): unknown {
    if (value === null) {
      if (isRequired(type)) errors.push(messages.nullResolved(field.name, field.location));
      return null;
    }
    const inner = nullableType(type);
    if (isList(inner)) {
      const item = itemType(inner);
      const items: readonly RowValue[] = isListValue(value) ? value : [value];
      budget.spend(items.length);
      return items.map((each) => leaf(field, each, item));
    }
    return single(field, value, baseTypeName(inner));
  }

  function single(field: SelectedField, value: RowValue, type: string): unknown {
    if (typeof value === "string") budget.spend(value.length / LONG_TEXT);
    const values = index.enumValues(type);
    if (values) {
      if (typeof value === "string" && values.includes(value)) return value;
      errors.push(messages.wrongEnum(field, value, { name: type, values }));
      return null;
    }
    const serialized = serializeScalar(type, value);
    if (serialized !== undefined) return serialized;
    errors.push(messages.wrongScalar(field, value, type));
    return null;
  }

  function spendOn({ key }: SelectedField): void {
    budget.spend(1 + key.length / LONG_TEXT);
  }

  function missing(field: SelectedField): null {
    if (field.field.required) errors.push(messages.nullResolved(field.name, field.location));
    return null;
  }

  function plain(field: SelectedField, value: unknown): unknown {
    if (value === null || value === undefined) return missing(field);
    if (field.field.leaf) return value;
    if (Array.isArray(value)) return value.map((item) => plainObject(field, item));
    return plainObject(field, value);
  }

  function plainObject(field: SelectedField, value: unknown): unknown {
    if (!isRecord(value)) return null;
    const answer = emptyAnswer();
    for (const child of field.selection.get(field.field.base) ?? []) {
      spendOn(child);
      answer[child.key] = plain(child, child.name === "__typename" ? field.field.base : value[child.name]);
    }
    return answer;
  }

  return { entities: (field, nodes) => entities(field, nodes), plain };
}

/** Returns an object without a prototype: `__proto__` is a valid response key. */
export function emptyAnswer(): Record<string, unknown> {
  return Object.create(null);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

export type Introspector = (field: string, args: Arguments) => unknown;

/** Creates the introspection, built on first use: a schema does not change under an executor. */
export function createIntrospector(schema: ApiSchema, quirks: Quirks): Introspector {
  const build = once(() => {
    const { __schema } = buildIntrospection({ ...schema, types: listedTypes(schema) });
    const fill = createFill(quirks);
    const types = listOf(__schema["types"]).map(fill.type);
    const byName = new Map(types.map((type) => [type["name"], type]));
    const root = (name: string | null) => byName.get(name) ?? null;
    return {
      byName,
      schema: {
        description: null,
        ...__schema,
        types,
        directives: listOf(__schema["directives"]).map(fill.args),
        queryType: root(schema.queryType),
        mutationType: root(schema.mutationType),
        subscriptionType: root(schema.subscriptionType),
      },
    };
  });
  return (field, args) => {
    if (field === "__schema") return build().schema;
    const name = args.get("name");
    return name?.kind === "String" ? (build().byName.get(name.value) ?? null) : null;
  };
}

/** By name in byte order; the first of two with the same name. */
function listedTypes({ types }: ApiSchema): ApiSchema["types"] {
  return [...indexByName(types).values()]
    .filter(({ name }) => !name.startsWith("__"))
    .sort((a, b) => compareText(a.name, b.name));
}

type Data = Readonly<Record<string, unknown>>;

function listOf(value: unknown): readonly Data[] {
  return Array.isArray(value) ? value : [];
}

/** Adds what the classic query does not request, and the deprecation of input values since v0.43. */
function createFill({ fillsInputDeprecation }: Quirks) {
  const input = (value: Data): Data => (fillsInputDeprecation ? { ...value, isDeprecated: false } : value);
  const args = (holder: Data): Data => ({ ...holder, args: listOf(holder["args"]).map(input) });
  const type = (each: Data): Data => ({
    ...each,
    fields: each["fields"] === null ? null : listOf(each["fields"]).map(args),
    inputFields: each["inputFields"] === null ? null : listOf(each["inputFields"]).map(input),
  });
  return { args, type };
}
