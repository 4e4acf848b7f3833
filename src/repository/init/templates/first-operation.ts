import type { Protocol, StyleName } from "../../../project/vocabulary.ts";

/** The name of the first operation, in every protocol and style. */
export const FIRST_OPERATION = "StreamsByRecipient";

/** The file of the first operation, in the folder of its protocol and style. */
export const FIRST_OPERATION_FILE = "streams-by-recipient.graphql";

/** The first operation of a protocol and style: the streams that pay an address. */
export function renderFirstOperation(protocol: Protocol, style: StyleName): string {
  return [
    "# The streams that pay an address, newest first. Addresses are lower-case, amounts in the asset's smallest unit.",
    ...HEADS[style],
    ...[...FIELDS, ...FIELDS_OF[protocol]].map((field) => `    ${field}`),
    "    asset {",
    "      symbol",
    "      decimals",
    "    }",
    "  }",
    "}",
    "",
  ].join("\n");
}

const HEADS: Readonly<Record<StyleName, readonly string[]>> = {
  multichain: [
    `query ${FIRST_OPERATION}($recipient: String!, $first: Int! = 100, $skip: Int! = 0) {`,
    "  streams: Stream(",
    "    where: { recipient: { _eq: $recipient } }",
    "    limit: $first",
    "    offset: $skip",
    "    order_by: [{ timestamp: desc }, { id: desc }]",
    "  ) {",
  ],
  subgraph: [
    `query ${FIRST_OPERATION}($recipient: Bytes!, $first: Int! = 100, $skip: Int! = 0) {`,
    "  streams(",
    "    where: { recipient: $recipient }",
    "    first: $first",
    "    skip: $skip",
    "    orderBy: timestamp",
    "    orderDirection: desc",
    "  ) {",
  ],
};

const FIELDS = ["id", "alias", "chainId", "sender", "recipient", "startTime", "withdrawnAmount"];

const FIELDS_OF: Readonly<Record<Protocol, readonly string[]>> = {
  lockup: ["category", "depositAmount", "intactAmount", "endTime", "cancelable", "canceled"],
  flow: ["depositedAmount", "availableAmount", "ratePerSecond", "depletionTime", "paused", "voided"],
};
