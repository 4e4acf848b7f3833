import { GENERATED_MARK, type OutputFile } from "../base/disk/output-file.ts";
import type { Protocol } from "../project/vocabulary.ts";
import { embedModules } from "./embed-modules.ts";
import { protocolNames } from "./protocol-names.ts";

/** Where the proxy is, from the output folder. */
export const PROXY_PATH = "proxy.ts";

/** The modules of the proxy in its order. What `operations.ts` stands in for is the project's own. */
const MODULES = [
  "proxy/create-proxy",
  "proxy/answer",
  "proxy/read-body",
  "proxy/parse-question",
  "proxy/refuse-request",
  "proxy/answer-error",
  "proxy/render-body",
  "proxy/web",
  "is-object",
];

/** What users of the proxy name. */
const PUBLIC = ["ProxyOptions", "WebRequest", "WebResponse", "createProxy"];

/** What it takes of the client. */
const CLIENT = `import {
  type AnyOperation,
  type Client,
  type ClientOptions,
  createClient,
  type ErrorCode,
  forward,
  IndexerError,
  type ProxyQuestion,
} from "./client.js";`;

/** Renders the proxy, which asks for pages what is written once in some protocols. */
export function renderProxy(protocols: readonly Protocol[]): OutputFile {
  const modules = protocols.map((protocol) => [protocolNames(protocol).operations, protocol] as const);
  const header = [
    `// ${GENERATED_MARK}. Do not edit; run \`lockflow generate\`.`,
    CLIENT,
    ...modules.map(([name, protocol]) => `import * as ${name} from "./${protocol}/portable.js";`),
  ];
  const values = modules.map(([name]) => `...Object.values(${name})`).join(", ");
  // A function, so that who imports the module and uses nothing of it has nothing in a bundle.
  const list = `function listOperations(): readonly object[] {\n  return [${values}];\n}`;
  const sections = [header.join("\n"), list];
  return { path: PROXY_PATH, content: `${[...sections, embedModules(MODULES, PUBLIC)].join("\n\n")}\n` };
}
