import { isIdentifier } from "../base/identifier.ts";

/** A value as TypeScript on one line. JSON would quote every key. A member that is undefined is left out. */
export function typescriptLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(typescriptLiteral).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => `${propertyName(key)}: ${typescriptLiteral(member)}`);
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
  }
  return quote(value);
}

/** A value as JSON, GraphQL and TypeScript of any age read it: JSON leaves line separators as they are. */
export function quote(value: unknown): string {
  return escapeSeparators(JSON.stringify(value));
}

/** JSON as TypeScript of any age reads it. */
export function escapeSeparators(json: string): string {
  return json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** A name as the key of an object literal. */
export function propertyName(key: string): string {
  // A plain `__proto__: …` in a literal would set the prototype instead of a member.
  if (key === "__proto__") return '["__proto__"]';
  return isIdentifier(key) ? key : quote(key);
}
