import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "../../../base/errors.ts";
import { readText } from "../../../base/read-files.ts";
import {
  countRows,
  type ExportState,
  isUnfinished,
  parseState,
  refuseUnfinished,
  statePath,
} from "./export-state.ts";
import { listParts, measureFiles } from "./partition.ts";
import type { Target } from "./write-parts.ts";

/** The options of `createExport`. */
export type ExportOptions = {
  readonly target: Target;
  /** The question by aspect. An export is only continued with the same question. */
  readonly question: Readonly<Record<string, string>>;
  readonly chains: readonly string[];
  /** Whether to continue the export of an earlier run. */
  readonly resumes: boolean;
  /** Whether to add the rows that are new or changed since an earlier run. @default false */
  readonly renews?: boolean;
  /** Whether a newer version of a row replaces the earlier one. @default false */
  readonly isLatest?: boolean;
  /** Whether other exports are continued too, so that a complete one is not refused. @default false */
  readonly isOneOfSeveral?: boolean;
};

/**
 * Reads the state of the run to continue; null to begin a new export.
 *
 * @throws UsageError if the options do not fit what is on the disk.
 */
export async function readEarlier(options: ExportOptions): Promise<ExportState | null> {
  const { target, question, resumes, renews = false } = options;
  const { path, shownPath, partition } = target;
  const place = statePath(shownPath);
  const text = await readText(statePath(path));
  if (text === null) {
    const folder = dirname(path);
    if (partition !== null && existsSync(statePath(folder)) && listParts(folder).length > 0) {
      throw new UsageError({
        sentence: `${dirname(shownPath)} is the folder of an export, so ${shownPath} would mix with its rows.`,
        hint: "name another folder.",
      });
    }
    if (partition !== null && listParts(path).length > 0) {
      throw new UsageError({
        sentence: `${shownPath} has files of an export, but ${place} does not exist.`,
        hint: "name another folder, or delete its files to start again.",
      });
    }
    if (!(resumes || renews) || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
    throw new UsageError({
      sentence: `${renews ? "No earlier run" : "Nothing to resume"}: ${place} does not exist, so ${shownPath} is not an export of pages.`,
      hint: `omit --${renews ? "since-last" : "resume"} to replace it.`,
    });
  }
  const state = parseState(text, place);
  if (!resumes && !renews) return isUnfinished(state) ? refuseUnfinished(shownPath, countRows(state)) : null;
  const names = new Set([...Object.keys(question), ...Object.keys(state.question)]);
  const others = [...names].filter(
    (name) => question[name] !== state.question[name] && !(renews && NEW_SINCE.includes(name)),
  );
  if (others.length > 0) {
    throw new UsageError({
      sentence: `${shownPath} is an export that differs in: ${others.join(", ")}.`,
      hint: `repeat the command of the first run, or delete ${place} to start again.`,
    });
  }
  checkFiles(state, target);
  if (renews) return { ...state, question };
  if (isUnfinished(state) || options.isOneOfSeveral) return state;
  throw new UsageError({
    sentence: `Nothing to resume: ${shownPath} is complete.`,
    hint: "omit --resume to replace it.",
  });
}

/** @throws UsageError if files of the earlier runs are missing or others. */
function checkFiles({ files, pending }: ExportState, target: Target): void {
  // While rows are moved, some files are those of the new run.
  if (files === null || pending?.isEnded) return;
  const found = measureFiles(target);
  if (found.count === files.count && found.bytes === files.bytes) return;
  const isFile = target.partition === null;
  const count = `${found.count} of its ${files.count} ${files.count === 1 ? "file" : "files"}`;
  const reason =
    found.count < files.count
      ? isFile
        ? "it does not exist any more"
        : `${count} are left`
      : `it has ${found.bytes} bytes instead of ${files.bytes}`;
  throw new UsageError({
    sentence: `${target.shownPath} was changed since its last export: ${reason}.`,
    hint: `restore it, or delete ${isFile ? "" : "the folder and "}${statePath(target.shownPath)} to start again.`,
  });
}

/** What may differ between runs of `--since-last`. */
const NEW_SINCE = ["chains", "styles", "block"];
