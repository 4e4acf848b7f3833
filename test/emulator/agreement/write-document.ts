import type { Operand } from "./question.ts";

/** A request in some dialect. */
export type Document = {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>> | null;
};

/** Writes one value as GraphQL text, or as JSON if it is sent as a variable. */
type WriteValue = (value: string | number | boolean, sent: Operand["sent"]) => string;

/** Collects the variables of a document while its text is written. */
export function createDocument(): {
  readonly value: (operand: Operand, type: string, write: WriteValue) => string;
  readonly finish: (selection: string) => Document;
} {
  const declared: string[] = [];
  const variables: Record<string, unknown> = {};
  return {
    value: ({ value, sent }, type, write) => {
      const text =
        typeof value === "object"
          ? `[${value.map((item) => write(item, sent)).join(", ")}]`
          : write(value, sent);
      if (sent === "literal") return text;
      const name = `v${declared.length}`;
      declared.push(`$${name}: ${type}`);
      variables[name] = JSON.parse(text);
      return `$${name}`;
    },
    finish: (selection) =>
      declared.length === 0
        ? { query: selection, variables: null }
        : { query: `query Q(${declared.join(", ")}) ${selection}`, variables },
  };
}

/** Writes a value in the syntax that GraphQL and JSON share. */
export function literal(value: string | number | boolean): string {
  return JSON.stringify(value);
}
