// GraphQL type expressions such as `"[Stream!]!"` stay text, as people read, compare and report them.

/** The named type inside: `"[Stream!]!"` gives `"Stream"`. */
export function baseTypeName(type: string): string {
  // Asked of every member of large schemas, and cutting is several times faster than replacing.
  let start = 0;
  let end = type.length;
  while (type[start] === "[") start++;
  while (type[end - 1] === "!" || type[end - 1] === "]") end--;
  return start === 0 && end === type.length ? type : type.slice(start, end);
}

/** `"Stream!"` and `"[Stream]!"` are required, `"[Stream!]"` is not. */
export function isRequired(type: string): boolean {
  return type.endsWith("!");
}

/** Whether the type is a list, required or not. */
export function isList(type: string): boolean {
  return type.startsWith("[");
}

/** The type without its outermost `!`. */
export function nullableType(type: string): string {
  return isRequired(type) ? type.slice(0, -1) : type;
}

/** The type of a list's items: `"[Stream!]!"` gives `"Stream!"`. Throws when the type is no list. */
export function itemType(type: string): string {
  const inner = nullableType(type);
  if (!isList(inner)) throw new TypeError(`"${type}" is not a list type.`);
  return inner.slice(1, -1);
}
