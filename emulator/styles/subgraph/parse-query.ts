import { type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode } from "graphql";
import { GRAPH_NODE_RELEASES } from "../../../src/dialects/subgraph/release.ts";
import { messages, refuse } from "./messages.ts";
import { parseDocument } from "./parse-document.ts";

export type ParsedQuery = {
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
};

/**
 * Parses a query. The server accepts one operation per document and never reads `operationName`. A strict server
 * validates the document before it looks for that operation.
 *
 * @throws QueryError on text that does not parse, on what the check refuses and on anything but one operation.
 */
export function parseQuery(text: string, check: ((document: DocumentNode) => void) | null): ParsedQuery {
  const document = parseDocument(text);
  check?.(document);
  const operations: OperationDefinitionNode[] = [];
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
    // The last of two with the same name counts.
    else if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const [operation, ...others] = operations;
  if (operation === undefined || others.length > 0) return refuse(messages.operationNameRequired);
  return { operation, fragments };
}

/** The behaviours that depend on the server's release. */
export type Quirks = {
  /** `or` beside column filters has its own message. */
  readonly explainsMixedOr: boolean;
  /** An empty list for `_in` or `_not_in` ends the request with a panic. */
  readonly panicsOnEmptyList: boolean;
  /** Introspection supports the deprecation of input values; before, selecting it failed. */
  readonly fillsInputDeprecation: boolean;
  /** Aggregations accept `current`; before, the incomplete bucket was not available. */
  readonly hasCurrentBucket: boolean;
  /** Without a log store, `_logs` is refused; before, it was empty. */
  readonly refusesLogs: boolean;
};

/** The quirks of a release; an unknown name counts as the newest. */
export function quirksOf(release: string): Quirks {
  const position = positionOf(release);
  return {
    explainsMixedOr: position >= positionOf("0.40"),
    panicsOnEmptyList: position === positionOf("0.39"),
    fillsInputDeprecation: position >= positionOf("0.43"),
    hasCurrentBucket: position >= positionOf("0.42"),
    refusesLogs: position >= positionOf("0.45"),
  };
}

const RELEASES: readonly string[] = GRAPH_NODE_RELEASES;

function positionOf(release: string): number {
  const position = RELEASES.indexOf(release);
  return position < 0 ? GRAPH_NODE_RELEASES.length : position;
}
