import type { ProtocolFiles } from "../../site/playground/protocol.ts";
import { readRepositoryFile, readRepositoryTree } from "../support/repository.ts";

/** The files with which the playground compiles operations of a protocol. */
export function protocolFiles(protocol: string): ProtocolFiles {
  const snapshot = (style: string) => readRepositoryFile(`generated/schemas/${protocol}/${style}.graphql`);
  const fragments = readRepositoryTree(`operations/${protocol}/portable/fragments`);
  return {
    snapshots: { multichain: snapshot("multichain"), subgraph: snapshot("subgraph") },
    fragments: Object.entries(fragments).map(([path, text]) => ({ path, text })),
  };
}

/** The texts of the library's operations of a protocol. */
export function libraryTexts(protocol: string): readonly string[] {
  return Object.entries(readRepositoryTree(`operations/${protocol}/portable`))
    .filter(([path]) => !path.includes("/"))
    .map(([, text]) => text);
}
