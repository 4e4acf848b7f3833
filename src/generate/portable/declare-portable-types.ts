import { type GraphQLEnumType, type GraphQLNamedType, isEnumType } from "graphql";
import { cached, findNamed, sortByName } from "../../base/collections.ts";
import { quote } from "../../base/text.ts";
import { baseTypeName, isList, isRequired } from "../../dialects/api-schema.ts";
import { typeExpression } from "../../dialects/parse-sdl.ts";
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import type { StyleName } from "../../dialects/surface.ts";
import type { CompiledOperation, CompiledVariable } from "../../operations/portable/compiled-operation.ts";
import { type EntityColumns, filterColumns } from "../../operations/portable/filter-columns.ts";
import { type PortableContext, readFacts } from "../../operations/portable/read-entities.ts";
import type { DocumentsSource } from "../declare-types.ts";
import { documentVariables } from "../input-types.ts";
import { RESERVED } from "../manifest/manifest-types.ts";
import type { Coverage } from "../prepare-documents.ts";
import { createLeafTypes } from "../scalars.ts";
import { createTypeNames, freeName, nameRows, type TypeNames } from "../type-names.ts";
import { type TypeDeclaration, type TypeMember, textType } from "../type-tree.ts";
import {
  type FilterTypeSource,
  filterType,
  listOf,
  nonEmptyList,
  orderType,
} from "./portable-filter-types.ts";

/** The context in which portable operations are rendered. */
export type PortableSource = {
  /** The styles of the project, at least one. */
  readonly styles: readonly StyleName[];
  /** The surfaces of the protocol, with the compiled operations among theirs; a missing style is derived. */
  readonly documents: { readonly [S in StyleName]: PortableDocuments };
  readonly coverage: { readonly [S in StyleName]: readonly Coverage[] };
  readonly context: PortableContext;
};

/** The documents of one style, with which portable operations are rendered. */
export type PortableDocuments = Pick<DocumentsSource, "set" | "schema" | "scalars" | "docs">;

/** The types of a module of portable operations, and the names that they use. */
export type PortableTypes = {
  readonly names: PortableNames;
  readonly declarations: readonly TypeDeclaration[];
  /** The imports of configured scalar types, one line each. */
  readonly imports: readonly string[];
  /** The types of the rows of operations, in the module of the typed style. */
  readonly rows: readonly string[];
  /** The imports from the modules of the styles: local names by names there. */
  readonly taken: { readonly [S in StyleName]: ReadonlyMap<string, string> };
  readonly columnsOf: (entity: string) => EntityColumns;
  /** Returns the types of a table: of the filter that it maps, and of the result; null if it maps none. */
  readonly filterOf: (entity: string, isInner: boolean) => readonly [where: string, mapped: string] | null;
};

/** Declares the variables of portable operations, and the filters and orders that they hold. */
export function declarePortableTypes(
  operations: readonly CompiledOperation[],
  source: PortableSource,
): PortableTypes {
  // Which types are used, and so imported, is known only after everything is declared.
  const used = new Set<string>();
  declare(operations, source, used);
  const { scalars } = source.documents.subgraph;
  const types = new Map([...scalars.types].filter(([name]) => used.has(name)));
  const subgraph = { ...source.documents.subgraph, scalars: { ...scalars, types } };
  return declare(operations, { ...source, documents: { ...source.documents, subgraph } }, used);
}

