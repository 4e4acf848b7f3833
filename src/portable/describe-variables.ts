import { STYLE_NAMES, type StyleName } from "../project/vocabulary.ts";
import { typeExpression } from "../schema/parse-sdl.ts";
import { styles } from "../styles/index.ts";
import type { CompiledOperation, OperationFacts } from "./compiled-operation.ts";

/** A variable as the author declared it, or one that Lockflow adds, and as whom each style takes it. */
export type DescribedVariable = {
  /** Without `$`. */
  readonly name: string;
  /** As declared; null for one that is added. */
  readonly type: string | null;
} & { readonly [S in StyleName]: readonly VariableForm[] };

/** A variable of one style's document. */
export type VariableForm = {
  /** Without `$`. */
  readonly name: string;
  /** As the document declares it. */
  readonly type: string;
  /** What becomes of the value, in the words of people. */
  readonly value: string;
};

/** Describes the variables of both documents: the author's in their order, then those that are added. */
export function describeVariables({ documents, facts, variables }: CompiledOperation): DescribedVariable[] {
  const declared = (style: StyleName) => documents[style].node.variableDefinitions ?? [];
  const formOf = (style: StyleName, name: string, value: string): VariableForm => {
    const definition = declared(style).find(({ variable }) => variable.name.value === name);
    return { name, type: definition === undefined ? "" : typeExpression(definition.type), value };
  };
  const own = variables.map(({ name, type, becomes }): DescribedVariable => {
    const forms = (style: StyleName) =>
      becomes[style].map((to) => formOf(style, to, describeValue(facts, style, name, to)));
    return { name, type, multichain: forms("multichain"), subgraph: forms("subgraph") };
  });
  const known = new Set(
    own.flatMap((one) => STYLE_NAMES.flatMap((style) => one[style].map(({ name }) => name))),
  );
  const added = STYLE_NAMES.flatMap((style) =>
    declared(style).flatMap(({ variable: { name } }): DescribedVariable[] => {
      if (known.has(name.value)) return [];
      const value = facts.chainIds.includes(name.value)
        ? "the chains that are asked"
        : "the height that is asked for";
      const forms = [formOf(style, name.value, value)];
      return [{ name: name.value, type: null, multichain: [], subgraph: [], [style]: forms }];
    }),
  );
  return [...own, ...added];
}

function describeValue(facts: OperationFacts, style: StyleName, from: string, to: string): string {
  const isOfBytes = facts.bytes.includes(from) || facts.ids.includes(from);
  const plain = isOfBytes ? "in lower case" : "as it is";
  // The author's own dialect takes what the author means.
  if (styles[style].portable.kind === "authored") return plain;
  const wrap = facts.wrap.find((one) => one.style === style && one.to === to);
  if (wrap !== undefined && wrap.before + wrap.after !== "") {
    const shown = `${wrap.before}<${wrap.isBytes ? "digits" : "value"}>${wrap.after}`;
    return wrap.isWhole ? `${shown}, or the value if a % begins or ends it` : shown;
  }
  const filter = facts.filters.find((one) => one.to === to);
  if (filter !== undefined) return `the filter of ${filter.entity}, translated`;
  const order = facts.orders.find((one) => one.to === to);
  if (order === undefined) return plain;
  const { direction } = order;
  return `the order of ${order.entity}, ${typeof direction === "string" ? direction : `in the direction of $${direction.variable}`}`;
}
