import {
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  type VariableNode,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { cached, compareCodeUnits, groupBy } from "../../base/collections.ts";
import { baseTypeName, isList, nullableType } from "../../dialects/api-schema.ts";
import { nameNode } from "../../dialects/make-node.ts";
import {
  compileSelections,
  type Owner,
  type Pair,
  resolveOwner,
  writeCondition,
} from "./compile-selections.ts";
import type { AppliedRule } from "./compiled-operation.ts";
import type { Facts } from "./read-entities.ts";
import type { FragmentTypes, NotedRoot, Refusals, Scope, VariableUse } from "./scope.ts";

/** An operation or a fragment whose variables in the written document have no names yet. */
export type CompiledDefinition<T> = {
  readonly nodes: Pair<T>;
  readonly uses: readonly TypedUse[];
  /** Its root fields. */
  readonly roots: readonly NotedRoot[];
  /** In document order. */
  readonly rules: readonly AppliedRule[];
  readonly refusals: Refusals;
  readonly scope: Scope;
};

/** A use of a variable, with the type that its place requires; null if the place is refused. */
export type TypedUse = VariableUse & { readonly type: string | null };

/** The input of the compilation of an operation or a fragment. */
export type DefinitionContext = {
  readonly facts: Facts;
  readonly fragments: FragmentTypes;
  readonly refusals: Refusals;
  /** The variables that may be null in an operation that uses it. */
  readonly nullable: ReadonlySet<string>;
};

/** Compiles the selections of an operation. Its variables are declared later, when all uses are known. */
export function compileOperationBody(
  node: OperationDefinitionNode,
  context: DefinitionContext,
): CompiledDefinition<OperationDefinitionNode> {
  const notes = createNotes(context);
  const { scope } = notes;
  if (node.operation !== "query") scope.refuse("portable/operation", [node.operation], node);
  for (const directive of node.directives ?? []) {
    scope.refuse("portable/directive", [directive.name.value, false], directive);
  }
  const owner: Owner = { kind: "query" };
  const { authored, written } = compileSelections(node.selectionSet, owner, scope);
  const nodes = {
    authored: { ...node, selectionSet: authored },
    written: { ...node, selectionSet: written, variableDefinitions: [] },
  };
  return notes.finish(nodes);
}

/** Compiles a fragment. The result does not depend on the operations that use it. */
export function compileFragmentBody(
  node: FragmentDefinitionNode,
  context: DefinitionContext,
): CompiledDefinition<FragmentDefinitionNode> {
  const notes = createNotes(context);
  const { scope } = notes;
  for (const directive of node.directives ?? []) {
    scope.refuse("portable/directive", [directive.name.value, false], directive);
  }
  const owner = resolveOwner(node.typeCondition, scope);
  const pair =
    owner === null
      ? { authored: node.selectionSet, written: node.selectionSet }
      : compileSelections(node.selectionSet, owner, scope);
  return notes.finish({
    authored: { ...node, directives: [], selectionSet: pair.authored },
    written: {
      ...node,
      directives: [],
      typeCondition: writeCondition(node.typeCondition, scope),
      selectionSet: pair.written,
    },
  });
}

function createNotes({ facts, fragments, refusals, nullable }: DefinitionContext) {
  const uses: VariableUse[] = [];
  const roots: NotedRoot[] = [];
  const rules = new Map<string, AppliedRule>();
  const scope: Scope = {
    facts,
    fragments,
    nullable,
    noteRoot: (root) => roots.push(root),
    findings: refusals.findings,
    refuse: refusals.refuse,
    apply: (rule, { loc }) => {
      const { line = 0, column = 0 } = loc?.startToken ?? {};
      rules.set(`${rule} ${line} ${column}`, { rule, file: loc?.source.name ?? "", line, column });
    },
    use: (authored, use) => {
      const { loc } = authored;
      const written: VariableUse["written"] = {
        kind: Kind.VARIABLE,
        name: nameNode(authored.name.value, loc),
        ...(loc === undefined ? {} : { loc }),
      };
      uses.push({ ...use, authored, written });
      return written;
    },
  };
  return {
    scope,
    finish: <T extends OperationDefinitionNode | FragmentDefinitionNode>(
      nodes: Pair<T>,
    ): CompiledDefinition<T> => {
      const types = uses.length === 0 ? null : inferTypes(nodes.written, facts);
      return {
        nodes,
        roots,
        uses: uses.map((use) => ({ ...use, type: types?.get(use.written) ?? null })),
        get rules() {
          return [...rules.values()].sort((a, b) => a.line - b.line || a.column - b.column);
        },
        refusals,
        scope,
      };
    },
  };
}

/** Infers the types of variables from the positions where they are used. */
function inferTypes(
  node: OperationDefinitionNode | FragmentDefinitionNode,
  { written }: Facts,
): ReadonlyMap<VariableNode, string> {
  const types = new Map<VariableNode, string>();
  const info = new TypeInfo(written.graphql);
  visit(
    node,
    visitWithTypeInfo(info, {
      Variable: (variable) => {
        const type = info.getInputType();
        if (type) types.set(variable, nullableType(String(type)));
      },
    }),
  );
  return types;
}

/** The variables of a written document, by the author's variable and by the key of a use. */
export type VariableNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Names the variables of a written document and their nodes. One variable keeps the author's name and has the value
 * unchanged if possible; the others are copies.
 *
 * @param fixed names that other parts of the document already have.
 * @param declared every name that an author declares anywhere; copies get other names.
 * @param given variables that always have a value, so that it does not matter how a missing value is treated.
 * @param mixed variables that are bytes in only some of their places. They need a copy in the form of bytes.
 */
export function nameVariables(
  uses: readonly TypedUse[],
  fixed: VariableNames,
  { declared, given, mixed }: VariableFacts,
): VariableNames {
  const names = new Map([...fixed].map(([name, byKey]) => [name, new Map(byKey)]));
  for (const use of [...uses].sort(compareUses)) {
    const name = use.authored.name.value;
    const byKey = cached(names, name, () => new Map<string, string>());
    const same = given.has(name) ? AS_GIVEN.find((key) => byKey.has(key)) : undefined;
    const like = same !== undefined && AS_GIVEN.includes(keyOf(use)) ? byKey.get(same) : undefined;
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
  readonly given: ReadonlySet<string>;
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
const AS_GIVEN: readonly string[] = ["value Int", "first Int", "skip Int"];

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
