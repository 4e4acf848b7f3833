import { Kind, print, TypeInfo, visit, visitWithTypeInfo } from "graphql";
import { FORMAT } from "../../../packages/client/src/client/portable-operation.ts";
import { responseKey } from "../../dialects/make-node.ts";
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import type { StyleName } from "../../dialects/surface.ts";
import type { AnyPortableOperation } from "../../generate/portable/portable-operation.ts";
import type { Facts } from "../../operations/portable/read-entities.ts";
import { printDocument } from "../../operations/print-document.ts";
import type { Attempt } from "./attempt.ts";
import { rootFields, withTypes } from "./classify-surface.ts";
import type { Definitions } from "./port-types.ts";
import { readQuestion } from "./read-question.ts";
import { queryGrammar } from "./translate.ts";

/** A chain on which answers are compared. */
export type ProvedChain = { readonly key: string; readonly id: number };

/** The request of an original. */
export type Original = {
  readonly style: StyleName;
  readonly operation: AnyPortableOperation;
  /** The keys of its root fields, by path. */
  readonly keys: ReadonlyMap<string, string>;
  /** Whether it requests the rows of every chain. */
  readonly isOfAllChains: boolean;
  /** The chains that it names as literals. */
  readonly chainIds: readonly number[];
  /** Maps the variables of the compiled document of its style to its own. */
  readonly map: (sent: Readonly<Record<string, unknown>>, chain: ProvedChain) => Record<string, unknown>;
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
  const { found, match, question } = attempt;
  const { style, protocol } = match.surface;
  const { definitions, chain } =
    style === AUTHORED_STYLE
      ? { definitions: found, chain: "" }
      : { definitions: completeOrders(found, match.schema), chain: question?.chain ?? "" };
  const declared = found.node.variableDefinitions ?? [];
  const names = new Map(declared.map(({ variable, type }) => [variable.name.value, print(type)]));
  const chainVariables = [...chain.matchAll(/\$(\w+)/g)].flatMap(([, name = ""]) => name);
  const own = [...names.keys()].filter((name) => !chainVariables.includes(name));
  const node = withTypes(definitions.node, match.types);
  const name = { kind: Kind.NAME, value: node.name?.value ?? "Original" } as const;
  const text = printDocument({ ...node, name }, definitions.fragments);
  const operation = buildSent({ name: found.name, protocol, style, text });
  // The root keys of a subgraph document are those of the answer.
  const keys =
    style === AUTHORED_STYLE
      ? new Map(rootFields(definitions).map((field) => [responseKey(field), responseKey(field)]))
      : readQuestion(definitions, facts).keys;
  return {
    ...{ style, operation, keys, isOfAllChains: style !== AUTHORED_STYLE && chain === "" },
    chainIds: [...chain.matchAll(/(?<![\w$])\d+/g)].map(([id]) => Number(id)),
    map: (sent, { id }) => {
      const given = own.flatMap((name) => {
        const value = sent[renamed.get(name) ?? name];
        return value === undefined ? [] : [[name, value] as const];
      });
      const chains = chainVariables.map(
        (name) => [name, names.get(name)?.startsWith("[") ? [id] : id] as const,
      );
      return Object.fromEntries([...given, ...chains]);
    },
  };
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
export function buildSent({
  name,
  protocol,
  style,
  text,
}: Pick<AnyPortableOperation, "name" | "protocol"> & {
  readonly style: StyleName;
  readonly text: string;
}): AnyPortableOperation {
  return { format: FORMAT, name, protocol, multichain: "", subgraph: "", numbers: null, [style]: text };
}
