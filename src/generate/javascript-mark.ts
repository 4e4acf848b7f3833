/**
 * How the line after the header of generated JavaScript begins: it names the declarations to Deno, and tells what Lockflow wrote from
 * what a compiler made of Lockflow's TypeScript, whose header it keeps.
 */
export const SELF_TYPES = "@ts-self-types=";
