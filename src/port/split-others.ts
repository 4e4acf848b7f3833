import { TokenKind } from "graphql";
import { rootFields } from "./classify-surface.ts";
import type { FoundOperation } from "./find-operations.ts";
import type { KnownRoots } from "./known-roots.ts";
import type { OtherQuery } from "./port-types.ts";

/** Separates operations without rows of an indexer. Texts that only look like operations are dropped. */
export function splitOthers(
  found: readonly FoundOperation[],
  roots: KnownRoots,
): { readonly operations: readonly FoundOperation[]; readonly others: readonly OtherQuery[] } {
  const operations: FoundOperation[] = [];
  const others: OtherQuery[] = [];
  for (const operation of found) {
    const { node, document, file, line, name } = operation;
    const isCertain = document.isMarked || node.loc?.startToken.kind !== TokenKind.BRACE_L;
    // A placeholder of a message, such as "{streams}", selects nothing.
    const fields = rootFields(operation).filter(({ selectionSet }) => isCertain || selectionSet);
    const names = node.operation === "mutation" ? [] : fields.map((field) => field.name.value);
    const near = names.find((root) => roots.nearest(root) !== null);
    if (names.some(roots.has)) {
      const isHealth = names.every((root) => HEALTH_ROOTS.has(root));
      if (isHealth) others.push({ file, line, name, code: "port/health", message: HEALTH });
      else operations.push(operation);
    } else if (near !== undefined) {
      const message = `\`${near}\` is not a root field; \`${roots.nearest(near)}\` is.`;
      others.push({ file, line, name, code: "port/near", message });
    } else if (isCertain) others.push(describeOtherApi(operation));
  }
  return { operations, others };
}

/** Root fields with the progress of an indexer instead of rows. */
const HEALTH_ROOTS: ReadonlySet<string> = new Set(["_meta", "chain_metadata"]);

const HEALTH =
  "It asks only for the progress of an indexer: `health` of the client returns it for every chain, and each answer has `head`.";

export function describeOtherApi({ file, line, name }: FoundOperation): OtherQuery {
  const message = "No snapshot has its root fields: it is of another API.";
  return { file, line, name, code: "port/other-api", message };
}

export function describeBuilt(built: Pick<OtherQuery, "file" | "line" | "name">): OtherQuery {
  const message = `\`${built.name}\` is queried by an object with \`__args\`: write it as a document.`;
  return { ...built, code: "port/built", message };
}
