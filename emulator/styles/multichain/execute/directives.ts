import type { DirectiveNode } from "graphql";
import { isRequired } from "../../../../src/dialects/api-schema.ts";
import { resolveVariable, strictBoolean } from "./coerce.ts";
import { messages } from "./messages.ts";
import { readLiteral } from "./query-value.ts";
import type { Scope } from "./scope.ts";

/** Checks the directives of the operation itself: `@cached`, which does nothing here, is the only one. */
export function checkOperationDirectives(scope: Scope, nodes: readonly DirectiveNode[] | undefined): void {
  checkDirectives(scope, nodes, "QUERY", "a query", "$");
}

/** Whether `@skip` and `@include` let a selection be. What they take away is not validated either. */
export function isIncluded(
  scope: Scope,
  nodes: readonly DirectiveNode[] | undefined,
  location: "FIELD" | "FRAGMENT_SPREAD" | "INLINE_FRAGMENT",
  path: string,
): boolean {
  if (nodes === undefined || nodes.length === 0) return true;
  const conditions = checkDirectives(scope, nodes, location, PLACES[location], path);
  return conditions.every(([name, condition]) => condition === (name === "include"));
}

const PLACES = {
  FIELD: "a field",
  FRAGMENT_SPREAD: "a fragment spread",
  INLINE_FRAGMENT: "an inline fragment",
} as const;

/** @returns the value of `if` for every directive that has one. */
function checkDirectives(
  scope: Scope,
  nodes: readonly DirectiveNode[] | undefined,
  location: string,
  place: string,
  path: string,
): (readonly [string, boolean])[] {
  const names = (nodes ?? []).map((node) => node.name.value);
  const repeated = names.filter((name, index) => names.indexOf(name) < index);
  if (repeated.length > 0) throw messages.directiveRepeated(path, [...new Set(repeated)]);
  return (nodes ?? []).flatMap((node) => {
    const name = node.name.value;
    const directive = scope.index.directives.get(name);
    if (!directive) throw messages.directiveUndefined(path, name);
    if (!directive.locations.includes(location)) throw messages.directiveMisplaced(path, name, place);
    for (const argument of node.arguments ?? []) {
      if (!directive.args.some((arg) => arg.name === argument.name.value)) {
        throw messages.argumentUnknown(path, name, argument.name.value);
      }
    }
    return directive.args.flatMap((arg) => {
      const place = `${path}.${name}.args.${arg.name}`;
      const written = node.arguments?.find((argument) => argument.name.value === arg.name);
      const given = written && resolveVariable(scope, readLiteral(written.value), arg.type, place);
      if (given === undefined) {
        if (isRequired(arg.type) && arg.defaultValue === null)
          throw messages.requiredMissing(place, arg.name);
        return [];
      }
      return arg.name === "if" ? [[name, strictBoolean(given, place)] as const] : [];
    });
  });
}
