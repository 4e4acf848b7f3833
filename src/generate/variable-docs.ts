import {
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  Kind,
  type StringValueNode,
  TypeInfo,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { cached } from "../base/cached.ts";
import type { Operation } from "./operation-set.ts";
import { type SchemaDocs, servedDoc } from "./schema-docs.ts";
import type { Doc } from "./type-tree.ts";

/** What a variable is given for: an argument, or an input field. */
type Use = { readonly name: string; readonly doc: Doc | null };

/** Documents an operation's variables by their own descriptions, else by the arguments and input fields they are for. */
export function documentVariables(
  operation: Operation,
  schema: GraphQLSchema,
  docs: SchemaDocs,
): ReadonlyMap<string, Doc> {
  // What is written once is asked about by the module of its style, and by that of both.
  const ofDocs = cached(known, docs, () => new WeakMap<Operation, ReadonlyMap<string, Doc>>());
  return cached(ofDocs, operation, () => document(operation, schema, docs));
}

const known = new WeakMap<SchemaDocs, WeakMap<Operation, ReadonlyMap<string, Doc>>>();

function document(
  { node, fragments }: Operation,
  schema: GraphQLSchema,
  docs: SchemaDocs,
): ReadonlyMap<string, Doc> {
  const variables = node.variableDefinitions ?? [];
  if (variables.length === 0) return new Map();
  const uses = new Map<string, Use[]>();
  /** The argument that is visited, and the input fields in it. */
  const path: Use[] = [];
  const leave = () => void path.pop();
  const types = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(types, {
    VariableDefinition: () => false,
    Argument: {
      enter: ({ name }) => void path.push({ name: name.value, doc: servedDoc(types.getArgument()) }),
      leave,
    },
    ObjectField: {
      enter: ({ name: { value: name } }) => {
        const input = getNamedType(types.getParentInputType());
        if (!isInputObjectType(input)) return false;
        const doc = docs.docOf(input.name, name);
        const parent = path.length > 1 ? path.at(-1) : undefined;
        // `{ sender: { _eq: $sender } }`: where nothing is said of the operator, it is about the field.
        const isOperator = doc === null && !docs.isOfEntityField(input.name, name);
        path.push(parent && isOperator ? parent : { name, doc });
        return undefined;
      },
      leave,
    },
    Variable: ({ name }) => {
      const use = path.at(-1);
      if (use) cached(uses, name.value, (): Use[] => []).push(use);
    },
  });
  visit({ kind: Kind.DOCUMENT, definitions: [node, ...fragments] }, visitor);
  return new Map(
    variables.flatMap((variable): [string, Doc][] => {
      const name = variable.variable.name.value;
      const doc = ownDoc(variable) ?? mergeUses(uses.get(name) ?? []);
      return doc ? [[name, doc]] : [];
    }),
  );
}

function ownDoc(variable: VariableDefinitionNode): Doc | null {
  const { description }: { readonly description?: StringValueNode | undefined } = variable;
  return servedDoc({ description: description?.value });
}

/** Of several uses each is named, and only what all of them deprecate is deprecated. */
function mergeUses(uses: readonly Use[]): Doc | null {
  const documented = new Map<string, Use & { readonly doc: Doc }>();
  for (const { name, doc } of uses) {
    if (doc) documented.set(JSON.stringify([name, doc]), { name, doc });
  }
  const [first, ...others] = documented.values();
  if (!first) return null;
  if (others.length === 0) return first.doc;
  const lines = [first, ...others].map(
    ({ name, doc }) => `- \`${name}\`: ${doc.description ?? "deprecated"}`,
  );
  const deprecated = uses.every(({ doc }) => doc?.deprecation != null);
  return { description: lines.join("\n"), deprecation: deprecated ? first.doc.deprecation : null };
}
