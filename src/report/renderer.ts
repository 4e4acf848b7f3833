import type { Report } from "./report.ts";

/** One form of a report. */
export type Renderer = {
  /** Whether programs read it, so that nothing else may stand on its stream. */
  readonly isForPrograms: boolean;
  readonly render: (report: Report, options: RenderOptions) => string;
};

/** What renderers may choose by; none of it is in the result. */
export type RenderOptions = {
  /** Colours, for a terminal. */
  readonly color: boolean;
  /** All there is, for people with more than one screen. */
  readonly verbose: boolean;
  /** A file of the project for those forms in which everything needs one: the fleet record. */
  readonly anchor: string;
  /**
   * The project's folder in the checkout, with a slash behind it, for those forms whose readers look for files from the
   * checkout's root. Empty where that is the project's folder, or is not known.
   */
  readonly folder: string;
  /**
   * How what was found can be accepted: as what the snapshots show, which is found again, from a saved report of this
   * run, or not at all.
   */
  readonly accept: "snapshots" | "report" | "never";
};
