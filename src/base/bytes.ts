/** Returns the bytes of a text in UTF-8. */
export function utf8(text: string): Uint8Array {
  return ENCODER.encode(text);
}

const ENCODER = new TextEncoder();
