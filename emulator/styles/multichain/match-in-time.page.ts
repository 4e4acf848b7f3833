/** Tests a text without a time limit: the page ends a worker that takes too long. */
export function matchInTime(regex: RegExp, text: string): boolean {
  return regex.test(text);
}
