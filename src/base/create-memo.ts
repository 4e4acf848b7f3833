/**
 * Returns what was made under a name before while its ingredients are the same, and makes it anew otherwise. It holds
 * the last value of each name.
 */
export type Memo = <T>(name: string, ingredients: readonly unknown[], make: () => T) => T;

/**
 * Creates a memo for a generation that runs again and again, so that nothing is made of unchanged texts twice.
 */
export function createMemo(): Memo {
  const made = new Map<string, { readonly ingredients: readonly unknown[]; readonly value: unknown }>();
  return <T>(name: string, ingredients: readonly unknown[], make: () => T): T => {
    const known = made.get(name);
    // A name is always of one place in the code, and with it of one type.
    if (known !== undefined && isSame(known.ingredients, ingredients)) return known.value as T;
    const value = make();
    made.set(name, { ingredients, value });
    return value;
  };
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((ingredient, index) => ingredient === b[index]);
}
