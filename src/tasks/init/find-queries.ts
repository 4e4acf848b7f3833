import { join } from "node:path";
import { readForeignText } from "../../base/read-files.ts";
import { uncapitalize } from "../../base/text.ts";
import type { Project } from "../../project/project.ts";
import { listGivenSources } from "../../workspace/given-sources.ts";

/** Larger files of code are generated. */
const MOST_BYTES = 1024 * 1024;

/**
 * Finds the files that seem to have queries for the protocols of a project: they hold GraphQL and name a list of an entity.
 * Files that a code generator wrote are left out. Parses nothing. Paths start at the project's root.
 */
export function findQueries(project: Project): readonly string[] {
  const entities = new Set(project.definitions.flatMap(namedEntities));
  if (entities.size === 0) return [];
  // `Stream(`, `Stream_by_pk(` and `streams {`.
  const names = [...entities].flatMap((name) => [name, `${uncapitalize(name)}s?`]);
  const field = new RegExp(`(?<![\\w$.])(?:${names.join("|")})(?:_by_pk|_aggregate)?\\s*[({]`);
  const { root } = project;
  const isSource = (path: string) => SOURCE.test(path) && !GENERATED_PATH.test(path);
  const { paths } = listGivenSources(project, { cwd: root, patterns: ["."] }, isSource);
  return paths.filter((path) => {
    const { text } = readForeignText(join(root, path), MOST_BYTES);
    if (text === null || !field.test(text) || GENERATED.test(text)) return false;
    if (GRAPHQL.test(path)) return OPERATION.test(text);
    return /\bgql\b|\bgraphql\s*\(|GraphQL\s*\*\//.test(text);
  });
}

const GRAPHQL = /\.(?:graphql|gql)$/;
const SOURCE = /\.(?:graphql|gql|[cm]?[jt]sx?)$/;

/** A schema is not a query. */
const OPERATION = /^\s*(?:query|subscription|fragment|\{)/m;

const GENERATED_PATH = /(?:^|\/)__generated__\/|\.generated\.\w+$/;

/** The words of generators above their output, and a type that GraphQL Code Generator declares where it has no such words. */
const GENERATED =
  /^\s*\/\* eslint-disable \*\/|@generated\b|\bauto-?generated\b|\bautomatically generated\b|\bdo not edit\b|type Exact<T extends \{/i;

/** The entities that a definition names. */
function namedEntities({ identity, cursors, ids, chainPath }: Project["definitions"][number]): string[] {
  const identified = identity.protocol === null ? [] : [identity.protocol.entity];
  return [...identified, ...[cursors, ids, chainPath].flatMap((named) => Object.keys(named))];
}
