import { fileURLToPath } from "node:url";

const path = (name: string) => fileURLToPath(new URL(`playground/stand-ins/${name}`, import.meta.url));

/** The modules that a page has in place of those of Node. */
export const STAND_INS = [
  { find: /^node:crypto$/, replacement: path("crypto.ts") },
  { find: /^.*\/match-in-time\.ts$/, replacement: path("match-in-time.ts") },
];
