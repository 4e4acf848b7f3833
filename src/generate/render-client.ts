import { GENERATED_MARK, type OutputFile } from "../base/disk/output-file.ts";
import { embedModules } from "./embed-modules.ts";

/** Where the client is, from the output folder. */
export const CLIENT_PATH = "client.ts";

/** The modules of the client in its order. What `narrowed.ts` stands in for comes from the manifest. */
const MODULES = [
  "client/portable-operation",
  "client/map-variables",
  "client/filter-table",
  "client/map-filter",
  "client/map-order",
  "client/takes-operator",
  "client/wrap-pattern",
  "client/read-value",
  "client/refuse-value",
  "client/indexer-error",
  "own",
];

/** What users of the client name. */
const PUBLIC = [
  ...["PortableOperation", "OrderKey", "mapVariables"],
  ...["Columns", "FilterTable", "mapFilter", "mapOrder"],
  ...["ErrorCode", "ErrorFacts", "Failure", "IndexerError"],
];

/** Renders the client, which runs portable operations: the same text for every project. */
export function renderClient(): OutputFile {
  const header = [
    `// ${GENERATED_MARK}. Do not edit; run \`lockflow generate\`.`,
    'import type { ChainKey, Protocol, StyleName } from "./manifest.js";',
  ];
  return { path: CLIENT_PATH, content: `${header.join("\n")}\n\n${embedModules(MODULES, PUBLIC)}\n` };
}
