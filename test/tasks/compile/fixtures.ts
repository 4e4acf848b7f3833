import { generatedProject } from "../../support/generated-project.ts";

export const ENTITIES = `
  type Stream @entity(immutable: false) {
    id: String! chainId: BigInt! alias: String! sender: Bytes! asset: Asset! started: Timestamp
  }
  type Asset @entity(immutable: false) {
    id: String! chainId: BigInt! symbol: String! streams: [Stream!]! @derivedFrom(field: "asset")
  }
`;

const BY_SENDER = `# The streams of a sender.
query BySender($sender: Bytes!, $text: String!) {
  streams(where: { sender: $sender, alias_contains: $text }) {
    ...Fields
  }
}
`;

/** Creates a project with a portable operation that compiles, one that does not, and two of the subgraph style. */
export const createProject = () =>
  generatedProject(
    {
      "portable/by-sender.graphql": BY_SENDER,
      "portable/started.graphql":
        "query Started {\n  streams(first: 2000, orderDirection: asc) {\n    started\n  }\n}\n",
      "portable/fields.graphql": "fragment Fields on Stream {\n  id\n  asset {\n    symbol\n  }\n}\n",
      "subgraph/old.graphql":
        "query Old { stream(id: 1) { id } }\nquery Older { assets(first: 3) { ...Own } }\n",
      "subgraph/own.graphql": "fragment Own on Asset { id }\n",
    },
    ENTITIES,
  );

/** What `BySender` compiles to. */
export const SUBGRAPH = `query BySender($sender: Bytes!, $text: String!, $block: Block_height) {
  streams(where: { sender: $sender, alias_contains: $text }, block: $block) {
    ...Fields
  }
}

fragment Fields on Stream {
  id
  asset {
    symbol
  }
}`;

export const MULTICHAIN = `query BySender($sender: String!, $text_like: String!, $chainIds: [numeric!]!) {
  streams: Stream(where: { _and: [{ chainId: { _in: $chainIds } }, { sender: { _eq: $sender }, alias: { _like: $text_like } }] }, order_by: [{ id: asc }], limit: 100) {
    ...Fields
  }
}

fragment Fields on Stream {
  id
  asset {
    symbol
  }
}`;
