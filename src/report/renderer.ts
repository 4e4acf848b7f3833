import type { Report } from "./report.ts";

/** One form of a report. */
export type Renderer = {
  /** Whether programs read it, so that nothing else may stand on its stream. */
  readonly isForPrograms: boolean;
  /** True where it shows what a report holds beside the findings: parity, and the texts of operations. */
  readonly showsDetails?: true;
  readonly render: (report: Report, options: RenderOptions) => string;
};

/** What renderers may choose by; none of it is in the result. */
export type RenderOptions = {
  readonly color: boolean;
  readonly verbose: boolean;
  /** A file of the project for those forms in which everything needs one: the fleet record. */
  readonly anchor: string;
  /** The project's folder in the checkout, with a slash behind it; empty where that is its root, or is not known. */
  readonly folder: string;
  /** How findings can be accepted: by what the snapshots show again, from a saved report of this run, or not at all. */
  readonly accept: "snapshots" | "report" | "never";
};
