import type { Selected, Test } from "./question.ts";

/** A request in some dialect. */
export type Document = {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>> | null;
};

/** Collects the variables of a document while its text is written. */
export function createDocument(): {
  /** Writes the JSON of a value in the syntax that GraphQL and JSON share, or as a variable. */
  readonly value: (json: string, type: string, sent: Test["sent"]) => string;
  /** Returns the body of the request, as text so that numbers keep their digits. */
  readonly finish: (root: string) => string;
} {
  const declared: string[] = [];
  const variables: string[] = [];
  return {
    value: (json, type, sent) => {
      if (sent === "literal") return json;
      if (sent === "name") return json.replaceAll('"', "");
      const name = `v${declared.length}`;
      declared.push(`$${name}: ${type}`);
      variables.push(`"${name}": ${json}`);
      return `$${name}`;
    },
    finish: (root) => {
      const head = declared.length === 0 ? "" : `query Q(${declared.join(", ")}) `;
      const query = JSON.stringify(`${head}{ answer: ${root} }`);
      return `{"query": ${query}, "variables": {${variables.join(", ")}}}`;
    },
  };
}

/** Writes selected fields under the keys `k0`, `k1`…. */
export function writeSelection(of: readonly Selected[], write: (selected: Selected) => string): string {
  return `{ ${of.map((selected, index) => `k${index}: ${write(selected)}`).join(" ")} }`;
}
