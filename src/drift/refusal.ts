import { SchemaError, type SchemaProblem } from "../base/errors/schema-error.ts";
import type { OfSurface } from "../project/surface.ts";
import { buildFileFinding } from "../report/build-file-finding.ts";
import type { Finding } from "../report/finding.ts";
import type { ApiSchema } from "../schema/api-schema.ts";

/** What a platform refuses, and where. */
type Refused = OfSurface & {
  /** The entity schema, from the project's root. */
  readonly file: string;
  /** The release of the platform that refuses it. */
  readonly release: string;
  /** Who is of that release; empty where all are. */
  readonly deployments: readonly string[];
  /** The newest release, if it takes what this one refuses; else null. */
  readonly taker: string | null;
};

/** What was derived, or why it was refused. */
export async function orRefusal(derived: Promise<ApiSchema>): Promise<ApiSchema | SchemaError> {
  try {
    return await derived;
  } catch (error) {
    if (error instanceof SchemaError) return error;
    throw error;
  }
}

/** Describes every reason of a platform as a finding. */
export function describeRefusal(refusal: SchemaError, refused: Refused): Finding[] {
  const { protocol, style, file, release, deployments, taker } = refused;
  const where = { protocol, style, deployments };
  const fix = `correct it${taker === null ? "" : `; ${taker} takes it: name the release that runs with --release`}.`;
  return problemsOf(refusal).map(({ reason, line, column }) =>
    buildFileFinding("plan/refused", [release, reason], { place: { file, line, column }, where, fix }),
  );
}

/** What is wrong with a text; what is wrong without one is said as it is. */
export function problemsOf({ problems, sentence }: SchemaError): readonly SchemaProblem[] {
  return problems.length > 0 ? problems : [{ reason: sentence, line: null, column: null }];
}
