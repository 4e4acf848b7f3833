/** The first of many names, and how many there are besides: `a, b, c and 4 more`. */
export function listSome(names: readonly string[], most: number): string {
  const shown = names.slice(0, most).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
