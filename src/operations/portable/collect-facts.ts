import { type FieldNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode } from "graphql";
import { isRequired } from "../../dialects/api-schema.ts";
import { needsChain } from "../../dialects/id-forms.ts";
import { type Placed, responseKey } from "../../dialects/make-node.ts";
import type { AuthoredType } from "../../dialects/portable-style.ts";
import { isTime } from "../../dialects/protocol.ts";
import { type CollectedField, type CollectedFields, collectAnswer } from "./collect-answer.ts";
import { CHAIN_FIELD } from "./compile-list.ts";
import type { DecodedColumns, OperationFacts } from "./compiled-operation.ts";
import type { PlannedVariables } from "./plan-variables.ts";
import { type EntityFacts, type Facts, servesOneChain } from "./read-entities.ts";
import { readList, readPage, readSizes } from "./read-list.ts";
import type { Scope } from "./scope.ts";

/** Collects the facts that a client needs about an answer. Refuses selections that may become empty. */
export function collectFacts(
  node: OperationDefinitionNode,
  fragments: readonly FragmentDefinitionNode[],
  { planned, scope }: { readonly planned: PlannedVariables; readonly scope: Scope },
) {
  const { facts } = scope;
  const chains: string[] = [];
  const addChain: string[] = [];
  const lookups: string[] = [];
  const places: RowField[] = [];
  const columns: Record<string, DecodedColumns> = {};
  let isUnscoped = false;
  const byName = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  const answer = collectAnswer(node.selectionSet, (name) => byName.get(name));
  const roots = answer.fields;
  requireUnconditional(answer, { where: "the query", node }, scope);
  for (const root of roots) {
    const rootFacts = facts.root(root.node.name.value);
    const entity = rootFacts === undefined ? undefined : facts.entity(rootFacts.entity);
    if (rootFacts === undefined || entity === undefined || rootFacts.kind === "other") continue;
    const below = root.below();
    requireUnconditional(below, { where: `\`${root.key}\``, node: root.node }, scope);
    const rows = { fields: below.fields, entity, path: [root.key] };
    places.push(...collectPlaces(rows, scope));
    const decoded = findColumns(rows, facts);
    if (decoded !== null) columns[root.key] = decoded;
    const isLookup = rootFacts.kind === "lookup";
    const chain = findChain(rows, { isLookup, facts });
    if (chain !== null) chains.push(chain.join("."));
    // Without the nested row, its chain is unknown.
    if (chain?.length !== 2 && canAddChain(root, entity, { node, facts })) addChain.push(root.key);
    if (!isLookup) continue;
    lookups.push(root.key);
    if (chain !== null || facts.written.writer.lookup(entity.name)?.takesChain) continue;
    const id = entity.fields.get("id");
    // An id that contains the requested chain matches no row of another chain.
    if (id?.kind === "column" && id.type.forms !== null && needsChain(id.type.forms.multichain)) continue;
    if (servesOneChain(facts)) continue;
    isUnscoped = true;
    scope.refuse("portable/unscoped-lookup", [root.key], root.node);
  }
  const scalars = places.filter(({ type }) => type !== null && !type.isEnum);
  const decimals = scalars.filter(({ type }) => type?.name === "BigDecimal");
  const [decimal] = decimals;
  if (decimal) {
    const names = [...new Set(decimals.map(({ coordinate }) => coordinate))];
    scope.refuse("portable/decimal", [names], decimal.node);
  }
  const [root, ...others] = roots;
  const only = others.length === 0 && root !== undefined && !root.isConditional ? root : null;
  return {
    roots: roots.filter(({ isConditional }) => !isConditional).map(({ key }) => key),
    // A subgraph never returns them as null, a multichain indexer if the row is missing.
    required: places.filter(({ isRequiredReference }) => isRequiredReference).map(({ path }) => path),
    chains,
    addChain,
    one: lookups,
    isUnscoped,
    idAnswers: places.flatMap(({ path, type }) => (type?.forms ? [{ path, forms: type.forms }] : [])),
    numberAnswers: scalars
      .filter(({ type }) => type?.name === "BigDecimal" || (type?.isList && type.name === "BigInt"))
      .map(({ path }) => path),
    numbers: [
      ...new Set(
        scalars.filter(({ type }) => !TEXTS.has(type?.name ?? "")).map(({ node }) => responseKey(node)),
      ),
    ],
    columns,
    lists: readSizes(roots, facts),
    ...(only === null ? { list: null, unmerged: null } : readList(only, facts)),
    page: only === null ? null : readPage(only, planned, facts),
  } satisfies Partial<OperationFacts>;
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
  options: { readonly isLookup: boolean; readonly facts: Facts },
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
    if (options.isLookup && !(fieldFacts.kind === "reference" && isRequired(fieldFacts.authoredType)))
      continue;
    const target = options.facts.entity(fieldFacts.target);
    if (target === undefined) continue;
    const below = { fields: field.below().fields, entity: target, path: [...path, field.key] };
    const chainPath = findChain(below, options);
    if (chainPath !== null && (best === null || chainPath.length < best.length)) best = chainPath;
  }
  return best;
}

