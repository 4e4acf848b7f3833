import { type IdForms, isOfBytes, needsChain } from "../../dialects/id-forms.ts";
import type { OperationFacts } from "./compiled-operation.ts";
import type { PlannedVariables } from "./plan-variables.ts";
import { type Facts, formsOf } from "./read-entities.ts";

/** Whether ids of an operation, or their order, are only valid on one chain. */
export function isAlone(
  { variables, literals }: PlannedVariables,
  { list, idAnswers }: Pick<OperationFacts, "list" | "idAnswers">,
  facts: Facts,
): boolean {
  const used = variables
    .flatMap(({ allUses }) => allUses)
    .flatMap(({ treatment }) => {
      if (treatment.kind === "filter") return formsInReach(treatment, facts);
      return treatment.kind === "id" ? [treatment.forms] : [];
    });
  const ids = [...used, ...literals.map(({ forms }) => forms)];
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
    const forms = formsOf(field);
    const below =
      field.kind === "column" || isChild ? [] : formsInReach({ entity: field.target, isChild: true }, facts);
    return forms === null ? below : [forms, ...below];
  });
}
