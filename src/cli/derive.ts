import { resolve } from "node:path";
import { derive } from "../api.ts";
import { readText } from "../base/disk/read-tree.ts";
import { FileError } from "../base/errors/file-error.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { styles } from "../styles/index.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import { operatorSettings } from "./operator-settings.ts";
import type { Options } from "./options.ts";
import { parseRelease } from "./parse-release.ts";

/** `lockflow derive`: the SDL it prints is canonical, as a snapshot is; the JSON is in the server's order. */
export async function runDerive(context: CommandContext, options: Options<"derive">): Promise<ExitCode> {
  if (options.style === undefined) {
    throw new UsageError({ sentence: "`lockflow derive` needs --style subgraph or --style multichain." });
  }
  const style = styles[options.style];
  const settings = operatorSettings(options, [{ name: style.name, settings: style.platform.settings }]);
  const release = options.release === undefined ? undefined : parseRelease(options.release, [style]).release;
  const [path = ""] = context.positionals;
  const entities = await readText(resolve(context.cwd, path));
  if (entities === null) {
    throw new FileError({
      code: "FILE_UNREADABLE",
      sentence: `There is no file "${path}".`,
      hint: "name the entity schema the API is to be derived from.",
    });
  }
  const { sdl, introspection } = await derive({ ...settings, style: style.name, release, entities, path });
  // What is made into a file has to be that file.
  context.asIs.out(options.json ? `${JSON.stringify(introspection, null, 2)}\n` : sdl);
  return 0;
}
