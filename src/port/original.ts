import { GraphQLError, Kind, parse, print, TypeInfo, visit, visitWithTypeInfo } from "graphql";
import { FORMAT } from "../../packages/client/src/client/portable-operation.ts";
import { responseKey } from "../dialects/make-node.ts";
import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import type { StyleName } from "../dialects/surface.ts";
import type { AnyPortableOperation } from "../generate/portable/portable-operation.ts";
import type { Facts } from "../operations/portable/read-entities.ts";
import { printDocument } from "../operations/print-document.ts";
import type { Attempt } from "./attempt.ts";
import { rootFields, withTypes } from "./classify-surface.ts";
import { writeValues } from "./fill-holes.ts";
import type { FoundOperation } from "./find-operations.ts";
import { type Definitions, usedVariables } from "./port-types.ts";
import { readQuestion } from "./read-question.ts";
import { queryGrammar } from "./translate.ts";

/** A chain on which answers are compared. */
export type ProvedChain = { readonly key: string; readonly id: number };

export type Original = {
  readonly style: StyleName;
  /** The keys of its root fields, by path. */
  readonly keys: ReadonlyMap<string, string>;
  /** Whether it requests the rows of every chain. */
  readonly isOfAllChains: boolean;
  /** The chains that it names as literals. */
  readonly chainIds: readonly number[];
  /**
   * Returns the request for variables of the compiled document of its style. Values in its text are written into it. Null if
   * one of them has no value, or the code never writes its value.
   */
  readonly request: (
    sent: Readonly<Record<string, unknown>>,
    chain: ProvedChain,
  ) => { readonly operation: AnyPortableOperation; readonly variables: Record<string, unknown> } | null;
};

/**
 * Creates the request of an original.
 *
 * @param renamed the variables of the compiled document of its style by its own.
 */
export function createOriginal(
  attempt: Attempt,
  renamed: ReadonlyMap<string, string>,
  facts: Facts,
): Original {
  const { source, match, question } = attempt;
  const { style, protocol } = match.surface;
  const complete = (written: Definitions) =>
    style === AUTHORED_STYLE ? written : completeOrders(written, match.schema);
  const definitions = complete(source);
  const chain = style === AUTHORED_STYLE ? "" : (question?.chain ?? "");
  const chainVariables = [...chain.matchAll(/\$(\w+)/g)].flatMap(([, name = ""]) => name);
  const used = usedVariables(source);
  const declaredOf = ({ node }: Definitions) =>
    (withTypes(node, match.types).variableDefinitions ?? []).filter(({ variable }) =>
      used.has(variable.name.value),
    );
  const build = (written: Definitions) => {
    const name = { kind: Kind.NAME, value: written.node.name?.value ?? "Original" } as const;
    const node = { ...written.node, name, variableDefinitions: declaredOf(written) };
    return buildSent({ name: source.name, protocol, style, text: printDocument(node, written.fragments) });
  };
  const operation = build(definitions);
  // The root keys of a subgraph document are those of the answer.
  const keys =
    style === AUTHORED_STYLE
      ? new Map(rootFields(definitions).map((field) => [responseKey(field), responseKey(field)]))
      : readQuestion(definitions, facts).keys;
  return {
    style,
    keys,
    isOfAllChains: style !== AUTHORED_STYLE && chain === "",
    chainIds: [...chain.matchAll(/(?<![\w$])\d+/g)].map(([id]) => Number(id)),
    request: (sent, { id }) => {
      const entries = declaredOf(source).flatMap(({ variable, type }) => {
        const name = variable.name.value;
        const ofChain = print(type).startsWith("[") ? [id] : id;
        const value = chainVariables.includes(name) ? ofChain : sent[renamed.get(name) ?? name];
        return value === undefined ? [] : [[name, value] as const];
      });
      const { filled } = source;
      if (filled === null) return { operation, variables: Object.fromEntries(entries) };
      const values = new Map(entries);
      if (filled.names.some((name) => used.has(name) && !values.has(name))) return null;
      const text = writeValues(filled, values);
      const written = text === null ? null : parseAgain(text, source);
      if (written === null) return null;
      const others = entries.filter(([name]) => !filled.names.includes(name));
      return { operation: build(complete(written)), variables: Object.fromEntries(others) };
    },
  };
}

/** Returns an operation as another text of its document has it; null if that has a syntax error. */
export function parseAgain(text: string, { index, fragments }: FoundOperation): Definitions | null {
  try {
    const { definitions } = parse(text);
    const node = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)[index];
    const defined = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
    const used = fragments.map(
      (fragment) => defined.find(({ name }) => name.value === fragment.name.value) ?? fragment,
    );
    return node === undefined ? null : { node, fragments: used };
  } catch (error) {
    if (error instanceof GraphQLError) return null;
    throw error;
  }
}

/** If an original does not define the order of equal rows, any order is right. Sorted by id, they can be compared. */
function completeOrders({ node, fragments }: Definitions, schema: Attempt["match"]["schema"]): Definitions {
  const { reader } = queryGrammar();
  const info = new TypeInfo(schema);
  const complete = <T extends Definitions["node"] | Definitions["fragments"][number]>(definition: T): T =>
    visit(
      definition,
      visitWithTypeInfo(info, {
        Field: {
          leave: (field) => {
            const names = info.getFieldDef()?.args.map(({ name }) => name) ?? [];
            return reader.isList(names) ? reader.completeOrder(field) : undefined;
          },
        },
      }),
    );
  return { node: complete(node), fragments: fragments.map(complete) };
}

/** An operation that sends a text and its variables unchanged, in one style. */
export function buildSent(
  sent: Pick<AnyPortableOperation, "name" | "protocol"> & {
    readonly style: StyleName;
    readonly text: string;
  },
): AnyPortableOperation {
  const { name, protocol, style, text } = sent;
  return { format: FORMAT, name, protocol, multichain: "", subgraph: "", numbers: null, [style]: text };
}
