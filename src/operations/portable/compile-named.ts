import { listSome } from "../../base/clean-text.ts";
import { compareCodeUnits } from "../../base/collections.ts";
import { UsageError } from "../../base/errors.ts";
import { nearestName } from "../../base/text.ts";
import { type IdForms, isOfBytes } from "../../dialects/id-forms.ts";
import { styles } from "../../dialects/index.ts";
import { typeExpression } from "../../dialects/parse-sdl.ts";
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import { type Protocol, STYLE_NAMES, type StyleName } from "../../dialects/surface.ts";
import { type Finding, isBreaking } from "../../report/finding.ts";
import type { Operation, OperationSource } from "../operation-set.ts";
import { parseOperations } from "../parse-operations.ts";
import { compileOperations } from "./compile-operations.ts";
import type { CompiledOperation, OperationFacts } from "./compiled-operation.ts";
import type { PortableContext } from "./read-entities.ts";

/** An operation that was selected by name, compiled if it is portable. */
export type MeantOperation = {
  /** Its name; empty if its file cannot be parsed. */
  readonly name: string;
  readonly protocol: Protocol;
  /** The file it is in: a path from the project's root. */
  readonly file: string;
  /** The authored operation; null if its file cannot be parsed. */
  readonly authored: Operation | null;
  /** Null if it is refused. */
  readonly compiled: CompiledOperation | null;
  /** The context of its compilation. */
  readonly context: PortableContext;
  /** Its findings; a refused operation has breaking ones. */
  readonly findings: readonly Finding[];
};

/** The portable operations of a protocol, and the context of their compilation. */
export type PortableSources = {
  readonly protocol: Protocol;
  /** The operations, and every file that they use. */
  readonly sources: readonly OperationSource[];
  /** Called only if an operation or an error was selected. */
  readonly context: () => PortableContext;
};

/** Compiles the selected portable operations of a protocol. */
export function compileMeant(
  { protocol, sources, context: readContext }: PortableSources,
  isMeant: (operation: string, file: string) => boolean,
): MeantOperation[] {
  const { set, findings: mistakes } = parseOperations(sources, { protocol, style: AUTHORED_STYLE });
  const meant = set.operations.filter(({ name, file }) => isMeant(name, file.path));
  const faulty = mistakes.filter(
    ({ place, code }) => code !== "operation/unused-fragment" && place !== null && isMeant("", place.file),
  );
  const [fault] = faulty;
  if (meant.length === 0 && fault === undefined) return [];
  const context = readContext();
  if (meant.length === 0) {
    const file = fault?.place?.file ?? "";
    return [{ name: "", protocol, file, authored: null, compiled: null, context, findings: faulty }];
  }
  const { operations, findings } = compileOperations(set, context);
  return meant.map((authored) => {
    const { name, file, fragments } = authored;
    const names = new Set([name, ...fragments.map((fragment) => fragment.name.value)]);
    const relevant = [...faulty, ...findings.filter(({ subject }) => names.has(subject))];
    const isRefused = relevant.some(isBreaking);
    const compiled = (!isRefused && operations.find((operation) => operation.name === name)) || null;
    return {
      name,
      protocol,
      file: file.path,
      authored,
      compiled,
      context,
      // Without findings of its own, all findings are returned, because one of them prevented it.
      findings: compiled || isRefused ? relevant : findings,
    };
  });
}

/** Throws a usage error for a name that no operation has, and lists the existing names. */
export function refuseOperationName({
  sentence,
  name,
  names,
  none,
}: {
  readonly sentence: string;
  readonly name: string;
  /** The names of the available operations. */
  readonly names: readonly string[];
  /** The hint if there are none. */
  readonly none: string;
}): never {
  const nearest = nearestName(name, names);
  const sorted = [...new Set(names)].sort(compareCodeUnits);
  const there = sorted.length === 0 ? none : `there are ${listSome(sorted, MOST_NAMES)}.`;
  throw new UsageError({
    sentence,
    hint: nearest === null ? `${there} A file is named by its path.` : `did you mean "${nearest}"?`,
  });
}

