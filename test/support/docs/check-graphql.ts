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
import type { StyleName } from "../../../src/dialects/surface.ts";
import { compileOperations } from "../../../src/operations/portable/compile-operations.ts";
import { resolveProtocols } from "../../../src/project/protocols.ts";
import type { Finding } from "../../../src/report/finding.ts";
import { PORTABLE_FOLDER } from "../../../src/workspace/operation-files.ts";
import { graphqlSchema, snapshotModel, writtenSchema } from "../../../src/workspace/snapshot-schema.ts";
import { readRepositoryFile, readRepositoryTree } from "../repository.ts";
import type { Block } from "./parse-markdown.ts";

/**
 * Parses a block. If it names a snapshot ("```graphql lockup/subgraph"), validates it against that snapshot, together
 * with the fragments of the repository's operations. A portable block ("```graphql lockup/portable") is compiled for
 * both styles.
 */
export function checkGraphql({ path, line, info, code }: Block): string[] {
  try {
    const document = parse(code);
    if (info === "") return [];
    const [protocol = "", folder] = info.split("/");
    if (folder === PORTABLE_FOLDER) {
      const found = compile(protocol, withFragments(document, info), path);
      return found.map(({ place, message }) => `${path}:${line - 1 + (place?.line ?? 1)} ${message}`);
    }
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

/** Returns the problems of portable operations. */
function compile(protocol: string, document: DocumentNode, path: string): readonly Finding[] {
  const definition = resolveProtocols({}).find(({ key }) => key === protocol);
  if (definition === undefined) throw new GraphQLError(`There is no protocol "${protocol}".`);
  const readings = (style: StyleName) => {
    const base = {
      path: `${protocol}/${style}`,
      text: readRepositoryFile(`generated/schemas/${protocol}/${style}.graphql`),
      hash: "",
    };
    const snapshot = { protocol, style, base, variants: [] };
    return { api: writtenSchema(base), graphql: graphqlSchema(base), model: snapshotModel(snapshot) };
  };
  const file = { path, text: "", document };
  const fragments = document.definitions
    .filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
    .map((node) => ({ name: node.name.value, file, node }));
  const operations = document.definitions
    .filter((node) => node.kind === Kind.OPERATION_DEFINITION)
    .map((node) => ({
      name: node.name?.value ?? "",
      file,
      node,
      fragments: fragments.map((part) => part.node),
    }));
  const set = { operations, fragments: new Map(fragments.map((fragment) => [fragment.name, fragment])) };
  const schemas = { multichain: readings("multichain"), subgraph: readings("subgraph") };
  return compileOperations(set, { definition, schemas }).findings;
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
  // Those of multichain operations are compiled of the same selections.
  const portable = `${target.split("/")[0]}/${PORTABLE_FOLDER}`;
  const available = new Map(
    Object.entries(readRepositoryTree("operations"))
      .filter(([path]) => path.startsWith(`${target}/`) || path.startsWith(`${portable}/`))
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
