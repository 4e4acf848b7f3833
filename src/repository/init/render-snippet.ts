import { posix } from "node:path";
import type { Sender } from "./detect-client.ts";
import type { Layout, Repository } from "./repository.ts";

/** A program that asks the emulator, for the client library of a package. */
export type Snippet = {
  /** Where it may be put, from the package's folder. */
  readonly path: string;
  readonly code: string;
  /** What runs it as it is. */
  readonly run: string;
};

/** The address of the emulator's default port, and somebody whom streams of both protocols pay there. */
const EMULATOR = "http://127.0.0.1:4350/testing";
const RECIPIENT = "0x7a8ee2d0ac6a4aeb092e11b1ca344349c39e88ac";

/** Builds the lines that read rows with what a package has. */
export function buildSnippet(repository: Repository, layout: Layout): Snippet {
  const { typescript, package: own, client, packageManager } = repository;
  const extension = typescript === null ? ".ts" : typescript.isBundled ? "" : ".js";
  const file = typescript === null ? "streams.mjs" : own.isCommonJs ? "streams.mts" : "streams.ts";
  const path = posix.join(posix.dirname(layout.output), file);
  const protocol = layout.protocols[0] ?? "lockup";
  const surface = client.sends === "fetch" ? "subgraph.strings" : "subgraph";
  const module = `./${posix.basename(layout.output)}/${protocol}/${surface}${extension}`;
  return {
    path,
    code: SNIPPETS[client.sends]({
      importing: `import { StreamsByRecipientDocument } from "${module}";`,
      document: "StreamsByRecipientDocument",
      url: `${EMULATOR}/protocol-${protocol}-mainnet`,
      recipient: `const recipient = "${RECIPIENT}";`,
      library: client.name,
    }).join("\n"),
    run: `${packageManager.download} tsx ${path}`,
  };
}

type Parts = {
  readonly importing: string;
  readonly document: string;
  readonly url: string;
  readonly recipient: string;
  readonly library: string;
};

const SNIPPETS: Readonly<Record<Sender, (parts: Parts) => string[]>> = {
  "graphql-request": ({ importing, document, url, recipient }) => [
    'import { request } from "graphql-request";',
    importing,
    `const url = "${url}";`,
    recipient,
    `console.log(await request(url, ${document}, { recipient }));`,
  ],
  apollo: ({ importing, document, url, recipient }) => [
    'import { ApolloClient, HttpLink, InMemoryCache } from "@apollo/client";',
    importing,
    `const link = new HttpLink({ uri: "${url}" });`,
    "const client = new ApolloClient({ link, cache: new InMemoryCache() });",
    recipient,
    `const { data } = await client.query({ query: ${document}, variables: { recipient } });`,
    "console.log(data?.streams);",
  ],
  urql: ({ importing, document, url, recipient, library }) => [
    `import { Client, fetchExchange } from "${library}";`,
    importing,
    `const url = "${url}";`,
    "const client = new Client({ url, exchanges: [fetchExchange], preferGetMethod: false });",
    recipient,
    `const { data, error } = await client.query(${document}, { recipient });`,
    "console.log(error ?? data?.streams);",
  ],
  fetch: ({ importing, document, url, recipient }) => [
    importing,
    `const url = "${url}";`,
    recipient,
    `const body = JSON.stringify({ query: ${document}, variables: { recipient } });`,
    'const headers = { "content-type": "application/json" };',
    'const response = await fetch(url, { method: "POST", headers, body });',
    "const { data, errors } = JSON.parse(await response.text());",
    "console.log(errors ?? data.streams);",
  ],
};
