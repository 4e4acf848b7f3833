import { type FieldNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode } from "graphql";
import { isRequired } from "../../dialects/api-schema.ts";
import { type IdForms, needsChain } from "../../dialects/id-forms.ts";
import { isTime } from "../../dialects/protocol.ts";
import { type CollectedField, type CollectedFields, collectAnswer } from "./collect-answer.ts";
import { CHAIN_FIELD } from "./compile-list.ts";
import type { DecodedColumns, OperationFacts } from "./compiled-operation.ts";
import type { PlannedVariables } from "./plan-variables.ts";
import { type EntityFacts, type Facts, servesOneChain } from "./read-entities.ts";
import { readList, readPage, readSizes } from "./read-list.ts";
import type { Scope } from "./scope.ts";

/** The facts of an operation that follow from its selections. */
export type SelectedFacts = Pick<
  OperationFacts,
  | "roots"
  | "required"
  | "chains"
  | "addChain"
  | "one"
  | "isUnscoped"
  | "list"
  | "lists"
  | "unmerged"
  | "page"
  | "idAnswers"
  | "numberAnswers"
  | "numbers"
  | "columns"
>;

/** Collects the facts that a client needs about an answer. Refuses selections that may become empty. */
export function collectFacts(
  {
    node,
    fragments,
  }: {
    readonly node: OperationDefinitionNode;
    readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  },
  planned: PlannedVariables,
  scope: Scope,
): SelectedFacts {
  const { facts } = scope;
  const required: string[] = [];
  const chains: string[] = [];
  const addChain: string[] = [];
  const one: string[] = [];
  const idAnswers: { path: string; forms: IdForms }[] = [];
  const numberAnswers: string[] = [];
  const decimals: NotedColumn[] = [];
  const numbers = new Set<string>();
  const columns: Record<string, DecodedColumns> = {};
  let isUnscoped = false;
  const answer = collectAnswer(node.selectionSet, fragments);
  const roots = answer.fields;
  requireUnconditional(answer, { where: "the query", node }, scope);
  for (const root of roots) {
    const rootFacts = facts.root(root.node.name.value);
    const entity = rootFacts === undefined ? undefined : facts.entity(rootFacts.entity);
    if (rootFacts === undefined || entity === undefined || rootFacts.kind === "other") continue;
    const below = root.below();
    const { fields } = below;
    requireUnconditional(below, { where: `\`${root.key}\``, node: root.node }, scope);
    const rows = { fields, entity, path: [root.key] };
    findPlaces(rows, { required, idAnswers, numberAnswers, decimals, numbers, scope });
    const decoded = findColumns(rows, facts);
    if (decoded !== null) columns[root.key] = decoded;
    const isLookup = rootFacts.kind === "lookup";
    const chain = findChain(rows, { isLookup, facts });
    if (chain !== null) chains.push(chain.join("."));
    // Without the nested row, its chain is unknown.
    if (chain?.length !== 2 && canAddChain(root, { node, entity, facts })) addChain.push(root.key);
    if (!isLookup) continue;
    one.push(root.key);
    if (chain !== null || facts.written.writer.lookup(entity.name)?.takesChain) continue;
    const id = entity.fields.get("id");
    // An id that contains the requested chain matches no row of another chain.
    if (id?.kind === "column" && id.type.forms !== null && needsChain(id.type.forms.multichain)) continue;
    if (servesOneChain(facts)) continue;
    isUnscoped = true;
    scope.refuse("portable/unscoped-lookup", [root.key], root.node);
  }
  const [decimal] = decimals;
  if (decimal) {
    const names = [...new Set(decimals.map(({ coordinate }) => coordinate))];
    scope.refuse("portable/decimal", [names], decimal.node);
  }
  const [root, ...others] = roots;
  const only = others.length === 0 && root !== undefined && !root.isConditional ? root : null;
  return {
    roots: roots.flatMap(({ key, isConditional }) => (isConditional ? [] : [key])),
    required,
    chains,
    addChain,
    one,
    isUnscoped,
    idAnswers,
    numberAnswers,
    numbers: [...numbers],
    columns,
    lists: readSizes(roots, facts),
    ...(only === null ? { list: null, unmerged: null } : readList(only, facts)),
    page: only === null ? null : readPage(only, planned, facts),
  };
}

/** The selected fields of rows, and the path of response keys to the rows. */
type SelectedRows = {
  readonly fields: readonly CollectedField[];
  readonly entity: EntityFacts;
  readonly path: readonly string[];
};

/** Finds the shortest path to the chain of rows; for a lookup only through references that are never null. */
function findChain(
  { fields, entity, path }: SelectedRows,
  given: { readonly isLookup: boolean; readonly facts: Facts },
): readonly string[] | null {
  const sure = fields.filter(({ isConditional }) => !isConditional);
  const chainField = sure.find(
    ({ node }) => node.name.value === CHAIN_FIELD && node.selectionSet === undefined,
  );
  if (chainField !== undefined) return [...path, chainField.key];
  let best: readonly string[] | null = null;
  for (const field of sure) {
    const fieldFacts = entity.fields.get(field.node.name.value);
    if (fieldFacts === undefined || fieldFacts.kind === "column") continue;
    if (given.isLookup && !(fieldFacts.kind === "reference" && isRequired(fieldFacts.authoredType))) continue;
    const target = given.facts.entity(fieldFacts.target);
    if (target === undefined) continue;
    const below = { fields: field.below().fields, entity: target, path: [...path, field.key] };
    const chainPath = findChain(below, given);
    if (chainPath !== null && (best === null || chainPath.length < best.length)) best = chainPath;
  }
  return best;
}

