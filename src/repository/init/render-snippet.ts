import { posix } from "node:path";
import { readOwnFile } from "../../base/disk/read-own-file.ts";
import type { Layout, Repository } from "./repository.ts";

/** A program that asks the emulator, for the client library of a package. */
export type Snippet = {
  /** Where it may be put, from the package's folder. */
  readonly path: string;
  readonly code: string;
  /** What runs it as it is. */
  readonly run: string;
};

/** Builds the lines that read rows with what a package has. */
export function buildSnippet(repository: Repository, layout: Layout): Snippet {
  const { typescript, package: own, client, packageManager } = repository;
  const extension = typescript === null ? ".ts" : typescript.isBundled ? "" : ".js";
  const file = typescript === null ? "streams.mjs" : own.isCommonJs ? "streams.mts" : "streams.ts";
  const path = posix.join(posix.dirname(layout.output), file);
  const protocol = layout.protocols[0] ?? "lockup";
  const code = readOwnFile(`src/repository/init/templates/snippets/${client.sends}.ts`)
    .replace(/"lockflow-operations\/lockup\/(.*)"/, (_, module) =>
      JSON.stringify(`./${posix.basename(layout.output)}/${protocol}/${module}${extension}`),
    )
    .replace("protocol-lockup", `protocol-${protocol}`)
    .replace('"@urql/core"', JSON.stringify(client.name))
    .replaceAll("\n\n", "\n")
    .trimEnd();
  return { path, code, run: `${packageManager.download} tsx ${path}` };
}
