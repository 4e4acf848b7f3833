import { Kind, parse, visit } from "graphql";
import { utf8 } from "../../src/base/bytes.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import type { Answer, Indexer } from "../indexers/create-indexers.ts";
import type { GraphqlRequest } from "../styles/served-style.ts";

/** An indexer that refuses introspection. */
export function withoutIntrospection(indexer: Indexer, style: StyleName): Indexer {
  return {
    ...indexer,
    forward: undefined,
    answer: (request) => {
      const field = findIntrospection(request);
      if (field === null) return indexer.answer(request);
      const body = utf8(JSON.stringify({ errors: [ERROR_MESSAGES[style].noIntrospection(field)] }));
      return { body, hasData: false, ...UNNOTICED };
    },
  };
}

/** An indexer that adds an error to successful answers. */
export function withErrorBesideData(indexer: Indexer, style: StyleName, message: string): Indexer {
  const errors = JSON.stringify([ERROR_MESSAGES[style].error(message)]);
  return {
    ...indexer,
    forward: undefined,
    answer: async (request) => addErrors(await indexer.answer(request), errors),
  };
}

/** The error comes from a proxy in front of the platform, so a gateway does not judge the indexer by it. */
const UNNOTICED: Pick<Answer, "hasErrors" | "errors"> = { hasErrors: false, errors: [] };

function addErrors(answer: Answer, errors: string): Answer {
  if (!answer.hasData || answer.hasErrors) return answer;
  // Inserted as text: numbers of the data must keep their digits.
  const end = answer.body.lastIndexOf("}".charCodeAt(0));
  const body = Buffer.concat([answer.body.subarray(0, end), utf8(`,"errors":${errors}}`)]);
  return { ...answer, body, ...UNNOTICED };
}

/** The entries of `errors` that faults cause, in each platform's form. */
type ErrorMessages = {
  readonly error: (message: string) => Readonly<Record<string, unknown>>;
  /** The error for a root field of introspection. */
  readonly noIntrospection: (field: string) => Readonly<Record<string, unknown>>;
};

const ERROR_MESSAGES: Readonly<Record<StyleName, ErrorMessages>> = {
  multichain: {
    error: (message) => ({ message, extensions: { path: "$", code: "unexpected" } }),
    // With introspection disabled for a role, these root fields do not exist.
    noIntrospection: (field) => ({
      message: `field '${field}' not found in type: 'query_root'`,
      extensions: { path: `$.selectionSet.${field}`, code: "validation-failed" },
    }),
  },
  subgraph: {
    error: (message) => ({ message }),
    // A node always answers introspection, so this is the answer of a proxy in front of it.
    noIntrospection: () => ({ message: "introspection is disabled" }),
  },
};

/** The first introspection field of a request: `__schema` or `__type`; null without one. */
function findIntrospection({ query, operationName }: GraphqlRequest): string | null {
  if (!query.includes("__schema") && !query.includes("__type")) return null;
  let field: string | null = null;
  try {
    for (const definition of parse(query, { noLocation: true }).definitions) {
      const isOther =
        definition.kind === Kind.OPERATION_DEFINITION &&
        definition.name?.value !== (operationName ?? definition.name?.value);
      if (isOther) continue;
      visit(definition, {
        Field: ({ name: { value } }) => {
          if (/^__(?:schema|type)$/.test(value)) field ??= value;
        },
      });
    }
  } catch {
    // The platform reports syntax errors.
  }
  return field;
}
