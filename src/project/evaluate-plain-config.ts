import { compileFunction } from "node:vm";
import { type Config, defineConfig, defineProtocol } from "./config.ts";

/**
 * Evaluates a configuration whose syntax is JavaScript and whose only imports are the functions of Lockflow that return
 * their argument. A compiler of TypeScript takes longer to load than an unchanged `check` takes otherwise.
 *
 * @param text the text of a module, with LF line ends and without a byte order mark.
 * @returns the default export; null if the module needs a compiler or a loader.
 * @throws what the module throws.
 */
export function evaluatePlainConfig(text: string, file: string): { readonly value: unknown } | null {
  const [statement = "", names = ""] = IMPORT.exec(text) ?? [];
  const imported = names.split(",").map((name) => name.trim());
  if (!imported.every((name) => name === "" || Object.hasOwn(FUNCTIONS, name))) return null;
  // A replacement of the same length keeps the positions in the stack of an error.
  const body = text
    .replace(statement, (match) => " ".repeat(match.length))
    .replace(EXPORT, "exported.value=");
  if (body === text || NEEDS_LOADER.test(body)) return null;
  const compiled = compile(`"use strict";${body}`, file);
  if (compiled === null) return null;
  const exported: { value?: Config } = {};
  compiled(exported, ...Object.values(FUNCTIONS));
  return { value: exported.value };
}

const FUNCTIONS = { defineConfig, defineProtocol };

const IMPORT = /^import \{([\w ,]*)\} from ["']lockflow["'];?$/m;
const EXPORT = /^export default (?=defineConfig\(|\{)/m;

/** What only a loader has, and type arguments: without their types, `f<T>(x)` is a comparison. */
const NEEDS_LOADER = /\b(?:import|export|require|module|exports|arguments|__dirname|__filename)\b|</;

function compile(code: string, filename: string): ((...values: unknown[]) => void) | null {
  try {
    const parameters = ["exported", ...Object.keys(FUNCTIONS)];
    return compileFunction(code, parameters, { filename }) as (...values: unknown[]) => void;
  } catch {
    return null;
  }
}
