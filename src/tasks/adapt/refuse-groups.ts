import { type DefinitionNode, Kind } from "graphql";
import { type JudgedGroup, type JudgedOperation, placeOf } from "./adapt-group.ts";
import type { AdaptReason } from "./adapt-types.ts";

/** Returns whether an operation is refused. */
export function isRefused({ reasons }: JudgedOperation): boolean {
  return reasons.length > 0;
}

/** Refuses a group with definitions that no version accepts. */
export function refuseNeverValid(judged: JudgedGroup, neverValid: ReadonlySet<DefinitionNode>): JudgedGroup {
  const operations = judged.operations.map((operation): JudgedOperation => {
    const culprit = [operation.node, ...operation.fragments].find((node) => neverValid.has(node));
    if (culprit === undefined) return operation;
    const { line = 1, column = 1 } = culprit.loc?.startToken ?? {};
    const owner = judged.units.find(({ unit }) => unit.document.definitions.includes(culprit));
    const file = (owner ?? operation).unit.path;
    const what =
      culprit.kind === Kind.FRAGMENT_DEFINITION ? `The fragment ${culprit.name.value}` : "The operation";
    const message = `${what} is not valid at any known version of the snapshot.`;
    return { ...operation, reasons: [{ code: "adapt/never-valid", message, file, line, column }] };
  });
  return refuseTogether({ ...judged, operations });
}

/** Refuses documents in code whose text is not in the file as it is. */
export function refuseInCode(judged: JudgedGroup): JudgedGroup {
  const operations = judged.operations.map((operation): JudgedOperation => {
    const { inFile, text } = operation.unit;
    const edits = judged.units.find(({ unit }) => unit === operation.unit)?.edits ?? [];
    if (!inFile || edits.every(({ start }) => inFile(start) !== null)) return operation;
    const words = edits.map((edit) => `"${edit.text}" in place of "${text.slice(edit.start, edit.end)}"`);
    const message = `Its text has escapes or expressions, so it is not edited. Write ${words.join(", ")}.`;
    const reason: AdaptReason = { code: "adapt/in-code", message, ...placeOf(operation) };
    return { ...operation, reasons: [...operation.reasons, reason] };
  });
  return { ...judged, operations };
}

/** Refuses all changed operations of a group if one of them is refused. */
export function refuseTogether(judged: JudgedGroup): JudgedGroup {
  const [refused] = judged.operations.filter(isRefused);
  if (refused === undefined) return judged;
  const operations = judged.operations.map((operation): JudgedOperation => {
    if (isRefused(operation) || !operation.isChanged) return operation;
    const shared = operation.unit === refused.unit ? "a file" : "a fragment";
    const message = `It shares ${shared} with ${refused.name}, which is refused.`;
    return { ...operation, reasons: [{ code: "adapt/shared-fragment", message, ...placeOf(operation) }] };
  });
  return { ...judged, operations };
}
