import { createMemo } from "../base/collections.ts";
import type { OutputFile } from "../base/write-files.ts";
import type { Format } from "../dialects/surface.ts";

/** The paths of what a TypeScript module is written as: its own, or those of the JavaScript and its declarations. */
export function formatPaths(format: Format, path: string): string[] {
  const name = moduleName(path);
  return format === "ts" || name === null ? [path] : [`${name}.js`, `${name}.d.ts`];
}

/** The modules in the format of a project; other files stay as they are. Only JavaScript loads what emits it. */
export async function inFormat(format: Format, files: readonly OutputFile[]): Promise<OutputFile[]> {
  if (format === "ts") return [...files];
  const { emitJavaScript } = await import("./emit-javascript.ts");
  return files.flatMap((file) => {
    const name = moduleName(file.path);
    if (name === null) return [file];
    return emitted(name, [file.content], () => emitJavaScript(name, file.content));
  });
}

/** The JavaScript of a module is that of its text alone: it serves every project and every run of a process. */
const emitted = createMemo();

/** The path of a TypeScript module without its extension; null of another file. */
function moduleName(path: string): string | null {
  return path.endsWith(".ts") ? path.slice(0, -".ts".length) : null;
}
