import {
  Kind,
  parse,
  type StringValueNode,
  type VariableDefinitionNode,
  type VariableNode,
  visit,
} from "graphql";
import { printDocument } from "../../operations/print-document.ts";
import { attemptOperation } from "./attempt.ts";
import { classifySurface } from "./classify-surface.ts";
import type { FoundOperation } from "./find-operations.ts";
import type { Group } from "./pair-operations.ts";

/**
 * Returns a group whose operations have variables for the addresses and ids that they name, so that the proof can use those
 * of existing rows. Null if they name none, or are not portable with variables.
 */
export function freeLiterals({ kept, differences }: Group): Group | null {
  const found = withVariables(kept.found);
  if (found === null) return null;
  const [match] = classifySurface(found, [kept.match]).fits;
  if (match === undefined) return null;
  const attempt = attemptOperation(found, match, kept.context);
  return attempt.portable === null ? null : { kept: attempt, others: [], differences };
}

function withVariables(found: FoundOperation): FoundOperation | null {
  const names = new Map<string, string>();
  const replace = ({ value }: StringValueNode): VariableNode | undefined => {
    if (!/^0x[\da-f]{6,}/i.test(value)) return undefined;
    const name = names.get(value) ?? `literal${names.size + 1}`;
    names.set(value, name);
    return { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } };
  };
  const visitor = { VariableDefinition: () => false, StringValue: replace } as const;
  const node = visit(found.node, visitor);
  const fragments = found.fragments.map((fragment) => visit(fragment, visitor));
  if (names.size === 0) return null;
  const added = [...names.values()].map(
    (name): VariableDefinitionNode => ({
      kind: Kind.VARIABLE_DEFINITION,
      variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } },
      type: {
        kind: Kind.NON_NULL_TYPE,
        type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: "String" } },
      },
    }),
  );
  const variableDefinitions = [...(node.variableDefinitions ?? []), ...added];
  const name = { kind: Kind.NAME, value: found.name } as const;
  // Its nodes need places in a text.
  const { definitions } = parse(printDocument({ ...node, name, variableDefinitions }, fragments));
  const [operation] = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return null;
  return {
    ...found,
    node: operation,
    fragments: definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [one] : [])),
  };
}
