import type { GraphQLSchema } from "graphql";
import type { Memo } from "../base/create-memo.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import type { EntityModel } from "../schema/entity-model.ts";
import { toGraphqlSchema } from "../schema/to-graphql-schema.ts";
import { parseSnapshotText, type SnapshotText } from "../snapshots/parse-snapshot.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import { styles } from "../styles/index.ts";

/** The readings of snapshots, each made once while its text is the same. */
export type SchemaCache = {
  readonly api: (file: SnapshotText) => ApiSchema;
  readonly graphql: (file: SnapshotText) => GraphQLSchema;
  readonly model: (snapshot: Snapshot) => EntityModel;
};

/**
 * Creates the readings of snapshots; several runs share them through a memo.
 *
 * @param parse what somebody else has parsed already, for whoever knows such a one.
 */
export function createSchemaCache(memo: Memo, parse: SchemaCache["api"] = parseSnapshotText): SchemaCache {
  const api: SchemaCache["api"] = ({ path, text }) =>
    memo(`snapshot ${path}`, [text], () => parse({ path, text }));
  return {
    api,
    graphql: (file) =>
      memo(`schema ${file.path}`, [file.text], () => toGraphqlSchema(api(file), { repeatable: false })),
    model: ({ style, base }) =>
      memo(`model ${base.path}`, [base.text], () =>
        styles[style].read(api({ path: base.path, text: base.text })),
      ),
  };
}
