import { sqlName } from "../../../src/dialects/subgraph/rules/table-rules.ts";
import type { PostgresClient } from "./start-postgres.ts";

/** A full text search: an entry of `@fulltext`. */
export type NodeSearch = {
  readonly name: string;
  readonly entity: string;
  /** The searched fields. */
  readonly searched?: readonly string[];
  /** The language of their words: `en`. @default "simple" */
  readonly language?: string;
};

/** PostgreSQL's names of the languages. */
const LANGUAGES: Readonly<Record<string, string>> = {
  da: "danish",
  nl: "dutch",
  en: "english",
  fi: "finnish",
  fr: "french",
  de: "german",
  hu: "hungarian",
  it: "italian",
  no: "norwegian",
  pt: "portuguese",
  ro: "romanian",
  ru: "russian",
  es: "spanish",
  sv: "swedish",
  tr: "turkish",
};

/** Writes the search columns of rows like an indexing node. Lists have no words there. */
export async function writeSearches(
  client: PostgresClient,
  schema: string,
  searches: readonly NodeSearch[],
): Promise<void> {
  for (const { name, entity, searched = [], language = "simple" } of searches) {
    const words = searched.map(
      (field) => `to_tsvector('${LANGUAGES[language] ?? "simple"}', coalesce("${sqlName(field)}"::text, ''))`,
    );
    await client.query(
      `UPDATE "${schema}"."${sqlName(entity)}" SET "${sqlName(name)}" = ${["''::tsvector", ...words].join(" || ")}`,
    );
  }
}
