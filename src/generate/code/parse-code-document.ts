import type { DocumentNode } from "graphql";
import { buildFileFinding } from "../../report/build-file-finding.ts";
import type { Finding } from "../../report/finding.ts";
import type { OperationFile } from "../operation-set.ts";
import { parseFile } from "../parse-operations.ts";
import { type CodeDocument, type Locate, placeAt } from "./code-document.ts";

/** Parses a document in code, as if all of its file were GraphQL: whatever it has is at its line and column there. */
export function parseCodeDocument(code: CodeDocument, findings: Finding[]): OperationFile | null {
  const { path, text, locate, interpolations } = code;
  const found: Finding[] = [];
  const parsed = parseFile({ path, text }, found);
  for (const { place, fix, ...finding } of found) {
    const offset = offsetOf(text, place?.line ?? 1, place?.column ?? 1);
    const isEmpty = text.trim() === "";
    findings.push({
      ...finding,
      place: placeAt(path, locate, offset),
      fix: isEmpty ? "the document is empty: write an operation, or delete it." : fix,
    });
  }
  if (parsed === null) return null;
  relocate(parsed.document, locate);
  const inside = interpolations.find((offset) =>
    parsed.document.definitions.some(({ loc }) => loc && loc.start < offset && offset < loc.end),
  );
  if (inside === undefined) return parsed;
  findings.push(
    buildFileFinding(
      "operation/unreadable",
      ["A document is interpolated inside of another's operation or fragment."],
      {
        place: placeAt(path, locate, inside),
        fix: "put it behind them, and spread its fragment by name.",
      },
    ),
  );
  return null;
}

function offsetOf(text: string, line: number, column: number): number {
  const starts = [0, ...[...text.matchAll(/\r\n|[\n\r]/g)].map(({ index, 0: end }) => index + end.length)];
  return (starts[line - 1] ?? 0) + column - 1;
}

/** Every place is read off a token, so that these say where they stand in the file. */
function relocate({ loc }: DocumentNode, locate: Locate): void {
  for (let token = loc?.startToken ?? null; token !== null; token = token.next) {
    Object.assign(token, locate(token.start));
  }
}
