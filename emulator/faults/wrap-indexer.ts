import type { StyleName } from "../../src/dialects/surface.ts";
import type { Answer, Indexer } from "../indexers/create-indexers.ts";
import { ERROR_MESSAGES } from "./error-messages.ts";
import { findIntrospection } from "./find-introspection.ts";

/** An indexer that refuses introspection, and answers everything else. */
export function withoutIntrospection(indexer: Indexer, style: StyleName): Indexer {
  return {
    ...indexer,
    forward: undefined,
    answer: (request) => {
      const field = findIntrospection(request);
      if (field === null) return indexer.answer(request);
      const body = Buffer.from(JSON.stringify({ errors: [ERROR_MESSAGES[style].noIntrospection(field)] }));
      return { body, hasData: false, ...UNNOTICED };
    },
  };
}

/** An indexer whose successful answers have an error beside their data. */
export function withErrorBesideData(indexer: Indexer, style: StyleName, message: string): Indexer {
  const errors = JSON.stringify([ERROR_MESSAGES[style].error(message)]);
  return {
    ...indexer,
    forward: undefined,
    answer: async (request) => addErrors(await indexer.answer(request), errors),
  };
}

/** Something in front of the platform said it, so a gateway does not judge the indexer by it. */
const UNNOTICED: Pick<Answer, "hasErrors" | "errors"> = { hasErrors: false, errors: [] };

function addErrors(answer: Answer, errors: string): Answer {
  if (!answer.hasData || answer.hasErrors) return answer;
  // Put in as text: numbers of the data must keep their digits.
  const end = answer.body.lastIndexOf("}");
  const body = Buffer.concat([answer.body.subarray(0, end), Buffer.from(`,"errors":${errors}}`)]);
  return { ...answer, body, ...UNNOTICED };
}
