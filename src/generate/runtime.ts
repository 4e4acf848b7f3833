import { posix } from "node:path";
import type { OutputFile } from "../base/output-file.ts";
import { CLIENT_PACKAGE, listOwnFiles, readOwnFile } from "../base/own-package.ts";
import type { Project } from "../project/project.ts";
import { renderHeader } from "./format-files.ts";

/** The options for imports of other generated modules and of the run time. */
export type Imports = Pick<Project, "importExtension" | "runtime">;

/** The folder of the copies of its modules, from the output folder, if a project wants no dependency. */
const RUNTIME_FOLDER = "runtime";

type Entry = "index" | "ids" | "manifest" | "node" | "proxied" | "proxy";

/**
 * Returns the specifier with which a generated module imports the run time.
 *
 * @param from the folder of the module, from the output folder.
 */
export function runtimeModule(entry: Entry, { importExtension, runtime }: Imports, from = ""): string {
  if (runtime === "emit") {
    return `${from === "" ? "./" : "../"}${RUNTIME_FOLDER}/${entry}${importExtension}`;
  }
  return entry === "index" ? CLIENT_PACKAGE : `${CLIENT_PACKAGE}/${entry}`;
}

/** Renders copies of the run time's modules that generated files import, directly or through each other. */
export function renderRuntime({ importExtension }: Imports, files: readonly OutputFile[]): OutputFile[] {
  const imported = new Set<string>();
  const add = (path: string) => {
    if (imported.has(path)) return;
    imported.add(path);
    for (const [, other = ""] of readOwnFile(`${SOURCES}/${path}`).matchAll(OWN_IMPORT)) {
      add(posix.join(posix.dirname(path), other));
    }
  };
  const sources = listOwnFiles(SOURCES);
  for (const { content } of files) {
    for (const [, entry] of content.matchAll(/from "\.\.?\/runtime\/(\w+)(?:\.\w+)?"/g)) {
      if (sources.includes(`${entry}.ts`)) add(`${entry}.ts`);
    }
  }
  const header = renderHeader(` from ${CLIENT_PACKAGE}`);
  return [...imported].map((path) => {
    const text = readOwnFile(`${SOURCES}/${path}`).replace(OWN_IMPORT, (whole, other: string) =>
      whole.replace(other, other.replace(/\.ts$/, importExtension)),
    );
    return { path: `${RUNTIME_FOLDER}/${path}`, content: `${header}\n${text}` };
  });
}

const SOURCES = "packages/client/src";

const OWN_IMPORT = /(?<= from )"(\.\.?\/[\w/.-]+\.ts)"/g;
