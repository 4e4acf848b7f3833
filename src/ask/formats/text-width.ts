/** How many columns of a terminal a text takes: two for wide letters, none for marks on others. */
export function textWidth(text: string): number {
  let width = 0;
  for (const letter of text) width += letterWidth(letter);
  return width;
}

/** Cuts a text to so many columns, and says so by its last one. */
export function cutToWidth(text: string, most: number): string {
  if (textWidth(text) <= most) return text;
  let cut = "";
  let width = 1;
  for (const letter of text) {
    width += letterWidth(letter);
    if (width > most) break;
    cut += letter;
  }
  return `${cut}…`;
}

function letterWidth(letter: string): number {
  return /\p{M}/u.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
