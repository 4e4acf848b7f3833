import {
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  TypeInfo,
  type VariableNode,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { cached, compareCodeUnits, groupBy } from "../../base/collections.ts";
import { baseTypeName, isList, nullableType } from "../../dialects/api-schema.ts";
import { compileSelections, type Pair, resolveOwner, writeCondition } from "./compile-selections.ts";
import { refuseDirectives, type Scope, type VariableUse } from "./scope.ts";

/** An operation or a fragment whose variables in the written document have no names yet. */
export type CompiledDefinition<T> = {
  /** As written. */
  readonly node: T;
  readonly nodes: Pair<T>;
  readonly uses: readonly TypedUse[];
  readonly scope: Scope;
};

/** A use of a variable, with the type that its place requires; null if the place is refused. */
export type TypedUse = VariableUse & { readonly type: string | null };

/** Compiles the selections of an operation. Its variables are declared later, when all uses are known. */
export function compileOperationBody(
  node: OperationDefinitionNode,
  scope: Scope,
): CompiledDefinition<OperationDefinitionNode> {
  if (node.operation !== "query") scope.refuse("portable/operation", [node.operation], node);
  refuseDirectives(node, scope);
  const { authored, written } = compileSelections(node.selectionSet, "query", scope);
  const nodes = {
    authored: { ...node, selectionSet: authored },
    written: { ...node, selectionSet: written, variableDefinitions: [] },
  };
  return { node, nodes, uses: inferTypes(nodes.written, scope), scope };
}

/** Compiles a fragment. The result does not depend on the operations that use it. */
export function compileFragmentBody(
  node: FragmentDefinitionNode,
  scope: Scope,
): CompiledDefinition<FragmentDefinitionNode> {
  refuseDirectives(node, scope);
  const { selectionSet, typeCondition } = node;
  const owner = resolveOwner(typeCondition, scope);
  const { authored, written } =
    owner === null
      ? { authored: selectionSet, written: selectionSet }
      : compileSelections(selectionSet, owner, scope);
  const condition = writeCondition(typeCondition, scope);
  const nodes = {
    authored: { ...node, directives: [], selectionSet: authored },
    written: { ...node, directives: [], typeCondition: condition, selectionSet: written },
  };
  return { node, nodes, uses: inferTypes(nodes.written, scope), scope };
}

/** Infers the types of variables from the positions where they are used. */
function inferTypes(
  node: OperationDefinitionNode | FragmentDefinitionNode,
  { uses, facts }: Scope,
): readonly TypedUse[] {
  if (uses.length === 0) return [];
  const types = new Map<VariableNode, string>();
  const info = new TypeInfo(facts.written.graphql);
  visit(
    node,
    visitWithTypeInfo(info, {
      Variable: (variable) => {
        const type = info.getInputType();
        if (type) types.set(variable, nullableType(String(type)));
      },
    }),
  );
  return uses.map((use) => ({ ...use, type: types.get(use.written) ?? null }));
}

/** The variables of a written document, by the author's variable and by the key of a use. */
export type VariableNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Names the variables of a written document and their nodes. One variable keeps the author's name and has the value
 * unchanged if possible; the others are copies.
 *
 * @param fixed names that other parts of the document already have.
 * @param declared every name that an author declares anywhere; copies get other names.
 * @param required variables that always have a value, so that it does not matter how a missing value is treated.
 * @param mixed variables that are bytes in only some of their places. They need a copy in the form of bytes.
 */
export function nameVariables(
  uses: readonly TypedUse[],
  fixed: VariableNames,
  { declared, required, mixed }: VariableFacts,
): VariableNames {
  const names = new Map([...fixed].map(([name, byKey]) => [name, new Map(byKey)]));
  for (const use of [...uses].sort(compareUses)) {
    const name = use.authored.name.value;
    const byKey = cached(names, name, () => new Map<string, string>());
    const same = required.has(name) ? UNCHANGED.find((key) => byKey.has(key)) : undefined;
    const like = same !== undefined && UNCHANGED.includes(keyOf(use)) ? byKey.get(same) : undefined;
    cached(byKey, keyOf(use), () => like ?? chooseName(use, new Set(byKey.values()), { declared, mixed }));
  }
  for (const use of uses) {
    use.written.name.value = names.get(use.authored.name.value)?.get(keyOf(use)) ?? use.authored.name.value;
  }
  return names;
}

/** Names of authored variables. */
type VariableFacts = {
  readonly declared: ReadonlySet<string>;
  readonly required: ReadonlySet<string>;
  readonly mixed: ReadonlySet<string>;
};

/** Finds the variables that are bytes in some of their places and text in others. */
export function findMixed(uses: readonly TypedUse[]): Set<string> {
  const byName = groupBy(uses, ({ authored }) => authored.name.value);
  return new Set(
    [...byName]
      .filter(([, named]) => named.some(isBytesUse) && !named.every(isBytesUse))
      .map(([name]) => name),
  );
}

/** Whether a place requires bytes. */
export function isBytesUse({ treatment }: TypedUse): boolean {
  return (
    treatment.kind === "bytes" ||
    ((treatment.kind === "pattern" || treatment.kind === "id" || treatment.kind === "comparison") &&
      treatment.isBytes)
  );
}

/** The keys of uses that treat a value alike. */
const UNCHANGED: readonly string[] = ["value Int", "first Int", "skip Int"];

/** Returns the key of a use. Uses with the same key share one variable of the written document. */
function keyOf({ treatment, type }: TypedUse): string {
  switch (treatment.kind) {
    case "pattern":
      return `pattern ${treatment.name} ${type}`;
    case "id":
      return `id ${treatment.forms.entity} ${type}`;
    case "literal":
      return `literal ${type} ${treatment.value}`;
    case "comparison":
      return `comparison ${treatment.name} ${type}`;
    case "order": {
      const { direction } = treatment;
      return `order ${typeof direction === "string" ? direction : `$${direction.name.value}`}`;
    }
    default:
      return `${treatment.kind} ${type}`;
  }
}

/** Sorts uses that can keep the author's name first. Of two number types, the one with the larger range is first. */
function compareUses(a: TypedUse, b: TypedUse): number {
  return (
    KINDS.indexOf(a.treatment.kind) - KINDS.indexOf(b.treatment.kind) || compareCodeUnits(keyOf(b), keyOf(a))
  );
}

const KINDS: readonly TypedUse["treatment"]["kind"][] = [
  ...(["value", "bytes", "id", "first", "skip", "direction", "filter", "order", "chains"] as const),
  ...(["comparison", "pattern", "chain", "literal"] as const),
];

function chooseName(
  use: TypedUse,
  taken: ReadonlySet<string>,
  { declared, mixed }: Pick<VariableFacts, "declared" | "mixed">,
): string {
  const { authored, treatment } = use;
  const name = treatment.kind === "literal" ? `id_${treatment.forms.entity}` : authored.name.value;
  const isCopy =
    treatment.kind === "comparison" ||
    treatment.kind === "pattern" ||
    treatment.kind === "chain" ||
    treatment.kind === "literal" ||
    (isBytesUse(use) && mixed.has(name));
  if (!isCopy && !taken.has(name)) return name;
  let copy = treatment.kind === "literal" ? `${name}_${taken.size + 1}` : `${name}${suffixOf(use)}`;
  while (declared.has(copy) || taken.has(copy)) copy += "_";
  return copy;
}

function suffixOf({ treatment, type }: TypedUse): string {
  const base = baseTypeName(type ?? "");
  switch (treatment.kind) {
    case "pattern":
      return `_${treatment.name}`;
    case "comparison":
      return treatment.name;
    case "order":
      return `_${typeof treatment.direction === "string" ? treatment.direction : treatment.direction.name.value}`;
    case "value":
      return `_${base}${isList(type ?? "") ? "s" : ""}`;
    case "id":
      return `_${treatment.forms.entity}`;
    case "chains":
      return "Int";
    case "chain":
      return "One";
    default:
      return `_${treatment.kind}`;
  }
}
