/**
 * The name of the table or the column that stores a type or a field, as PostgreSQL keeps it: in snake case, where
 * graph-node takes a digit for a capital letter, and cut off at 63 characters.
 */
export function sqlName(name: string): string {
  let result = "";
  for (const word of name.split("_").filter((part) => part !== "")) {
    if (result !== "") result += "_";
    for (const [index, letter] of [...word].entries()) {
      const isCapital = index > 0 && !/[a-z]/.test(letter);
      const besideSmall = /[a-z]/.test(word[index - 1] ?? "") || /[a-z]/.test(word[index + 1] ?? "");
      result += `${isCapital && besideSmall ? "_" : ""}${letter.toLowerCase()}`;
    }
  }
  return result.slice(0, 63);
}
