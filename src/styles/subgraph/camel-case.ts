/**
 * The camel case graph-node makes of a name. A digit ends a word (`UniswapV3s` gives `uniswapV3S`), and the
 * case of a letter is compared with the last letter that was lowered, not with the one before it, so runs of
 * capitals come out as `lptoken` at the start of a name and as `accountCToken` inside of it (A.4).
 */
export function camelCase(name: string): string {
  let result = "";
  let newWord = false;
  let last = "";
  for (const character of name) {
    if (!/[A-Za-z0-9]/.test(character)) {
      newWord = result !== "";
    } else if (/[0-9]/.test(character)) {
      result += character;
      newWord = true;
    } else if (newWord || (/[a-z]/.test(last) && /[A-Z]/.test(character))) {
      result += character.toUpperCase();
      newWord = false;
    } else {
      result += character.toLowerCase();
      last = character;
    }
  }
  return result;
}
