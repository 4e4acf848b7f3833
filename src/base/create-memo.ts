/**
 * Gives what was made under a name before, while what it is made of is the very same; else makes it anew. Of each
 * name the last is kept.
 */
export type Memo = <T>(name: string, ingredients: readonly unknown[], make: () => T) => T;

/**
 * Creates what a generation keeps that is run again and again: what is made of unchanged texts is not made twice.
 * A single run starts with none.
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
