/** The truth of SQL: null is unknown, which is not true and whose opposite is unknown as well. */
export type Ternary = boolean | null;

export function not(value: Ternary): Ternary {
  return value === null ? null : !value;
}

/** Whether all tests hold of a subject; none is true. */
export function allOf<T>(tests: readonly ((subject: T) => Ternary)[]): (subject: T) => Ternary {
  const [only] = tests;
  if (only && tests.length === 1) return only;
  return (subject) => {
    let result: Ternary = true;
    for (const test of tests) {
      const value = test(subject);
      if (value === false) return false;
      if (value === null) result = null;
    }
    return result;
  };
}

/** Whether any test holds of a subject; none is false. */
export function anyOf<T>(tests: readonly ((subject: T) => Ternary)[]): (subject: T) => Ternary {
  return (subject) => {
    let result: Ternary = false;
    for (const test of tests) {
      const value = test(subject);
      if (value === true) return true;
      if (value === null) result = null;
    }
    return result;
  };
}
