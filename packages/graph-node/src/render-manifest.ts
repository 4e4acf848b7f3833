/** A WebAssembly module with a memory and a handler `h` that does nothing. */
export const MAPPING = Buffer.from(
  "0061736d0100000001050160017f0003020100050301000107" + "0e02066d656d6f72790200016800000a040102000b",
  "hex",
);

/** The facts in the manifest of a subgraph without events. */
export type Manifest = {
  readonly network: string;
  /** The folder of the files that it names. */
  readonly folder: string;
  /** The file of the entities in that folder. */
  readonly entitiesFile: string;
  readonly startBlock: number;
  readonly hasFulltext: boolean;
};

/** Renders the manifest of a subgraph whose mapping does nothing. */
export function renderManifest(manifest: Manifest): string {
  const { network, folder, entitiesFile, startBlock, hasFulltext } = manifest;
  return `specVersion: 1.3.0
${hasFulltext ? "features: [fullTextSearch]\n" : ""}schema:
  file: ${folder}/${entitiesFile}
dataSources:
  - kind: ethereum
    name: Nothing
    network: ${network}
    source:
      address: "0x0000000000000000000000000000000000000001"
      abi: Nothing
      startBlock: ${startBlock}
    mapping:
      kind: ethereum/events
      apiVersion: 0.0.9
      language: wasm/assemblyscript
      entities: []
      abis:
        - name: Nothing
          file: ${folder}/abi.json
      blockHandlers:
        - handler: h
      file: ${folder}/mapping.wasm
`;
}
