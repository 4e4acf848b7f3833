import { type Code, type FactsOf, messageOf } from "./codes/code.ts";
import { FILES } from "./codes/files.ts";
import type { Finding, Layer } from "./finding.ts";

/** The layers whose findings are about files and not about what is served. */
const FILE_LAYERS: readonly Layer[] = ["operation", "portable", "generated", "snapshot", "baseline", "plan"];

/** Whether a finding is about a file of this repository: such a thing is corrected, and never accepted. */
export function isMended({ layer }: Pick<Finding, "layer">): boolean {
  return FILE_LAYERS.includes(layer);
}

/**
 * Builds a finding about a file of the project.
 *
 * @param facts those that the message of the code is made of.
 * @param rest its place; its subject where that is not the file; its fix where the code has none or a worse one; and
 * what should stand there, and what does; what serves it, where it is about a platform; and its severity where the
 * code's is too much.
 */
export function buildFileFinding<C extends keyof typeof FILES>(
  code: C,
  facts: FactsOf<(typeof FILES)[C]>,
  {
    subject,
    place,
    fix,
    before,
    after,
    where,
    severity,
  }: Pick<Finding, "place"> &
    Partial<Pick<Finding, "subject" | "fix" | "before" | "after" | "where" | "severity">>,
): Finding {
  const row: (typeof FILES)[C] & Code = FILES[code];
  return {
    code,
    severity: severity ?? row.severity,
    layer: code.slice(0, code.indexOf("/")) as Layer,
    subject: subject ?? place?.file ?? "",
    message: messageOf(row, facts),
    coordinate: null,
    before: before ?? null,
    after: after ?? null,
    derived: 0,
    where: where ?? null,
    operations: [],
    place,
    fix: fix === undefined ? (row.fix ?? null) : fix,
  };
}
