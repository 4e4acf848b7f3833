import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import { parseOperations } from "../operations/parse-operations.ts";
import { compileOperations } from "../operations/portable/compile-operations.ts";
import type { CompiledOperation } from "../operations/portable/compiled-operation.ts";
import { type PortableContext, readFacts } from "../operations/portable/read-entities.ts";
import { isBreaking } from "../report/finding.ts";
import { type SurfaceMatch, withTypes } from "./classify-surface.ts";
import { compareQuestions } from "./compare-questions.ts";
import { emitPrinted, emitSource, type TextChanges } from "./emit-text.ts";
import type { FoundOperation } from "./find-operations.ts";
import { type Reason, uniqueReasons } from "./port-types.ts";
import { type Question, readQuestion } from "./read-question.ts";
import { translate } from "./translate.ts";

/** An operation of a surface, with the result of porting it. */
export type Attempt = {
  readonly source: FoundOperation;
  readonly match: SurfaceMatch;
  readonly context: PortableContext;
  /** Null if it is not portable; the reasons say why. */
  readonly portable: {
    readonly compiled: CompiledOperation;
    readonly emit: Emit;
    /** The variables of the compiled multichain document by those of the original; empty for a subgraph document. */
    readonly variables: ReadonlyMap<string, string>;
  } | null;
  /** Its question, in the terms of multichain; null if it could not be read. */
  readonly question: Question | null;
  readonly reasons: readonly Reason[];
  /** Writes it for its own style. */
  readonly emitOwn: Emit;
};

/** Writes the text of an operation with its fragments, under names. */
export type Emit = (names: Pick<TextChanges, "name" | "fragments">) => string;

/** Ports an operation of a surface, as far as it is exact. */
export function attemptOperation(
  source: FoundOperation,
  match: SurfaceMatch,
  context: PortableContext,
): Attempt {
  const emitOwn: Emit = (names) => emitSource(source, { ...names, types: match.types });
  const parts = { source, match, context, emitOwn };
  const facts = readFacts(context);
  const unchanged = { name: source.name, fragments: new Map<string, string>() };
  return match.surface.style === AUTHORED_STYLE ? ofAuthored() : ofWritten();

  function ofAuthored(): Attempt {
    const { compiled, reasons, notes } = compileText(emitOwn(unchanged), source.name, context);
    if (compiled === null) return { ...parts, portable: null, question: null, reasons };
    const question = readQuestion(compiled.documents[facts.written.style], facts);
    const portable = { compiled, emit: emitOwn, variables: new Map() };
    return { ...parts, question, portable, reasons: notes };
  }

  function ofWritten(): Attempt {
    const typed = { node: withTypes(source.node, match.types), fragments: source.fragments };
    const question = readQuestion(typed, facts);
    const { portable: definitions, reasons } = translate(typed, facts);
    if (definitions === null) return { ...parts, question, portable: null, reasons };
    const originals = [source.node, ...source.fragments];
    const emit: Emit = (names) => emitPrinted(definitions, originals, names);
    const { compiled, reasons: refusals, notes } = compileText(emit(unchanged), source.name, context);
    if (compiled === null) return { ...parts, question, portable: null, reasons: refusals };
    const again = readQuestion(compiled.documents[facts.written.style], facts);
    const { differences, variables } = compareQuestions(question, again);
    const [difference] = differences;
    if (difference !== undefined) {
      const { path, multichain, subgraph } = difference;
      const message = `As a portable operation, \`${path}\` would be \`${subgraph}\` instead of \`${multichain}\`.`;
      return { ...parts, question, portable: null, reasons: [{ code: "port/not-exact", message }] };
    }
    const portable = { compiled, emit, variables };
    return { ...parts, question, portable, reasons: [...reasons, ...notes] };
  }
}

/** Compiles the text of one operation with its fragments. */
export function compileText(text: string, name: string, context: PortableContext) {
  const sources = [{ path: `${name}.graphql`, text }];
  const surface = { protocol: context.definition.key, style: AUTHORED_STYLE };
  const { set, findings: mistakes } = parseOperations(sources, surface);
  const result = compileOperations(set, context);
  const findings = [...mistakes, ...result.findings];
  const toReason = ({ code, message }: Reason): Reason => ({ code, message });
  const refusals = findings.filter(isBreaking);
  const [compiled = null] = refusals.length === 0 ? result.operations : [];
  return {
    compiled,
    reasons: uniqueReasons(refusals.map(toReason)),
    notes: uniqueReasons(findings.filter((finding) => !isBreaking(finding)).map(toReason)),
  };
}
