/** Returns what was last made under a name while its ingredients are the same, and makes it anew otherwise. */
export type Memo = <T>(name: string, ingredients: readonly unknown[], make: () => T) => T;

/** Creates a memo for a generation that runs again and again. */
export function createMemo(): Memo {
  const made = new Map<string, { readonly ingredients: readonly unknown[]; readonly value: unknown }>();
  return <T>(name: string, ingredients: readonly unknown[], make: () => T): T => {
    const known = made.get(name);
    const isSame =
      known?.ingredients.length === ingredients.length &&
      known.ingredients.every((ingredient, index) => ingredient === ingredients[index]);
    // A name is always of one place in the code, and with it of one type.
    if (isSame) return known.value as T;
    const value = make();
    made.set(name, { ingredients, value });
    return value;
  };
}
