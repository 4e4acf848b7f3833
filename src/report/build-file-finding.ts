import type { Place } from "../base/place.ts";
import type { Finding, Layer, Severity } from "./finding.ts";

/** What a finding about a file says; the rest of it is about schemas. */
export type FileFinding = {
  /** Its first part is the layer. */
  readonly code: `${FileLayer}/${string}`;
  readonly severity: Severity;
  readonly subject: string;
  readonly message: string;
  readonly place: Place | null;
  readonly fix: string | null;
  /** What should stand there, and what does; null when that is not a matter of text. */
  readonly before?: string;
  readonly after?: string;
};

/** The layers whose findings are about files and not about what is served. */
export type FileLayer = (typeof FILE_LAYERS)[number];

const FILE_LAYERS = ["operation", "generated", "snapshot", "baseline"] as const satisfies readonly Layer[];

/** Whether a finding is about a file of this repository: such a thing is mended, and never accepted. */
export function isMended({ layer }: Pick<Finding, "layer">): boolean {
  return FILE_LAYERS.some((one) => one === layer);
}

/** Builds a finding about a file of the project. */
export function buildFileFinding({ before, after, ...facts }: FileFinding): Finding {
  return {
    ...facts,
    layer: facts.code.slice(0, facts.code.indexOf("/")) as FileLayer,
    coordinate: null,
    before: before ?? null,
    after: after ?? null,
    derived: 0,
    where: null,
    operations: [],
  };
}
