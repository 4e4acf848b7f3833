import { docComment } from "../base/doc-comment.ts";
import { allLeftOut, variablesOfDocument } from "./input-types.ts";
import { authoredDescription } from "./operation-docs.ts";
import type { OperationSet } from "./operation-set.ts";
import { printDocument } from "./print-document.ts";
import { resultName } from "./type-names.ts";

/**
 * Renders the operations as primitive strings that carry their types: what clients without a GraphQL parser
 * send. Each constant is a literal, so a bundler keeps what is imported and nothing else.
 */
export function renderStrings(set: OperationSet): string {
  const types = [
    ...(set.operations.some(allLeftOut) ? ["OptionalVariables"] : []),
    ...set.operations.flatMap((operation) => [resultName(operation), `${resultName(operation)}Variables`]),
  ];
  const documents = set.operations.map((operation) => {
    const { name, node, fragments } = operation;
    const types = `${resultName(operation)}, ${variablesOfDocument(operation)}`;
    const text = templateLiteral(printDocument(node, fragments));
    const comment = docComment(authoredDescription(node), "");
    return `${comment}export const ${name}Document = ${text} as TypedString<${types}>;`;
  });
  return [
    `import type {\n${types.map((type) => `  ${type},`).join("\n")}\n} from "./${set.style}.js";`,
    "",
    "/** A GraphQL document as a string that carries the types of its result and variables. */",
    "export type TypedString<TResult, TVariables> = string & {",
    "  /** Is never there: it only holds the types. */",
    "  readonly __apiType?: (variables: TVariables) => TResult;",
    "};",
    "",
    documents.join("\n\n"),
    "",
  ].join("\n");
}

function templateLiteral(text: string): string {
  return `\`${text.replaceAll(/[\\`]|\$\{/g, "\\$&")}\``;
}
