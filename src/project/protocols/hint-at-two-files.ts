import { SchemaError } from "../../base/errors/schema-error.ts";
import type { Protocol } from "../vocabulary.ts";

/** What one platform refuses of a file for both styles the other may need: the error with a hint that says so. */
export function hintAtTwoFiles(error: unknown, protocol: Protocol): unknown {
  if (!(error instanceof SchemaError) || error.code !== "SCHEMA_ENTITIES_INVALID") return error;
  const { code, sentence, context } = error;
  const hint = `correct the file, or give each style its own: protocols.${protocol}.entities: { multichain, subgraph }.`;
  return new SchemaError({ code, sentence, context, hint, cause: error });
}
