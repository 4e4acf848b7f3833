import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { EmulatorError } from "../../src/base/errors.ts";
import type { GraphNodeLibrary } from "./start-node-engine.ts";

const PACKAGE = "lockflow-graph-node";

/**
 * Loads the package that brings a real graph-node, from a project's folder or from where Lockflow is installed.
 *
 * @throws EmulatorError `EMULATOR_NO_ENGINE` if it is not installed, or has no programs for this machine.
 */
export async function loadGraphNode(root: string | null): Promise<GraphNodeLibrary> {
  const url = findPackage(root);
  if (url === null) {
    throw noEngine(
      `The engine graph-node needs a package that is not installed: npm install --save-dev ${PACKAGE}.`,
    );
  }
  const library = (await import(url)) as GraphNodeLibrary;
  if (library.isSupported()) return library;
  throw noEngine("The engine graph-node runs on Linux on x64 with glibc only, and this machine is another.");
}

function findPackage(root: string | null): string | null {
  for (const from of [...(root === null ? [] : [pathToFileURL(`${root}/package.json`)]), import.meta.url]) {
    try {
      return pathToFileURL(createRequire(from).resolve(PACKAGE)).href;
    } catch {
      // Not installed there.
    }
  }
  // In the repository of Lockflow itself, the package is in a sibling folder.
  const repository = new URL("../../", import.meta.url);
  const isOwn =
    import.meta.url.endsWith(".ts") && (root === null || `${root}/` === fileURLToPath(repository));
  return isOwn ? new URL("packages/graph-node/src/index.ts", repository).href : null;
}

function noEngine(sentence: string): EmulatorError {
  return new EmulatorError({ code: "EMULATOR_NO_ENGINE", sentence });
}
