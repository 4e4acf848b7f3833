import { join } from "node:path";
import { readForeignText } from "../../base/read-files.ts";
import { uncapitalize } from "../../base/text.ts";
import type { Project } from "../../project/project.ts";
import { listGivenSources } from "../../workspace/given-sources.ts";

/** Larger files of code are generated. */
const MOST_BYTES = 1024 * 1024;

/**
 * Finds the files that seem to have queries for the protocols of a project: they hold GraphQL and name a list of an entity.
 * Parses nothing. Paths start at the project's root.
 */
export function findQueries(project: Project): readonly string[] {
  const entities = new Set(project.definitions.flatMap(namedEntities));
  if (entities.size === 0) return [];
  // `Stream(`, `Stream_by_pk(` and `streams {`.
  const names = [...entities].flatMap((name) => [name, `${uncapitalize(name)}s?`]);
  const field = new RegExp(`(?<![\\w$.])(?:${names.join("|")})(?:_by_pk|_aggregate)?\\s*[({]`);
  const { root } = project;
  const { paths } = listGivenSources(project, { cwd: root, patterns: ["."] }, (path) => SOURCE.test(path));
  return paths.filter((path) => {
    const { text } = readForeignText(join(root, path), MOST_BYTES);
    if (text === null || !field.test(text)) return false;
    return GRAPHQL.test(path) || /\bgql\b|\bgraphql\s*\(|GraphQL\s*\*\//.test(text);
  });
}

const GRAPHQL = /\.(?:graphql|gql)$/;
const SOURCE = /\.(?:graphql|gql|[cm]?[jt]sx?)$/;

/** The entities that a definition names. */
function namedEntities({ identity, cursors, ids, chainPath }: Project["definitions"][number]): string[] {
  const own = identity.protocol === null ? [] : [identity.protocol.entity];
  return [...own, ...[cursors, ids, chainPath].flatMap((named) => Object.keys(named))];
}
