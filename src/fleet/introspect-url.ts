import type { ApiSchema } from "../schema/api-schema.ts";
import { canonicalize } from "../schema/canonicalize.ts";
import { INTROSPECTION_QUERY } from "../schema/introspection-query.ts";
import { parseIntrospection } from "../schema/parse-introspection.ts";
import { styles } from "../styles/index.ts";
import { parseGraphqlBody } from "./parse-graphql-body.ts";
import { postGraphql } from "./post-graphql.ts";
import { createSchemaReader } from "./read-schema.ts";
import { secretsOf, type Target } from "./resolve-targets.ts";

/** Asks a URL for its canonical schema, with the key and the headers of the target that it is of. */
export async function introspectUrl(url: string, target: Target | null, timeout: number): Promise<ApiSchema> {
  const headers = target?.headers ?? {};
  const bytes = await postGraphql({ url, headers, query: INTROSPECTION_QUERY, timeout });
  if (target === null) return canonicalize(parseIntrospection(parseGraphqlBody(bytes).data));
  const read = createSchemaReader([], secretsOf([target]));
  return read(bytes, styles[target.deployment.style]).schema;
}
