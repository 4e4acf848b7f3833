import { Kind, type ValueNode } from "graphql";
import { type IdForms, isOfBytes, needsChain } from "../../dialects/id-forms.ts";
import type { OperationFacts } from "./compiled-operation.ts";
import { defaultOf, type PlannedVariable, type PlannedVariables } from "./plan-variables.ts";
import type { Facts } from "./read-entities.ts";

/** Finds the variables of the written document that hold ids which the styles write differently. */
export function findIdVariables({ variables, literals }: PlannedVariables): OperationFacts["idVariables"] {
  return [
    ...variables.flatMap(idsOf),
    ...literals.map(({ to, forms, value }) => ({ to, from: null, forms, default: value })),
  ];
}

function idsOf({ name, uses, definition }: PlannedVariable): OperationFacts["idVariables"] {
  return uses.flatMap((use) => {
    const { treatment, written } = use;
    if (treatment.kind !== "id") return [];
    const defaultValue = defaultOf(definition);
    const value = defaultValue === null ? null : use.compileDefault(defaultValue);
    const texts = value?.kind === Kind.LIST ? value.values.map(textOf) : value && textOf(value);
    return [{ to: written.name.value, from: name, forms: treatment.forms, default: texts }];
  });
}

function textOf(value: ValueNode): string {
  return value.kind === Kind.STRING ? value.value : "";
}

/** Whether ids of an operation, or their order, are only valid on one chain. */
export function isAlone(
  { variables, literals }: PlannedVariables,
  { list, idAnswers }: Pick<OperationFacts, "list" | "idAnswers">,
  facts: Facts,
): boolean {
  const uses = variables.flatMap((variable) => variable.allUses.map(({ treatment }) => treatment));
  const given = uses.flatMap((treatment) => (treatment.kind === "id" ? [treatment.forms] : []));
  const filtered = uses.flatMap((treatment) =>
    treatment.kind === "filter" ? formsInReach(treatment, facts) : [],
  );
  const ids = [...given, ...filtered, ...literals.map(({ forms }) => forms)];
  const isById = list?.order.length === 1;
  return (
    ids.some(({ multichain }) => needsChain(multichain)) ||
    idAnswers.some(
      ({ path, forms }) =>
        needsChain(forms.subgraph) || (isById && !isOfBytes(forms) && path.split(".").length === 2),
    )
  );
}

/** Lists the ids that a filter of an entity can contain. */
function formsInReach(
  { entity: name, isChild }: { readonly entity: string; readonly isChild: boolean },
  facts: Facts,
): IdForms[] {
  const fields = [...(facts.entity(name)?.fields.values() ?? [])];
  return fields.flatMap((field) => {
    const own =
      field.kind === "column" ? field.type.forms : field.kind === "reference" ? field.id.forms : null;
    const inner =
      field.kind === "column" || isChild ? [] : formsInReach({ entity: field.target, isChild: true }, facts);
    return own === null ? inner : [own, ...inner];
  });
}