function declare(
  operations: readonly CompiledOperation[],
  { styles, documents, context }: PortableSource,
  used: Set<string>,
): PortableTypes {
  const { set, schema, docs, scalars } = documents.subgraph;
  const typeNames = createTypeNames(set, schema);
  const other = createTypeNames(documents.multichain.set, documents.multichain.schema);
  const typed = typedStyle(styles);
  const { set: typedSet, schema: typedSchema } = documents[typed];
  const rows = nameRows(typedSet, typedSchema, typed === AUTHORED_STYLE ? typeNames : other);
  const names = createPortableNames(operations, typeNames);
  const leaves = createLeafTypes(scalars, typeNames);
  const taken = { multichain: new Map<string, string>(), subgraph: new Map<string, string>() };
  const entities = new Map<string, EntityColumns>();
  const columnsOf = (entity: string) => cached(entities, entity, () => filterColumns(context, entity));
  const valueType = (type: GraphQLNamedType): string => {
    used.add(type.name);
    const text = leaves.inputTypeOf(type);
    if (isEnumType(type)) {
      if (!styles.includes("subgraph")) return unionText(type);
      const local = names.imported(text);
      taken.subgraph.set(text, local);
      return local;
    }
    return type.name === "BigInt" ? `${text} | bigint` : text;
  };
  const filterSource: FilterTypeSource = { schema, docs, columnsOf, valueType, facts: readFacts(context) };
  const shared = new Map<string, TypeDeclaration>();
  const tables = new Map<string, readonly [where: string, mapped: string]>();
  const variables = operations.map(declareVariables);
  return {
    names,
    declarations: [...sortByName([...shared.values()]), ...variables],
    imports: leaves.imports,
    rows: operations.flatMap(({ name }) => [...(rows.get(name)?.values() ?? [])]),
    taken,
    columnsOf,
    filterOf: (entity, isInner) => tables.get(tableKey(entity, isInner)) ?? null,
  };

  function declareVariables(compiled: CompiledOperation): TypeDeclaration {
    const operation = findNamed(set.operations, compiled.name);
    const about = operation && documentVariables(operation, docs);
    const written = compiled.documents.subgraph.node.variableDefinitions ?? [];
    const members = compiled.variables.map((variable): TypeMember => {
      const { name, type } = variable;
      const definition = written.find(
        (variableDefinition) => variableDefinition.variable.name.value === name,
      );
      const isOptional = !isRequired(type) || definition?.defaultValue !== undefined;
      return {
        key: `readonly ${name}${isOptional ? "?" : ""}`,
        type: textType(`${variableType(variable, compiled)}${isOptional ? " | undefined" : ""}`),
        doc: about?.get(name) ?? null,
      };
    });
    const none: TypeMember = { key: "[key: string]", type: textType("never"), doc: null };
    return {
      name: names.variables(compiled.name),
      type: { kind: "object", members: members.length === 0 ? [none] : members },
      doc: null,
    };
  }

  function variableType(variable: CompiledVariable, { facts, documents }: CompiledOperation): string {
    const { name, type, declaredAs } = variable;
    const base = baseTypeName(type);
    if (base === filterSource.facts.authored.grammar.height.type) {
      const number = "number | bigint";
      const forms = { number, hash: valueType(requireType("Bytes")), number_gte: number };
      return Object.entries(forms)
        .map(([key, value]) => `{ readonly ${key}: ${value} }`)
        .join(" | ");
    }
    if (facts.block.numbers.includes(name)) return "number | bigint";
    const filters = facts.filters.filter(({ from }) => from === name);
    const orders = facts.orders.filter(({ from }) => from === name);
    for (const { entity, isChild, to } of filters) {
      const where = declareFilter(entity, base, isChild);
      const mapped = documents.multichain.node.variableDefinitions?.find(
        ({ variable }) => variable.name.value === to,
      );
      const input = mapped && baseTypeName(typeExpression(mapped.type));
      const isKnown = input !== undefined && styles.includes("multichain");
      const local = isKnown ? names.taken(input) : "unknown";
      if (isKnown) taken.multichain.set(other.ofSchemaType(input), local);
      tables.set(tableKey(entity, isChild), [where, local]);
    }
    const [filter] = filters;
    const [order] = orders;
    // If a variable is used in two places, the narrower type counts.
    const isOfChild = filters.some(({ isChild }) => isChild);
    const isOfNested = orders.some(({ isNested }) => isNested);
    const value = filter
      ? declareFilter(filter.entity, base, isOfChild)
      : order
        ? declareOrder(order.entity, base, isOfNested)
        : [...new Set([valueType(requireType(base)), ...acceptedTypes(declaredAs)])].join(" | ");
    if (!isList(type)) return value;
    return facts.nonEmpty.includes(name) ? nonEmptyList(value) : listOf(value);
  }

  function requireType(name: string): GraphQLNamedType {
    const type = schema.getType(name);
    if (!type) throw new TypeError(`The schema has no type "${name}".`);
    return type;
  }

  function declareFilter(entity: string, input: string, isChild: boolean): string {
    const name = names.type(`${entity}${isChild ? "Child" : ""}Filter`);
    if (shared.has(name)) return name;
    const what = isChild ? `rows that a \`${entity}\` belongs to` : `rows of \`${entity}\``;
    const doc = { description: `A filter of ${what}, in both styles.`, deprecation: null };
    // Set before its members are built, because some of them have this type.
    shared.set(name, { name, type: textType("never"), doc });
    const childOf = (target: string, inner: string) => declareFilter(target, inner, true);
    const type = filterType({ entity, input, self: name }, isChild ? null : childOf, filterSource);
    shared.set(name, { name, type, doc });
    return name;
  }

  function declareOrder(entity: string, input: string, isNested: boolean): string {
    const name = names.type(`${entity}${isNested ? "Child" : ""}OrderBy`);
    const what = isNested ? `rows of \`${entity}\` within another row` : `rows of \`${entity}\``;
    if (!shared.has(name)) {
      const type = orderType({ entity, input, isNested }, filterSource);
      shared.set(name, {
        name,
        type,
        doc: { description: `The columns that can order ${what}.`, deprecation: null },
      });
    }
    return name;
  }
}

