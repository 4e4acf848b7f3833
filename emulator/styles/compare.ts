/** Compares texts by code point, which is the order of their UTF-8 bytes and of the database's `C` locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    // UTF-16 sorts surrogates, hence all of U+10000 and up, before U+E000 to U+FFFF; UTF-8 does not.
    if (left >= 0xd800 && right >= 0xd800) return byteRank(left) - byteRank(right);
    return left - right;
  }
  return a.length - b.length;
}

function byteRank(unit: number): number {
  return unit >= 0xe000 ? unit - 0x2000 : unit + 0x2000;
}

/** Compares integers of any size in plain decimal. */
export function compareIntegers(a: string, b: string): number {
  if (a === b) return 0;
  const isNegative = a.startsWith("-");
  if (isNegative !== b.startsWith("-")) return isNegative ? -1 : 1;
  const order = a.length - b.length || (a < b ? -1 : 1);
  return isNegative ? -order : order;
}
