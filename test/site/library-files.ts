import type { Protocol, StyleName } from "../../src/dialects/surface.ts";
import type { OperationSource } from "../../src/operations/operation-set.ts";
import { readRepositoryFile, readRepositoryTree } from "../support/repository.ts";

type Files = [Protocol, { readonly [S in StyleName]: OperationSource }, OperationSource[]];

/** The protocol and the files with which the playground compiles its operations. */
export function engineFiles(protocol: Protocol): Files {
  const snapshot = (style: string) => {
    const path = `generated/schemas/${protocol}/${style}.graphql`;
    return { path, text: readRepositoryFile(path) };
  };
  const fragments = readRepositoryTree(`operations/${protocol}/portable/fragments`);
  return [
    protocol,
    { multichain: snapshot("multichain"), subgraph: snapshot("subgraph") },
    Object.entries(fragments).map(([path, text]) => ({ path, text })),
  ];
}

/** The texts of the library's operations of a protocol. */
export function libraryTexts(protocol: string): readonly string[] {
  return Object.entries(readRepositoryTree(`operations/${protocol}/portable`))
    .filter(([path]) => !path.includes("/"))
    .map(([, text]) => text);
}