/** The most names in an error. */
const MOST_NAMES = 5;

/** A variable of the author or of Lockflow, and its variables in each style. */
export type DescribedVariable = {
  /** Without `$`. */
  readonly name: string;
  /** The declared type; null for an added variable. */
  readonly type: string | null;
} & { readonly [S in StyleName]: readonly VariableForm[] };

/** A variable of one style's document. */
export type VariableForm = {
  /** Without `$`. */
  readonly name: string;
  /** The type in that document. */
  readonly type: string;
  /** How the value is changed, for people. */
  readonly value: string;
};

/** Describes the variables of both documents: the author's in their order, then the added ones. */
export function describeVariables({ documents, facts, variables }: CompiledOperation): DescribedVariable[] {
  const declared = (style: StyleName) => documents[style].node.variableDefinitions ?? [];
  const formOf = (style: StyleName, name: string, value: string): VariableForm => {
    const definition = declared(style).find(({ variable }) => variable.name.value === name);
    return { name, type: definition === undefined ? "" : typeExpression(definition.type), value };
  };
  const described = variables.map(({ name, type, becomes }): DescribedVariable => {
    const forms = (style: StyleName) =>
      becomes[style].map((to) => formOf(style, to, describeValue(facts, style, { from: name, to })));
    return { name, type, multichain: forms("multichain"), subgraph: forms("subgraph") };
  });
  const names = new Set(
    described.flatMap((variable) => STYLE_NAMES.flatMap((style) => variable[style].map(({ name }) => name))),
  );
  const added = STYLE_NAMES.flatMap((style) =>
    declared(style).flatMap(({ variable: { name } }): DescribedVariable[] => {
      if (names.has(name.value)) return [];
      const literal = facts.idVariables.find(({ to, from }) => from === null && to === name.value);
      const value = facts.chainIds.includes(name.value)
        ? "the requested chains"
        : literal === undefined
          ? "the height that is asked for"
          : `${JSON.stringify(literal.default)}, ${describeForm(literal.forms)}`;
      const forms = [formOf(style, name.value, value)];
      return [{ name: name.value, type: null, multichain: [], subgraph: [], [style]: forms }];
    }),
  );
  return [...described, ...added];
}

function describeForm(forms: IdForms): string {
  const { entity, multichain } = forms;
  const [, replacement] = multichain;
  if (isOfBytes(forms)) return `bytes as ${replacement.replace("$1", "<digits>")}`;
  return `the id of ${entity} as ${replacement.replaceAll("$$", "$")}`;
}

function describeValue(
  facts: OperationFacts,
  style: StyleName,
  { from, to }: { readonly from: string; readonly to: string },
): string {
  const isOfBytes = facts.bytes.includes(from) || facts.ids.includes(from);
  const plain = isOfBytes ? "in lower case" : "as it is";
  // The authored dialect takes values unchanged.
  if (styles[style].portable.kind === "authored") return plain;
  const id = facts.idVariables.find((part) => part.to === to);
  if (id !== undefined) return describeForm(id.forms);
  const wrap = facts.wrap.find((part) => part.style === style && part.to === to);
  if (wrap !== undefined && wrap.before + wrap.after !== "") {
    const shown = `${wrap.before}<${wrap.isBytes ? "digits" : "value"}>${wrap.after}`;
    return wrap.isWhole ? `${shown}, or the value if it begins or ends with %` : shown;
  }
  if (facts.comparisons.some((part) => part.to === to)) return "the comparison with the value, or with null";
  const filter = facts.filters.find((part) => part.to === to);
  if (filter !== undefined) return `the filter of ${filter.entity}, translated`;
  const order = facts.orders.find((part) => part.to === to);
  if (order === undefined) return plain;
  const { direction } = order;
  return `the order of ${order.entity}, ${typeof direction === "string" ? direction : `in the direction of $${direction.variable}`}`;
}
