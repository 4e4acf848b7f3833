import type { LockflowError } from "../../base/errors/lockflow-error.ts";
import type { Project } from "../../project/project.ts";
import type { Environment } from "../../project/vocabulary.ts";
import type { Progress } from "../../report/progress.ts";
import type { PackageManager } from "../init/package-manager.ts";
import type { EnvFile } from "./read-env-files.ts";

/** Everything the checks look at. A broken project has as much of it as can be had. */
export type CheckContext = {
  /** Absolute path of the configuration's folder, or of the current one. */
  readonly root: string;
  /** Its version, where it is known. */
  readonly node: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path; null when there is none. */
  readonly config: string | null;
  /** The project, or why it could not be loaded. */
  readonly project: Project | LockflowError;
  readonly packageManager: PackageManager;
  /** Of the files in the root. */
  readonly names: readonly string[];
  readonly envFiles: readonly EnvFile[];
  readonly isOffline: boolean;
  readonly environment: Environment | undefined;
  readonly startProgress: (total: number) => Progress;
};

/** What a check looks at that needs a project. */
export type ProjectContext = CheckContext & { readonly project: Project };
