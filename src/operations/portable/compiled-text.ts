import { compareCodeUnits } from "../../base/collections.ts";
import type { Protocol, StyleName } from "../../dialects/surface.ts";
import { type Finding, isBreaking } from "../../report/finding.ts";
import { printDocument } from "../print-document.ts";
import { type DescribedVariable, describeVariables, type MeantOperation } from "./compile-named.ts";
import { comparePlaces } from "./compile-operations.ts";
import { hasText, RULES } from "./compiled-operation.ts";

/** The compiled documents of an operation, or the reasons why it is not portable. */
export type CompiledText = {
  /** Its name. */
  readonly operation: string;
  /** The key of its protocol. */
  readonly protocol: Protocol;
  /** Its file: a path from the project's root. */
  readonly file: string;
  /** Empty if the operation is refused. */
  readonly variables: readonly DescribedVariable[];
  /** Sorted by location. */
  readonly rules: readonly DescribedRule[];
  /** Why it is not portable; empty if it is. */
  readonly refusals: readonly Refusal[];
  /** Remarks that do not refuse it. */
  readonly notes: readonly Refusal[];
  /** The step that makes rows of several chains mergeable: `select timestamp`. Null if they are, and without a list. */
  readonly unmerged: string | null;
} & {
  /** The document of each style. Its text is null if the operation is refused, or the style cannot answer it. */
  readonly [S in StyleName]: { readonly text: string | null };
};

/** An applied rule of the translation, and its location. */
export type DescribedRule = {
  /** Its name. */
  readonly rule: string;
  /** Its text. */
  readonly means: string;
  /** The file of the operation, or of a fragment that it uses. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
};

/** A part of an operation that the styles would answer differently. */
export type Refusal = {
  /** The code of the finding, which `lockflow explain <code>` explains. */
  readonly code: string;
  /** The refusal, in a sentence. */
  readonly message: string;
  /** Its file: a path from the project's root. */
  readonly file: string | null;
  /** From 1. */
  readonly line: number | null;
  /** From 1. */
  readonly column: number | null;
  /** How to fix it; null if the message already says it. */
  readonly hint: string | null;
};

/**
 * Describes the result of compiling an operation.
 *
 * @param styles the styles whose texts are printed.
 */
export function describeMeant(
  { name, protocol, file, compiled, findings }: MeantOperation,
  styles: readonly StyleName[],
): CompiledText {
  const textOf = (style: StyleName) => {
    if (compiled === null || !styles.includes(style) || !hasText(compiled, style)) return null;
    const { node, fragments } = compiled.documents[style];
    return printDocument(node, fragments);
  };
  return {
    operation: name,
    protocol,
    file,
    subgraph: { text: textOf("subgraph") },
    multichain: { text: textOf("multichain") },
    variables: compiled === null ? [] : describeVariables(compiled),
    rules: (compiled?.rules ?? [])
      .map(({ rule, ...place }) => ({ rule, means: RULES[rule], ...place }))
      .sort((a, b) => comparePlaces(a, b) || compareCodeUnits(a.rule, b.rule)),
    refusals: findings.filter(isBreaking).map(toRefusal),
    notes: findings.filter((finding) => !isBreaking(finding)).map(toRefusal),
    unmerged: compiled?.facts.unmerged ?? null,
  };
}

/** Returns the sentence and the place of a finding. */
export function toRefusal({ code, message, place, fix }: Finding): Refusal {
  const { file = null, line = null, column = null } = place ?? {};
  return { code, message, file, line, column, hint: fix };
}
