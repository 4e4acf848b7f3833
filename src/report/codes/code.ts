import type { Severity } from "../finding.ts";

/** All that is known of a code: how severe its findings are and what they say, and what the code stands for. */
export type Code = {
  /** How severe every finding of it is; absent where its facts decide. */
  readonly severity?: Severity;
  /** What a finding of it says. */
  readonly message?: string | ((...facts: never[]) => string);
  /** What to do about a finding of it; absent where its facts decide. */
  readonly fix?: string;
  /** What was found. */
  readonly means: string;
  /** Why anybody should care. */
  readonly matters: string;
  /** What each severity that a finding of it can have says; absent where it has one only, and the rest says that. */
  readonly severities?: Readonly<Partial<Record<Severity, string>>>;
  /** What to do about it, where that is more than the fix. */
  readonly act?: string;
};

/** The facts that the message of a code is made of. */
export type FactsOf<T extends Code> = T["message"] extends (...facts: infer Facts) => string ? Facts : [];

/** What a finding of a code says of its facts. */
export function messageOf({ message = "" }: Code, facts: readonly unknown[]): string {
  return typeof message === "string"
    ? message
    : (message as (...given: readonly unknown[]) => string)(...facts);
}
