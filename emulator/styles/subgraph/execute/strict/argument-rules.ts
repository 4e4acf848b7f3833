import type { ArgumentNode } from "graphql";
import { isRequired } from "../../../../../src/base/type-expression.ts";
import type { StrictRule } from "./rule.ts";
import { fieldOf } from "./visit-document.ts";

/**
 * Arguments are held against the field or directive that was last known. What is unknown itself does not change
 * that, so the arguments of an unknown field that comes first in a selection are held against the field around it.
 */
export const knownArgumentNames: StrictRule = ({ index, directives }, report) => {
  let known: { readonly owner: string; readonly names: ReadonlySet<string> } | null = null;
  const forget = () => {
    known = null;
  };
  return {
    field: ({ name }, { parent }) => {
      const field = fieldOf(index, parent, name.value);
      if (field === undefined) return;
      known = {
        owner: `field "${parent?.name}.${field.name}"`,
        names: new Set(field.args.map((argument) => argument.name)),
      };
    },
    leaveField: forget,
    directive: ({ name }) => {
      const directive = directives.get(name.value);
      if (directive === undefined) return;
      known = {
        owner: `directive "@${directive.name}"`,
        names: new Set(directive.args.map((argument) => argument.name)),
      };
    },
    leaveDirective: forget,
    argument: ({ name }) => {
      if (known && !known.names.has(name.value)) {
        report(`Unknown argument "${name.value}" on ${known.owner}.`);
      }
    },
  };
};

export const uniqueArgumentNames: StrictRule = (_, report) => {
  function check(args: readonly ArgumentNode[] | undefined): void {
    if (args === undefined || args.length < 2) return;
    const count = new Map<string, number>();
    for (const { name } of args) count.set(name.value, (count.get(name.value) ?? 0) + 1);
    for (const [name, times] of count) {
      if (times > 1) report(`There can be only one argument named "${name}".`);
    }
  }
  return { field: (node) => check(node.arguments), directive: (node) => check(node.arguments) };
};

export const providedRequiredArguments: StrictRule = ({ index, directives }, report) => {
  function check(subject: string, given: readonly ArgumentNode[] | undefined, defined: readonly Defined[]) {
    for (const { name, type, defaultValue } of defined) {
      if (!isRequired(type) || (defaultValue !== undefined && defaultValue !== null)) continue;
      if (given?.some((argument) => argument.name.value === name)) continue;
      report(`${subject} argument "${name}" of type "${type}" is required, but it was not provided.`);
    }
  }
  return {
    field: ({ name, arguments: given }, { parent }) =>
      check(`Field "${name.value}"`, given, fieldOf(index, parent, name.value)?.args ?? []),
    directive: ({ name, arguments: given }) =>
      check(`Directive "@${name.value}"`, given, directives.get(name.value)?.args ?? []),
  };
};

/** An argument as the schema declares it; the two sources of it say differently that there is no default. */
type Defined = { readonly name: string; readonly type: string; readonly defaultValue: unknown };
