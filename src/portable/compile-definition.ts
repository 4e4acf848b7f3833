import {
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  type VariableNode,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { nullableType } from "../base/type-expression.ts";
import { nameNode } from "../schema/make-node.ts";
import {
  compileSelections,
  type FragmentTypes,
  type Owner,
  type Pair,
  resolveOwner,
  writeCondition,
} from "./compile-selections.ts";
import type { AppliedRule } from "./compiled-operation.ts";
import type { Facts } from "./read-entities.ts";
import type { Refusals } from "./refusals.ts";
import type { Scope, VariableUse } from "./scope.ts";

/** An operation or a fragment whose variables in the written document have no names yet. */
export type CompiledDefinition<T> = {
  readonly nodes: Pair<T>;
  readonly uses: readonly TypedUse[];
  /** In document order. */
  readonly rules: readonly AppliedRule[];
  readonly refusals: Refusals;
  readonly scope: Scope;
};

/** A variable where it is used, with the type it has to have there; null where the place itself is refused. */
export type TypedUse = VariableUse & { readonly type: string | null };

/** Compiles what an operation selects; its variables are declared when all uses are known. */
export function compileOperationBody(
  node: OperationDefinitionNode,
  fragments: FragmentTypes,
  facts: Facts,
  refusals: Refusals,
): CompiledDefinition<OperationDefinitionNode> {
  const notes = createNotes(facts, refusals);
  const { scope } = notes;
  if (node.operation !== "query") scope.refuse("portable/operation", [node.operation], node);
  for (const directive of node.directives ?? []) {
    scope.refuse("portable/directive", [directive.name.value, false], directive);
  }
  const owner: Owner = { kind: "query" };
  const { authored, written } = compileSelections(node.selectionSet, owner, fragments, scope);
  const nodes = {
    authored: { ...node, selectionSet: authored },
    written: { ...node, selectionSet: written, variableDefinitions: [] },
  };
  return notes.finish(nodes);
}

/** Compiles a fragment, which is the same whatever operation uses it. */
export function compileFragmentBody(
  node: FragmentDefinitionNode,
  fragments: FragmentTypes,
  facts: Facts,
  refusals: Refusals,
): CompiledDefinition<FragmentDefinitionNode> {
  const notes = createNotes(facts, refusals);
  const { scope } = notes;
  for (const directive of node.directives ?? []) {
    scope.refuse("portable/directive", [directive.name.value, false], directive);
  }
  const owner = resolveOwner(node.typeCondition, scope);
  const pair =
    owner === null
      ? { authored: node.selectionSet, written: node.selectionSet }
      : compileSelections(node.selectionSet, owner, fragments, scope);
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

function createNotes(facts: Facts, refusals: Refusals) {
  const uses: VariableUse[] = [];
  const rules = new Map<string, AppliedRule>();
  const scope: Scope = {
    facts,
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

/** The types of variables by the positions at which they are used. */
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