/** Whether rows of a root field have a chain that can be selected beside their other fields. */
function canAddChain(
  root: CollectedField,
  entity: EntityFacts,
  { node, facts }: { readonly node: OperationDefinitionNode; readonly facts: Facts },
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

function requireUnconditional(
  { mayBeEmpty }: CollectedFields,
  { where, node }: { readonly where: string; readonly node: Placed },
  scope: Scope,
): void {
  if (mayBeEmpty) scope.refuse("portable/all-conditional", [where], node);
}

/** A field of a selected row. */
type RowField = {
  /** The path of response keys to its value. */
  readonly path: string;
  /** The name of its entity and its own. */
  readonly coordinate: string;
  readonly node: FieldNode;
  /** The type of a column; null for a relation. */
  readonly type: AuthoredType | null;
  readonly isRequiredReference: boolean;
};

/** Collects the fields of selected rows and of the rows below them. */
function collectPlaces({ fields, entity, path }: SelectedRows, scope: Scope): RowField[] {
  return fields.flatMap((field): RowField[] => {
    const { key, node } = field;
    const facts = entity.fields.get(node.name.value);
    if (facts === undefined) return [];
    const fieldPath = [...path, key];
    const place = {
      path: fieldPath.join("."),
      coordinate: `${entity.name}.${facts.name}`,
      node,
      type: facts.kind === "column" ? facts.type : null,
      isRequiredReference: facts.kind === "reference" && isRequired(facts.authoredType),
    };
    if (facts.kind === "column") return [place];
    const target = scope.facts.entity(facts.target);
    if (target === undefined) return [];
    const below = field.below();
    requireUnconditional(below, { where: `\`${place.path}\``, node }, scope);
    return [place, ...collectPlaces({ fields: below.fields, entity: target, path: fieldPath }, scope)];
  });
}

/** Scalars whose values are never JSON numbers: indexers are set up to return big numbers as text. */
const TEXTS: ReadonlySet<string> = new Set([
  ...["BigDecimal", "BigInt", "Boolean", "Bytes", "ID", "Int8", "String", "Timestamp"],
]);

/** Finds the columns of rows that decoders convert; null if there are none. */
function findColumns({ fields, entity }: Omit<SelectedRows, "path">, facts: Facts): DecodedColumns | null {
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
    const inner = findColumns({ fields: field.below().fields, entity: target }, facts);
    return inner === null ? [] : [[field.key, inner]];
  });
  return columns.length === 0 ? null : Object.fromEntries(columns);
}

/** Scalars of whole numbers. Answers have `Int` as a JSON number and the others as text. */
const WHOLE_NUMBERS: ReadonlySet<string> = new Set(["BigInt", "Int", "Int8"]);
