import type { LockflowError } from "../../base/errors.ts";
import type { Environment } from "../../dialects/surface.ts";
import type { Project } from "../../project/project.ts";
import type { Progress } from "../../report/terminal.ts";
import type { PackageManager } from "../../workspace/package-manager.ts";

/** The facts that the checks use. For a broken project, as many as can be read. */
export type CheckContext = {
  /** Absolute path of the configuration's folder; without a configuration, of the current folder. */
  readonly root: string;
  /** The version of Node; undefined if unknown. */
  readonly node: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path; null if the project has no configuration. */
  readonly config: string | null;
  /** The project, or why it could not be loaded. */
  readonly project: Project | LockflowError;
  readonly packageManager: PackageManager;
  /** Names of the files in the root. */
  readonly names: readonly string[];
  readonly envFiles: readonly EnvFile[];
  readonly isOffline: boolean;
  readonly environment: Environment | undefined;
  readonly startProgress: (total: number) => Progress;
};

/** The context of a check that needs a project. */
export type ProjectContext = CheckContext & { readonly project: Project };

/** A file of variables that tools load, such as `.env.local`. */
export type EnvFile = {
  readonly name: string;
  /** Values by variable. They may be keys: for comparisons only, never for messages. */
  readonly values: ReadonlyMap<string, string>;
  /** Whether the file documents the variables, such as `.env.example`. */
  readonly isExample: boolean;
};

/** One result of a check. */
export type CheckResult = {
  readonly status: Status;
  /** One sentence. It never contains a key. */
  readonly sentence: string;
  /** What to type or to do; null if nothing has to be done. */
  readonly fix: string | null;
};

/** `skipped` means not checked: neither fine nor wrong. */
export type Status = "ok" | "warning" | "problem" | "skipped";

/** Builds a result that needs no action. */
export function ok(sentence: string): CheckResult {
  return { status: "ok", sentence, fix: null };
}

/** Builds a result about something that works now but is likely to fail later. */
export function warning(sentence: string, fix: string): CheckResult {
  return { status: "warning", sentence, fix };
}

/** Builds a result about something that does not work. */
export function problem(sentence: string, fix: string | null): CheckResult {
  return { status: "problem", sentence, fix };
}

/** Builds a result about something that was not checked, with the reason. */
export function skipped(sentence: string): CheckResult {
  return { status: "skipped", sentence, fix: null };
}
