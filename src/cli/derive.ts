import { resolve } from "node:path";
import { readText } from "../base/disk/read-tree.ts";
import { FileError } from "../base/errors/file-error.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { loadEmulator } from "../load-emulator.ts";
import { buildIntrospection } from "../schema/build-introspection.ts";
import { canonicalize } from "../schema/canonicalize.ts";
import { parseEntities } from "../schema/parse-entities.ts";
import { renderSdl } from "../schema/render-sdl.ts";
import { styles } from "../styles/index.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import { operatorSettings } from "./operator-settings.ts";
import type { Options } from "./options.ts";
import { parseRelease } from "./parse-release.ts";

/** `lockflow derive`: the SDL it prints is canonical, as a snapshot is; the JSON is in the server's order. */
export async function runDerive(context: CommandContext, options: Options<"derive">): Promise<ExitCode> {
  const { style: name, release } = options;
  if (name === undefined) {
    throw new UsageError({ sentence: "`lockflow derive` needs --style subgraph or --style multichain." });
  }
  const style = styles[name];
  const settings = {
    ...operatorSettings(options, [{ name, settings: style.platform.settings }]),
    release: release === undefined ? undefined : parseRelease(release, [style]).release,
  };
  const [path = ""] = context.positionals;
  const text = await readText(resolve(context.cwd, path));
  if (text === null) {
    throw new FileError({
      code: "FILE_UNREADABLE",
      sentence: `There is no file "${path}".`,
      hint: "name the entity schema the API is to be derived from.",
    });
  }
  const { servedStyles } = await loadEmulator();
  await servedStyles[name].validate(text, path, settings);
  const schema = style.derive(parseEntities(text, path, style.platform.readBlockString), settings);
  // What is made into a file has to be that file.
  context.asIs.out(
    options.json
      ? `${JSON.stringify(buildIntrospection(schema), null, 2)}\n`
      : renderSdl(canonicalize(schema)),
  );
  return 0;
}
