import {
  buildSchema,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoUnusedFragmentsRule,
  parse,
  specifiedRules,
  validate,
  visit,
} from "graphql";
import { readRepositoryTree } from "../repository.ts";
import type { Block } from "./parse-markdown.ts";

/**
 * Parses a block and, when it says of which snapshot it is ("```graphql lockup/subgraph"), validates it against
 * that one, with the fragments of the repository's operations at hand.
 */
export function checkGraphql({ path, line, info, code }: Block): string[] {
  try {
    const document = parse(code);
    if (info === "") return [];
    const schema = schemas()[info];
    if (schema === undefined) return [`${path}:${line} There is no snapshot "${info}".`];
    // A block may show a fragment alone.
    const rules = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule);
    return validate(schema, withFragments(document, info), rules).map((error) => render(error, path, line));
  } catch (error) {
    if (error instanceof GraphQLError) return [render(error, path, line)];
    throw error;
  }
}

function render({ message, locations }: GraphQLError, path: string, firstLine: number): string {
  return `${path}:${firstLine - 1 + (locations?.[0]?.line ?? 1)} ${message}`;
}

let known: Readonly<Record<string, GraphQLSchema>> | undefined;

function schemas(): Readonly<Record<string, GraphQLSchema>> {
  known ??= Object.fromEntries(
    Object.entries(readRepositoryTree("generated/schemas"))
      .filter(([path]) => path.endsWith(".graphql"))
      .map(([path, text]) => [
        path.replace(/\.graphql$/, ""),
        buildSchema(text, { assumeValidSDL: true, noLocation: true }),
      ]),
  );
  return known;
}

function withFragments(document: DocumentNode, target: string): DocumentNode {
  const available = new Map(
    Object.entries(readRepositoryTree("operations"))
      .filter(([path]) => path.startsWith(`${target}/`))
      .flatMap(([, text]) => parse(text).definitions)
      .flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [])),
  );
  const definitions = [...document.definitions];
  const defined = new Set(
    definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [node.name.value] : [])),
  );
  // The list grows while it is read: a fragment that was added may spread others.
  for (const definition of definitions) {
    visit(definition, {
      FragmentSpread: ({ name: { value } }) => {
        const fragment = available.get(value);
        if (fragment && !defined.has(value)) definitions.push(fragment);
        defined.add(value);
      },
    });
  }
  return { ...document, definitions };
}
