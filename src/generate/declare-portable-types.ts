import { type GraphQLNamedType, isEnumType } from "graphql";
import { cached } from "../base/cached.ts";
import { sortByName } from "../base/compare-code-units.ts";
import { findNamed } from "../base/find-named.ts";
import { baseTypeName, isList, isRequired } from "../base/type-expression.ts";
import type { CompiledOperation, CompiledVariable } from "../portable/compiled-operation.ts";
import { type EntityColumns, filterColumns } from "../portable/filter-columns.ts";
import { type PortableContext, readFacts } from "../portable/read-entities.ts";
import type { StyleName } from "../project/vocabulary.ts";
import { typeExpression } from "../schema/parse-sdl.ts";
import type { DocumentsSource } from "./declare-types.ts";
import type { Coverage } from "./generate-documents.ts";
import { createLeafTypes } from "./leaf-types.ts";
import {
  type FilterTypeSource,
  filterType,
  listOf,
  nonEmptyList,
  orderType,
} from "./portable-filter-types.ts";
import { createPortableNames, type PortableNames } from "./portable-names.ts";
import { createTypeNames } from "./type-names.ts";
import { type TypeDeclaration, type TypeMember, textType } from "./type-tree.ts";
import { documentVariables } from "./variable-docs.ts";

/** What portable operations are rendered with besides themselves. */
export type PortableSource = {
  /** The surfaces of the protocol, with the compiled operations among theirs. */
  readonly documents: { readonly [S in StyleName]: DocumentsSource };
  readonly coverage: { readonly [S in StyleName]: readonly Coverage[] };
  readonly context: PortableContext;
};

/** The types of a module of portable operations, and what they name. */
export type PortableTypes = {
  readonly names: PortableNames;
  readonly declarations: readonly TypeDeclaration[];
  /** Of the configured types of scalars, a line each. */
  readonly imports: readonly string[];
  /** What is taken from the modules of the styles: its name there, and here. */
  readonly taken: { readonly [S in StyleName]: ReadonlyMap<string, string> };
  readonly columnsOf: (entity: string) => EntityColumns;
  /** The types of a table: of the filter it maps, and of what that is in the other style; null where it maps none. */
  readonly filterOf: (entity: string, isInner: boolean) => readonly [where: string, mapped: string] | null;
};

/** Declares the variables of portable operations, and the filters and orders that they hold. */
export function declarePortableTypes(
  operations: readonly CompiledOperation[],
  source: PortableSource,
): PortableTypes {
  // Types of modules are imported where they are used, which is known only when all is declared.
  const used = new Set<string>();
  declare(operations, source, used);
  const { scalars } = source.documents.subgraph;
  const types = new Map([...scalars.types].filter(([name]) => used.has(name)));
  const subgraph = { ...source.documents.subgraph, scalars: { ...scalars, types } };
  return declare(operations, { ...source, documents: { ...source.documents, subgraph } }, used);
}

function declare(
  operations: readonly CompiledOperation[],
  { documents, context }: PortableSource,
  used: Set<string>,
): PortableTypes {
  const { set, schema, docs, scalars } = documents.subgraph;
  const typeNames = createTypeNames(set, schema);
  const names = createPortableNames(operations, typeNames);
  const leaves = createLeafTypes(scalars, typeNames);
  const other = createTypeNames(documents.multichain.set, documents.multichain.schema);
  const taken = { multichain: new Map<string, string>(), subgraph: new Map<string, string>() };
  const entities = new Map<string, EntityColumns>();
  const columnsOf = (entity: string) => cached(entities, entity, () => filterColumns(context, entity));
  const valueType = (type: GraphQLNamedType): string => {
    used.add(type.name);
    const text = leaves.typeOf(type);
    if (isEnumType(type)) {
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
    taken,
    columnsOf,
    filterOf: (entity, isInner) => tables.get(tableKey(entity, isInner)) ?? null,
  };

  function declareVariables(compiled: CompiledOperation): TypeDeclaration {
    const operation = findNamed(set.operations, compiled.name);
    const about = operation && documentVariables(operation, schema, docs);
    const written = compiled.documents.subgraph.node.variableDefinitions ?? [];
    const members = compiled.variables.map((variable): TypeMember => {
      const { name, type } = variable;
      const definition = written.find((one) => one.variable.name.value === name);
      const isOptional = !isRequired(type) || definition?.defaultValue !== undefined;
      return {
        key: `readonly ${name}${isOptional ? "?" : ""}`,
        type: textType(variableType(variable, compiled)),
        doc: about?.get(name) ?? null,
      };
    });
    const none: TypeMember = { key: "[key: string]", type: textType("never"), doc: null };
    return {
      name: names.variables(compiled.name),
      type: { kind: "object", members: members.length === 0 ? [none] : members },
      doc: { description: `The variables of \`${compiled.name}\`, in both styles.`, deprecation: null },
    };
  }

  function variableType({ name, type }: CompiledVariable, { facts, documents }: CompiledOperation): string {
    const base = baseTypeName(type);
    const filters = facts.filters.filter(({ from }) => from === name);
    const orders = facts.orders.filter(({ from }) => from === name);
    for (const { entity, isChild, to } of filters) {
      const where = declareFilter(entity, base, isChild);
      const mapped = documents.multichain.node.variableDefinitions?.find(
        ({ variable }) => variable.name.value === to,
      );
      const input = mapped && baseTypeName(typeExpression(mapped.type));
      const local = input === undefined ? "unknown" : names.taken(input);
      if (input !== undefined) taken.multichain.set(other.ofSchemaType(input), local);
      tables.set(tableKey(entity, isChild), [where, local]);
    }
    const [filter] = filters;
    const [order] = orders;
    // Of a variable in two places, the narrower one decides.
    const value = filter
      ? declareFilter(
          filter.entity,
          base,
          filters.some(({ isChild }) => isChild),
        )
      : order
        ? declareOrder(
            order.entity,
            base,
            orders.some(({ isNested }) => isNested),
          )
        : valueType(requireType(base));
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
    // It is there before its members, of which some are of its own type.
    shared.set(name, { name, type: textType("never"), doc });
    const childOf = (target: string, inner: string) => declareFilter(target, inner, true);
    const type = filterType(entity, input, name, isChild ? null : childOf, filterSource);
    shared.set(name, { name, type, doc });
    return name;
  }

  function declareOrder(entity: string, input: string, isNested: boolean): string {
    const name = names.type(`${entity}${isNested ? "Child" : ""}OrderBy`);
    const what = isNested ? `rows of \`${entity}\` within another row` : `rows of \`${entity}\``;
    if (!shared.has(name)) {
      const type = orderType(entity, input, isNested, filterSource);
      shared.set(name, {
        name,
        type,
        doc: { description: `What ${what} can be ordered by.`, deprecation: null },
      });
    }
    return name;
  }
}

function tableKey(entity: string, isInner: boolean): string {
  return `${entity} ${isInner}`;
}
