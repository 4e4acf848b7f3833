import type { FragmentDefinitionNode, OperationDefinitionNode, StringValueNode, Token } from "graphql";

type Definition = OperationDefinitionNode | FragmentDefinitionNode;

/** What the author of an operation or fragment says of it: its description, or the comment right above it. */
export function authoredDescription(node: Definition): string | null {
  const described: { readonly description?: StringValueNode | undefined } = node;
  return described.description?.value ?? leadingComment(node);
}

function leadingComment({ loc }: Definition): string | null {
  const lines: string[] = [];
  let below = loc?.startToken;
  for (let token = below?.prev; below && token && isAbove(token, below); token = token.prev) {
    if (!INSTRUCTION.test(token.value)) lines.unshift(token.value.replace(/^ /, "").trimEnd());
    below = token;
  }
  const text = lines.join("\n").trim();
  return text === "" ? null : text;
}

/** A comment on a line of its own, with no blank line below. */
function isAbove(token: Token, below: Token): boolean {
  return token.kind === "Comment" && token.line === below.line - 1 && token.prev?.line !== token.line;
}

/** What comments say to tools. */
const INSTRUCTION = /^\s*(import\s|eslint-|prettier-|biome-)/;
