/** The error an action throws; a test that expects one must not pass without it. */
export function catchError(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    return error as Error;
  }
  throw new Error("Nothing was thrown.");
}
