import { posix } from "node:path";
import { readOwnFile } from "../../base/disk/read-own-file.ts";
import type { Layout, Repository } from "./repository.ts";

/** Builds a program that asks the emulator with what a package has, where it may be put, and what runs it as it is. */
export function buildSnippet(repository: Repository, layout: Layout) {
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
