import { utf8 } from "./bytes.ts";

const PRIMES = Array.from({ length: 312 }, (_, index) => index).filter(
  (number) => number > 1 && [2, 3, 5, 7, 11, 13, 17].every((prime) => number === prime || number % prime > 0),
);

/** The first 32 bits of the fraction of a number. */
const fraction = (number: number) => Math.floor((number % 1) * 2 ** 32) | 0;
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const KEYS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

/** Returns the SHA-256 of text or bytes. The function of the platform is asynchronous. */
export function sha256(content: string | Uint8Array): string {
  const message = typeof content === "string" ? utf8(content) : content;
  const bytes = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setBigUint64(bytes.length - 8, BigInt(message.length) * 8n);
  const state = [...START];
  const words = new Int32Array(64);
  const at = (index: number) => words[index] ?? 0;
  const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by));
  for (let block = 0; block < bytes.length; block += 64) {
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let i = 0; i < 64; i++) {
      const [x, y] = [at(i - 15), at(i - 2)];
      const early = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
      const late = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
      words[i] = i < 16 ? view.getInt32(block + i * 4) : at(i - 16) + early + at(i - 7) + late;
      const sum = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const first = h + sum + ((e & f) ^ (~e & g)) + (KEYS[i] ?? 0) + at(i);
      const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
    }
    for (const [index, word] of [a, b, c, d, e, f, g, h].entries())
      state[index] = ((state[index] ?? 0) + word) | 0;
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
