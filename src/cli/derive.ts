import { UsageError } from "../base/errors.ts";
import { styles } from "../dialects/index.ts";
import { derive } from "../tasks/derive.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import type { Options } from "./options.ts";
import { operatorSettings, parseRelease } from "./platform-options.ts";
import { readFile } from "./task-options.ts";

/** `lockflow derive`: the SDL it prints is canonical, as a snapshot is; the JSON is in the server's order. */
export async function runDerive(context: CommandContext, options: Options<"derive">): Promise<ExitCode> {
  if (options.style === undefined) {
    throw new UsageError({ sentence: "`lockflow derive` needs --style subgraph or --style multichain." });
  }
  const style = styles[options.style];
  const settings = operatorSettings(options, [{ name: style.name, settings: style.platform.settings }]);
  const release = options.release === undefined ? undefined : parseRelease(options.release, [style]).release;
  const [path = ""] = context.positionals;
  const hint = "name the entity schema the API is to be derived from.";
  const entities = await readFile(context.cwd, path, hint);
  const { sdl, introspection } = await derive({ ...settings, style: style.name, release, entities, path });
  // What is made into a file has to be that file.
  context.asIs.out(options.json ? `${JSON.stringify(introspection, null, 2)}\n` : sdl);
  return 0;
}
