import { Kind, parse, Source } from "graphql";
import { assessOperations } from "../../../src/compare/impact/assess-operations.ts";
import type { ApiSchema } from "../../../src/dialects/api-schema.ts";
import { canonicalize } from "../../../src/dialects/canonicalize.ts";
import { parseSdl } from "../../../src/dialects/parse-sdl.ts";
import type { AssessedOperation } from "../../../src/operations/operation-set.ts";

/** Parses SDL into a canonical schema. */
export function schemaOf(sdl: string): ApiSchema {
  return canonicalize(parseSdl(sdl, "schema.graphql"));
}

/** Returns the operation in some files, with the fragments in all of them. */
export function operationOf(...files: readonly (readonly [path: string, text: string])[]): AssessedOperation {
  const definitions = files.flatMap(([path, text]) => parse(new Source(text, path)).definitions);
  const operation = definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  return {
    name: operation?.name?.value ?? "",
    document: { kind: Kind.DOCUMENT, definitions },
  };
}

/** Edits of a text; each must be possible. */
export type Edits = readonly (readonly [from: string, to: string])[];

export function edit(text: string, edits: Edits): string {
  return edits.reduce((edited, [from, to]) => {
    if (!edited.includes(from)) throw new Error(`There is no "${from}" to replace.`);
    return edited.replace(from, to);
  }, text);
}

/** Returns the effects of schema edits on an operation: the verdict, and each effect as `impact coordinates @ file:line:column`. */
export function assessEdit(operation: AssessedOperation, sdl: string, edits: Edits) {
  const [assessment] = assessOperations(
    [operation],
    { before: schemaOf(sdl), after: schemaOf(edit(sdl, edits)) },
    {
      exhaustiveEnums: false,
    },
  );
  return {
    verdict: assessment?.verdict,
    effects: assessment?.effects.map(
      ({ impact, coordinates, file, line, column }) =>
        `${impact} ${coordinates.join(" ")} @ ${file}:${line}:${column}`,
    ),
  };
}
