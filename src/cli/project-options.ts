import type { ProjectOptions } from "../project/open-project.ts";
import type { CommandContext } from "./context.ts";

/** The project that a command line means. */
export function projectOptions(
  { cwd, err }: CommandContext,
  {
    config,
    concurrency,
    timeout,
  }: {
    readonly config: string | undefined;
    readonly concurrency?: number | undefined;
    /** In seconds. */
    readonly timeout?: number | undefined;
  },
): ProjectOptions {
  const milliseconds = timeout === undefined ? undefined : timeout * 1000;
  return { cwd, config, concurrency, timeout: milliseconds, onNotice: err };
}
