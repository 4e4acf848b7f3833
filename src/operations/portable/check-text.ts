import { styles } from "../../dialects/index.ts";
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import { type Finding, uniqueFindings } from "../../report/finding.ts";
import { findPitfalls } from "../find-pitfalls.ts";
import type { OperationSet, OperationSource } from "../operation-set.ts";
import { parseOperations } from "../parse-operations.ts";
import { compileMeant, type MeantOperation } from "./compile-named.ts";
import type { PortableContext } from "./read-entities.ts";

/** A text of portable operations. */
export type CheckedText = {
  readonly operations: readonly MeantOperation[];
  /** The operations that are not refused, as written. */
  readonly authored: OperationSet;
  /** Those of the compilation, and pitfalls. */
  readonly findings: readonly Finding[];
};

/**
 * Compiles a text of portable operations, and finds their pitfalls.
 *
 * @param library fragments that the text may use. A fragment of the text replaces that of its name.
 */
export function checkText(
  source: OperationSource,
  library: readonly OperationSource[],
  context: PortableContext,
): CheckedText {
  const fragments = library.filter(({ text }) => {
    const [, name] = /^fragment (\w+)/m.exec(text) ?? [];
    return !new RegExp(`\\bfragment\\s+${name}\\b`).test(source.text);
  });
  const protocol = context.definition.key;
  const sources = [source, ...fragments];
  const operations = compileMeant(
    { protocol, sources, context: () => context },
    (_, file) => file === source.path,
  );
  const names = operations.filter(({ compiled }) => compiled !== null).map(({ name }) => name);
  const { set } = parseOperations(sources, { protocol, style: AUTHORED_STYLE });
  const authored = { ...set, operations: set.operations.filter(({ name }) => names.includes(name)) };
  const pitfalls = findPitfalls(authored, context.schemas[AUTHORED_STYLE].graphql, {
    pitfalls: styles[AUTHORED_STYLE].pitfalls,
    protocol: context.definition,
  });
  const findings = operations.flatMap((operation) => operation.findings);
  return { operations, authored, findings: uniqueFindings([...findings, ...pitfalls]) };
}
