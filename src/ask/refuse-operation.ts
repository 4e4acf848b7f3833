import { displayText } from "../base/display-text.ts";
import { OperationError } from "../base/errors/operation-error.ts";
import { placeText } from "../report/describe-finding.ts";
import type { Finding } from "../report/finding.ts";

/** Refuses to ask an operation, for all that was found in it. */
export function refuseOperation(name: string, findings: readonly Finding[]): never {
  throw new OperationError({
    code: "OPERATIONS_INVALID",
    sentence: `${name === "" ? "The file" : name} cannot be asked, for ${findings.length === 1 ? "one reason" : `${findings.length} reasons`}.`,
    context: findings.flatMap(({ place, subject, message, code, fix }) => [
      displayText(`${place ? placeText(place) : subject}  ${message}  [${code}]`, []),
      ...(fix === null ? [] : [`  ${displayText(fix, [])}`]),
    ]),
  });
}

/** The same refusal, with what to do instead. */
export function withHint({ sentence, context }: OperationError, hint: string): OperationError {
  return new OperationError({ code: "OPERATIONS_INVALID", sentence, context, hint });
}

/** Whether an error is one of an operation that was refused. */
export function isRefusal(error: unknown): error is OperationError {
  return error instanceof OperationError && error.code === "OPERATIONS_INVALID";
}
