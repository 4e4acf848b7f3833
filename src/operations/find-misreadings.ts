import {
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type ObjectFieldNode,
  print,
  type SelectionSetNode,
  TypeInfo,
  type VariableNode,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { locateNode } from "../dialects/locate.ts";
import type { Pitfalls, Surroundings } from "../dialects/pitfalls.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import { type Finding, uniqueFindings } from "../report/finding.ts";
import { at } from "./find-pitfalls.ts";
import type { Fragment, Operation, OperationSet } from "./operation-set.ts";
import { collectAnswer } from "./portable/collect-answer.ts";
import { mayBeNull } from "./portable/plan-variables.ts";

/** The dialect of operations. */
type Dialect = {
  readonly pitfalls: Pick<Pitfalls, "misread" | "withoutValue" | "failsForNothing">;
  /** Whether misread parts are corrected where they can be. In code, they cannot. */
  readonly isCorrected: boolean;
};

/** Finds parts of operations of one style that the platform reads differently than they are meant. */
export function findMisreadings(
  { operations, fragments }: Pick<OperationSet, "operations" | "fragments">,
  schema: GraphQLSchema,
  { pitfalls, isCorrected }: Dialect,
): Finding[] {
  const info = new TypeInfo(schema);
  const findFragment = (name: string) => fragments.get(name)?.node;
  const conditionOf = (name: string) => findFragment(name)?.typeCondition;
  // A fragment of several operations is reported once.
  return uniqueFindings(operations.flatMap(findIn));

  function findIn(operation: Operation): Finding[] {
    const { node, fragments: used } = operation;
    const findings: Finding[] = [];
    const isSuspect = pitfalls.failsForNothing && mayBeEmpty(node.selectionSet);
    if (isSuspect && collectAnswer(node.selectionSet, findFragment).mayBeEmpty) {
      findings.push(buildFileFinding("operation/all-conditional", ["the operation"], at(operation, node)));
    }
    const definitions = (node.variableDefinitions ?? []).filter(mayBeNull);
    const nullable = new Map(definitions.map(({ variable, type }) => [variable.name.value, print(type)]));
    for (const owner of [operation, ...used.flatMap(({ name }) => fragments.get(name.value) ?? [])]) {
      const visitor = visitWithTypeInfo(info, {
        leave: (part) => {
          if (part.kind === Kind.SELECTION_SET && pitfalls.failsForNothing)
            findings.push(...findEmpty(part, owner));
          if (part.kind === Kind.OBJECT_FIELD) findings.push(...findNull(part, owner, nullable));
          const misreading = pitfalls.misread(part, surroundingsOf(info, schema, conditionOf));
          if (misreading === null || ("corrected" in misreading && isCorrected)) return;
          const fix =
            "fix" in misreading
              ? misreading.fix
              : `write \`${print(misreading.corrected).replaceAll(/\s+/g, " ")}\`.`;
          findings.push(
            buildFileFinding("operation/misread", [misreading.message], { ...at(owner, part), fix }),
          );
        },
      });
      visit(owner.node, visitor);
    }
    return findings;
  }

  /** Finds the variables of a member of an input object that may have no value. */
  function findNull(
    { name, value }: ObjectFieldNode,
    owner: Operation | Fragment,
    nullable: ReadonlyMap<string, string>,
  ): Finding[] {
    const object = info.getParentInputType();
    const effect = object ? pitfalls.withoutValue(getNamedType(object).name, name.value) : null;
    if (effect === null) return [];
    const values = value.kind === Kind.LIST ? value.values : [value];
    return values
      .filter((value): value is VariableNode => value.kind === Kind.VARIABLE)
      .flatMap((node) => {
        const variable = node.name.value;
        const type = nullable.get(variable);
        if (type === undefined) return [];
        const fix = `declare it \`$${variable}: ${type}!\`, and write another operation without the condition.`;
        return [
          buildFileFinding("operation/null-condition", [variable, name.value, effect === "refuses"], {
            ...at(owner, node),
            fix,
          }),
        ];
      });
  }

  /** Finds objects of a selection whose fields may all be skipped. */
  function findEmpty(set: SelectionSetNode, owner: Operation | Fragment): Finding[] {
    const isSuspect = ({ selectionSet }: FieldNode) => selectionSet !== undefined && mayBeEmpty(selectionSet);
    // Collecting all selections would take very long for operations with many fragments.
    if (!set.selections.some((selection) => selection.kind === Kind.FIELD && isSuspect(selection))) return [];
    return collectAnswer(set, findFragment)
      .fields.filter(({ node, below }) => isSuspect(node) && below().mayBeEmpty)
      .map(({ key, node }) => {
        // A field may be in a fragment of another file.
        const place = locateNode(node.loc?.source.name ?? owner.file.path, node);
        return buildFileFinding("operation/all-conditional", [`"${key}"`], { subject: owner.name, place });
      });
  }
}

/** Returns the surroundings of the part that a visitor is at. */
export function surroundingsOf(
  info: TypeInfo,
  schema: GraphQLSchema,
  conditionOf: Surroundings["conditionOf"],
): Surroundings {
  const input = info.getParentInputType();
  return {
    parent: info.getParentType()?.name ?? null,
    conditionOf,
    input: input ? getNamedType(input).name : null,
    hasField: (name, field) => {
      const type = schema.getType(name);
      return (isObjectType(type) || isInterfaceType(type)) && Object.hasOwn(type.getFields(), field);
    },
  };
}

/** Whether a selection has no field of its own without a condition. */
function mayBeEmpty({ selections }: SelectionSetNode): boolean {
  return !selections.some((selection) => selection.kind === Kind.FIELD && !selection.directives?.length);
}
