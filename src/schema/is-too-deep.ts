/** More levels than these nobody writes, and what walks a document needs a part of its stack for each of them. */
export const DEEPEST_DOCUMENT = 500;

/** Whether a document is nested so deeply that parsing it could exhaust the stack. */
export function isTooDeep(text: string): boolean {
  return depthOf(text) > DEEPEST_DOCUMENT && depthOf(text.replaceAll(PROSE, "")) > DEEPEST_DOCUMENT;
}

/** Counted over prose as well, which costs next to nothing and is mostly enough to know. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x28:
      case 0x5b:
      case 0x7b:
        depth++;
        if (depth > deepest) deepest = depth;
        break;
      case 0x29:
      case 0x5d:
      case 0x7d:
        depth--;
    }
  }
  return deepest;
}

/** Block strings, strings and comments, one character at a time: of one that never ends no second way is tried. */
const PROSE = /"""(?:[^"\\]|\\"""|\\(?!""")|"(?!""))*"""|"(?:[^"\\\n]|\\.)*"|#[^\n]*/g;
