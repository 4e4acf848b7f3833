import { Kind, parse, Source } from "graphql";
import { assessOperations, type OperationAssessment } from "../../../src/compare/impact/assess-operations.ts";
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

/** Edits of a text, also as `from → to`, or as `after¦inserted`; each must be possible. */
export type Edits = readonly (string | readonly [from: string, to: string])[];

export function edit(text: string, edits: string | Edits): string {
  return (typeof edits === "string" ? [edits] : edits).reduce<string>((edited, change) => {
    const [from = "", to = ""] = typeof change === "string" ? partsOf(change) : change;
    if (!edited.includes(from)) throw new Error(`There is no "${from}" to replace.`);
    return edited.replace(from, to);
  }, text);
}

/** Returns the parts of `from → to`, and those of `after¦inserted` in the same way. */
export function partsOf(change: string): readonly string[] {
  return change.replace(/^(.*)¦(.*)$/, "$1 → $1$2").split(/ ?→ ?/);
}

/** Assesses operations for schemas given as SDL. */
export function assess(
  operations: readonly AssessedOperation[],
  [before, after]: readonly [before: string, after: string],
): readonly OperationAssessment[] {
  const schemas = { before: schemaOf(before), after: schemaOf(after) };
  return assessOperations(operations, schemas, { exhaustiveEnums: false });
}

/**
 * Returns the verdict on an operation after schema edits, and each effect as `impact coordinates @ text`. The text is
 * the word at the place of the effect.
 */
export function assessEdit(operation: AssessedOperation, sdl: string, edits: string | Edits) {
  const [assessment] = assess([operation], [sdl, edit(sdl, edits)]);
  return {
    verdict: assessment?.verdict,
    effects: assessment?.effects.map(
      ({ impact, coordinates, ...place }) =>
        `${impact} ${coordinates.join(" ")} @ ${wordAt(operation, place)}`,
    ),
  };
}

type Place = { readonly file: string | null; readonly line: number; readonly column: number };

function wordAt({ document }: AssessedOperation, { file, line, column }: Place): string | undefined {
  const source = document.definitions.find(({ loc }) => loc?.source.name === file)?.loc?.source;
  const rest = source?.body.split("\n")[line - 1]?.slice(column - 1);
  return rest?.match(/^(\.\.\.|[$@]?\w+:?|.)/)?.[0];
}
