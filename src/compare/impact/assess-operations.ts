import { type GraphQLError, Kind, type OperationDefinitionNode } from "graphql";
import type { ImpactKind } from "../../report/finding.ts";
import type { ApiSchema } from "../../schema/api-schema.ts";
import { indexSchema } from "../indexed-schema.ts";
import type { DiffOptions } from "../severity-rules.ts";
import { describeErrors } from "./describe-errors.ts";
import { type AssessedOperation, arrangeEffects, type Effect, type SchemaPair } from "./effect.ts";
import { findAnswerEffects } from "./find-answer-effects.ts";
import { findDirectiveEffects } from "./find-input-effects.ts";
import { findVariableEffects } from "./find-variable-effects.ts";

/** What two schemas mean to one operation. */
export type OperationAssessment = {
  readonly name: string;
  readonly verdict: OperationVerdict;
  /** What the change does to it, worst first; empty when it was not valid before. */
  readonly effects: readonly Effect[];
  readonly errorsBefore: readonly Effect[];
};

/** The worst effect; `was-broken` when it was invalid before and still is, `mended` when it is valid now. */
export type OperationVerdict = ImpactKind | "unaffected" | "was-broken" | "mended";

/** Finds what a change of schema does to operations, of which validation alone misses most. */
export function assessOperations(
  operations: readonly AssessedOperation[],
  before: ApiSchema,
  after: ApiSchema,
  { exhaustiveEnums }: DiffOptions,
): OperationAssessment[] {
  if (before === after) return operations.map(({ name }) => unaffected(name));
  const [was, is] = [indexSchema(before), indexSchema(after)];
  const documents = operations.map(({ document }) => document);
  const [errorsBefore, errorsAfter] = [was.validate(documents), is.validate(documents)];
  const pair = { before: was, after: is, exhaustiveEnums, inputChanges: new Map() };
  return operations.map((operation, index) =>
    assessOperation(operation, pair, errorsBefore[index] ?? [], errorsAfter[index] ?? []),
  );
}

function assessOperation(
  { name, document }: AssessedOperation,
  pair: SchemaPair,
  invalidBefore: readonly GraphQLError[],
  invalidAfter: readonly GraphQLError[],
): OperationAssessment {
  const definition = document.definitions.find(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  );
  if (definition === undefined) return unaffected(name);
  const { before: was, after: is } = pair;
  const errorsBefore = describeErrors(invalidBefore, document, definition, is, was);
  const errors = describeErrors(invalidAfter, document, definition, was, is);
  if (errorsBefore.length > 0) {
    return { ...unaffected(name), verdict: errors.length > 0 ? "was-broken" : "mended", errorsBefore };
  }
  const effects = arrangeEffects([
    ...errors,
    ...findAnswerEffects(document, definition, pair),
    ...findDirectiveEffects(document, definition, pair),
    ...findVariableEffects(definition, pair),
  ]);
  return { ...unaffected(name), verdict: effects[0]?.impact ?? "unaffected", effects };
}

function unaffected(name: string): OperationAssessment {
  return { name, verdict: "unaffected", effects: [], errorsBefore: [] };
}
