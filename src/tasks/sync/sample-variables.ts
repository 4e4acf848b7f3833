import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  print,
  type ValueNode,
  visit,
} from "graphql";

/** A query that finds values for the required variables of an operation. */
export type VariableSample = {
  /** Queries the same rows without the filters that need values. */
  readonly query: string;
  /** Reads the values from a row; undefined if one is missing. */
  readonly readVariables: (row: Readonly<Record<string, unknown>>) => Record<string, unknown> | undefined;
};

/** The variables of portable operations for the queried chains. */
export const CHAIN_VARIABLES: readonly string[] = ["chainIds", "chainIdsInt"];

/** Returns the names of required variables, without those for chains. */
export function requiredVariables({ variableDefinitions = [] }: OperationDefinitionNode): string[] {
  return variableDefinitions
    .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined)
    .map(({ variable }) => variable.name.value)
    .filter((name) => !CHAIN_VARIABLES.includes(name));
}

/**
 * Builds a query that finds values for the filters of an operation: for `where: { recipient: $recipient }`, the recipient
 * of any row. Returns null if a required variable is used in another way.
 *
 * @param document the operation and its fragments. Only selected fields are columns; `recipient_gt` is a comparison.
 */
export function buildVariableSample(
  operation: OperationDefinitionNode,
  document: DocumentNode,
): VariableSample | null {
  const required = requiredVariables(operation);
  const [root, ...others] = operation.selectionSet.selections;
  if (root?.kind !== Kind.FIELD || others.length > 0) return null;
  const filters = (root.arguments ?? []).filter((argument) =>
    variablesIn(argument).some((name) => required.includes(name)),
  );
  const selected = selectedNames(document);
  const columns = new Map(filters.flatMap(filteredColumns).filter(([, column]) => selected.has(column)));
  if (!required.every((name) => columns.has(name))) return null;
  const sampled: FieldNode = {
    kind: Kind.FIELD,
    name: root.name,
    arguments: (root.arguments ?? []).filter((argument) => !filters.includes(argument)),
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: [...new Set(columns.values())].map((value) => ({
        kind: Kind.FIELD,
        name: { kind: Kind.NAME, value },
      })),
    },
  };
  const kept = new Set(variablesIn(sampled));
  const query = print({
    kind: Kind.OPERATION_DEFINITION,
    operation: operation.operation,
    variableDefinitions: (operation.variableDefinitions ?? []).filter(({ variable }) =>
      kept.has(variable.name.value),
    ),
    selectionSet: { kind: Kind.SELECTION_SET, selections: [sampled] },
  });
  return {
    query,
    readVariables: (row) => {
      const values = required.map((name) => [name, row[columns.get(name) ?? ""] ?? null] as const);
      return values.some(([, value]) => value === null) ? undefined : Object.fromEntries(values);
    },
  };
}

/** Returns the column that each variable of a filter is compared with: `{ recipient: $a }` or `{ recipient: { _eq: $a } }`. */
function filteredColumns({
  value: filter,
}: {
  readonly value: ValueNode;
}): [variable: string, column: string][] {
  if (filter.kind !== Kind.OBJECT) return [];
  return filter.fields.flatMap(({ name: column, value }): [string, string][] => {
    if (value.kind === Kind.LIST) return value.values.flatMap((part) => filteredColumns({ value: part }));
    const [only, more] = value.kind === Kind.OBJECT ? value.fields : [];
    const compared = only?.name.value === "_eq" && more === undefined ? only.value : value;
    return compared.kind === Kind.VARIABLE ? [[compared.name.value, column.value]] : [];
  });
}

function selectedNames(document: DocumentNode): ReadonlySet<string> {
  const names = new Set<string>();
  visit(document, { Field: ({ name }) => void names.add(name.value) });
  return names;
}

function variablesIn(node: ArgumentNode | FieldNode): string[] {
  const names: string[] = [];
  visit(node, { Variable: ({ name }) => void names.push(name.value) });
  return names;
}
