import type { StrictVisitor } from "./visit-document.ts";

/** An operation, and what is used in it and in the fragments it spreads. */
export type OperationScope<Use> = {
  /** Null when the operation has no name. */
  readonly name: string | null;
  readonly variables: ReadonlySet<string>;
  readonly usesWithin: () => readonly Use[];
};

/** Tells apart what operations and fragments use. */
export type Scopes<Use> = {
  /** To be spread into the visitor of a rule. */
  readonly visitor: StrictVisitor;
  /** Notes what is used where the walk has come to. */
  readonly use: (uses: readonly Use[]) => void;
  readonly operations: () => readonly OperationScope<Use>[];
};

type Scope<Use> = { readonly uses: Use[]; readonly spreads: Set<string> };

/** Operations are known by name: what several of one name use counts for the last of them. */
export function collectScopes<Use = string>(): Scopes<Use> {
  const operations = new Map<string | null, Scope<Use> & { variables: Set<string> }>();
  const fragments = new Map<string, Scope<Use>>();
  let current: Scope<Use> = { uses: [], spreads: new Set() };
  let variables = new Set<string>();

  function usesWithin(scope: Scope<Use>): readonly Use[] {
    const uses: Use[] = [];
    const visited = new Set<Scope<Use>>();
    const waiting = [scope];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (visited.has(next)) continue;
      visited.add(next);
      uses.push(...next.uses);
      // The first spread is to be looked into next.
      for (const name of [...next.spreads].reverse()) {
        const fragment = fragments.get(name);
        if (fragment) waiting.push(fragment);
      }
    }
    return uses;
  }

  return {
    visitor: {
      operation: ({ name }) => {
        const known = operations.get(name?.value ?? null);
        variables = new Set();
        current = { uses: known?.uses ?? [], spreads: known?.spreads ?? new Set() };
        operations.set(name?.value ?? null, { ...current, variables });
      },
      fragmentDefinition: ({ name }) => {
        current = fragments.get(name.value) ?? { uses: [], spreads: new Set() };
        fragments.set(name.value, current);
      },
      fragmentSpread: ({ name }) => {
        current.spreads.add(name.value);
      },
      variableDefinition: ({ variable }) => {
        variables.add(variable.name.value);
      },
    },
    use: (uses) => {
      current.uses.push(...uses);
    },
    operations: () =>
      [...operations].map(([name, scope]) => ({
        name,
        variables: scope.variables,
        usesWithin: () => usesWithin(scope),
      })),
  };
}
