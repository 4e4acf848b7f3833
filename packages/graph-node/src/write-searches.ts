import { sqlName } from "../../../src/dialects/subgraph/rules/table-rules.ts";
import type { PostgresClient } from "./start-postgres.ts";

/** A full text search: an entry of `@fulltext`. */
export type NodeSearch = {
  readonly name: string;
  readonly entity: string;
  /** The fields that are searched. */
  readonly searched?: readonly string[];
  /** The language of their words: `en`. @default "simple" */
  readonly language?: string;
};

/** What PostgreSQL calls the languages. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ da: "danish", nl: "dutch", en: "english", fi: "finnish", fr: "french", de: "german", hu: "hungarian" },
  ...{ it: "italian", no: "norwegian", pt: "portuguese", ro: "romanian", ru: "russian", es: "spanish" },
  ...{ sv: "swedish", tr: "turkish" },
};

/** Writes what full text searches look into beside the rows, as a node does that indexes; a list has no words there. */
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
