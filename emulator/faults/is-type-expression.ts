/** Whether a text is a type as GraphQL writes it: `String`, `[Bytes!]!`. */
export function isTypeExpression(text: string): boolean {
  const nullable = text.endsWith("!") ? text.slice(0, -1) : text;
  if (nullable.startsWith("[")) return nullable.endsWith("]") && isTypeExpression(nullable.slice(1, -1));
  return /^[A-Za-z_]\w*$/.test(nullable);
}