/** Returns the type of values for a scalar that was declared in place of that of the places. */
function acceptedTypes(scalar: string | null): readonly string[] {
  if (scalar === null) return [];
  return scalar === "Int" || scalar === "Float" ? ["number"] : ["string"];
}

/** Returns the style whose types of answers are those of portable operations. */
export function typedStyle(deployed: readonly StyleName[]): StyleName {
  return deployed.includes(AUTHORED_STYLE) ? AUTHORED_STYLE : "multichain";
}

function unionText(type: GraphQLEnumType): string {
  return type
    .getValues()
    .map(({ name }) => quote(name))
    .join(" | ");
}

function tableKey(entity: string, isInner: boolean): string {
  return `${entity} ${isInner}`;
}

/** Renders the constant of an operation, which is exported under the operation's name. */
export function renderConstant(
  name: string,
  names: PortableNames,
  { type, value }: { readonly type: string; readonly value: string },
): string {
  const constant = names.constant(name);
  const statement = `const ${constant}: ${type} = ${value};\n`;
  return constant === name ? `export ${statement}` : `${statement}export { ${constant} as ${name} };\n`;
}

/** The names in the module of portable operations. They are distinct. */
export type PortableNames = {
  /** Returns the local name of an operation's constant, which is exported under the operation's name. */
  readonly constant: (operation: string) => string;
  /** `StreamsBySenderVariables` */
  readonly variables: (operation: string) => string;
  /** Returns the local name of another value, the same for each call. */
  readonly value: (name: string) => string;
  /** Returns the local name of an imported type, which differs from all constants. */
  readonly imported: (name: string) => string;
  /** The same for a name that types of the schema may have, too. */
  readonly taken: (name: string) => string;
  /** Returns the local name of another type, the same for each call. */
  readonly type: (name: string) => string;
  /** Returns the local name of a function of the client, and imports it. */
  readonly clientFunction: (name: string) => string;
  /** Returns the local name of a type of the client, and imports it. */
  readonly clientType: (name: string) => string;
  /** The imports from the client: local names by names there. */
  readonly client: {
    readonly functions: ReadonlyMap<string, string>;
    readonly types: ReadonlyMap<string, string>;
  };
};

/** Creates the names of the module of portable operations. Constants have the names of their operations if possible. */
export function createPortableNames(
  compiled: readonly Pick<CompiledOperation, "name">[],
  names: TypeNames,
): PortableNames {
  const types = new Map<string, string>();
  const values = new Map<string, string>();
  const takenValues = new Set([...RESERVED, ...compiled.map(({ name }) => name)]);
  const takeValue = (requested: string) => {
    const name = freeName(requested, (value) => takenValues.has(value));
    takenValues.add(name);
    return name;
  };
  const type = (name: string) => cached(types, name, names.take);
  const constants = new Map(compiled.map(({ name }) => [name, RESERVED.has(name) ? takeValue(name) : name]));
  const operations = new Set(compiled.map(({ name }) => name));
  for (const { name } of compiled) type(`${name}Variables`);
  const imported = (name: string) => (operations.has(name) ? type(`${name}_`) : name);
  const value = (name: string) => cached(values, name, takeValue);
  const taken = (name: string) => imported(type(name));
  const client = { functions: new Map<string, string>(), types: new Map<string, string>() };
  return {
    constant: (operation) => constants.get(operation) ?? operation,
    variables: (operation) => type(`${operation}Variables`),
    value,
    imported,
    taken,
    type,
    clientFunction: (name) => cached(client.functions, name, value),
    clientType: (name) => cached(client.types, name, taken),
    client,
  };
}
