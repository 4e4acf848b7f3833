import type { FragmentDefinitionNode } from "graphql";
import type { Budget } from "../../budget.ts";
import type { Data } from "./data.ts";
import type { Reading } from "./reading.ts";
import type { SchemaIndex } from "./schema-index.ts";

/** What is known while one request is planned and answered. */
export type Scope = Reading & {
  readonly budget: Budget;
  readonly index: SchemaIndex;
  readonly data: Data;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** The most rows a list holds, whatever `limit` says (C.1); null for no limit. */
  readonly rowCap: number | null;
};
