import type { Severity } from "../finding.ts";

/** What the findings of a code have in common; `docs/findings.md` explains what it stands for. */
export type Code = {
  /** Absent where the facts of a finding decide. */
  readonly severity?: Severity;
  readonly message?: string | ((...facts: never[]) => string);
  /** Absent where the facts of a finding decide. */
  readonly fix?: string;
};

/** The facts that the message of a code is made of. */
export type FactsOf<T extends Code> = T["message"] extends (...facts: infer Facts) => string ? Facts : [];

/** What a finding of a code says of its facts. */
export function messageOf({ message = "" }: Code, facts: readonly unknown[]): string {
  return typeof message === "string"
    ? message
    : (message as (...given: readonly unknown[]) => string)(...facts);
}