/** Whether rows of a root field have a chain that can be selected beside their other fields. */
function canAddChain(
  root: CollectedField,
  {
    node,
    entity,
    facts,
  }: {
    readonly node: OperationDefinitionNode;
    readonly entity: EntityFacts;
    readonly facts: Facts;
  },
): boolean {
  const field = entity.fields.get(CHAIN_FIELD);
  const places = node.selectionSet.selections.filter(
    (selection) => selection.kind !== Kind.FIELD || (selection.alias ?? selection.name).value === root.key,
  );
  return (
    field?.kind === "column" &&
    isRequired(field.authoredType) &&
    field.writtenType !== null &&
    places.length === 1 &&
    places[0]?.kind === Kind.FIELD &&
    !root.below().fields.some(({ key }) => key === CHAIN_KEY) &&
    !servesOneChain(facts)
  );
}

/** The response key under which the client requests the chain of rows. */
const CHAIN_KEY = "lockflow";

/** A selected column. */
type NotedColumn = { readonly coordinate: string; readonly node: FieldNode };

function requireUnconditional(
  { mayBeEmpty }: CollectedFields,
  { where, node }: { readonly where: string; readonly node: Pick<OperationDefinitionNode, "loc"> },
  scope: Scope,
): void {
  if (mayBeEmpty) scope.refuse("portable/all-conditional", [where], node);
}

/**
 * Finds the references that are never null in one style, and null in the other where the row is missing; ids that the
 * styles write differently; and values that may be JSON numbers.
 */
function findPlaces(
  { fields, entity, path }: SelectedRows,
  into: {
    readonly required: string[];
    readonly idAnswers: { path: string; forms: IdForms }[];
    readonly numberAnswers: string[];
    readonly decimals: NotedColumn[];
    readonly numbers: Set<string>;
    readonly scope: Scope;
  },
): void {
  for (const field of fields) {
    const fieldFacts = entity.fields.get(field.node.name.value);
    if (fieldFacts?.kind === "column" && fieldFacts.type.forms !== null) {
      into.idAnswers.push({ path: [...path, field.key].join("."), forms: fieldFacts.type.forms });
    }
    if (fieldFacts?.kind === "column" && !fieldFacts.type.isEnum) {
      const { name, isList } = fieldFacts.type;
      const isDecimal = name === "BigDecimal";
      if (isDecimal)
        into.decimals.push({ coordinate: `${entity.name}.${fieldFacts.name}`, node: field.node });
      if (isDecimal || (isList && name === "BigInt")) into.numberAnswers.push([...path, field.key].join("."));
    }
    if (fieldFacts?.kind === "column" && !fieldFacts.type.isEnum && !TEXTS.has(fieldFacts.type.name))
      into.numbers.add(field.key);
    if (fieldFacts === undefined || fieldFacts.kind === "column") continue;
    const target = into.scope.facts.entity(fieldFacts.target);
    if (target === undefined) continue;
    const fieldPath = [...path, field.key];
    if (fieldFacts.kind === "reference" && isRequired(fieldFacts.authoredType))
      into.required.push(fieldPath.join("."));
    const inner = field.below();
    requireUnconditional(inner, { where: `\`${fieldPath.join(".")}\``, node: field.node }, into.scope);
    findPlaces({ fields: inner.fields, entity: target, path: fieldPath }, into);
  }
}

/** Scalars whose values are never JSON numbers: indexers are set up to return big numbers as text. */
const TEXTS: ReadonlySet<string> = new Set([
  ...["BigDecimal", "BigInt", "Boolean", "Bytes", "ID", "Int8", "String", "Timestamp"],
]);

/** Finds the columns of rows that decoders convert; null if there are none. */
function findColumns({ fields, entity, path }: SelectedRows, facts: Facts): DecodedColumns | null {
  const columns = fields.flatMap((field): [string, DecodedColumns[string]][] => {
    const name = field.node.name.value;
    const fieldFacts = entity.fields.get(name);
    if (fieldFacts === undefined) return [];
    if (fieldFacts.kind === "column") {
      const isNumber = WHOLE_NUMBERS.has(fieldFacts.type.name);
      if (isNumber && isTime(facts.definition.times, entity.name, name)) return [[field.key, "time"]];
      return isNumber && fieldFacts.type.name !== "Int" ? [[field.key, "integer"]] : [];
    }
    const target = facts.entity(fieldFacts.target);
    if (target === undefined) return [];
    const below = { fields: field.below().fields, entity: target, path: [...path, field.key] };
    const inner = findColumns(below, facts);
    return inner === null ? [] : [[field.key, inner]];
  });
  return columns.length === 0 ? null : Object.fromEntries(columns);
}

/** Scalars of whole numbers. Answers have `Int` as a JSON number and the others as text. */
const WHOLE_NUMBERS: ReadonlySet<string> = new Set(["BigInt", "Int", "Int8"]);
