import { basename, dirname } from "node:path";
import { compareCodeUnits } from "../base/collections.ts";
import { UsageError } from "../base/errors.ts";
import { isMissing, readUnchanged, realPath, requireFile, unreadable } from "../base/read-files.ts";
import { writeFiles } from "../base/write-files.ts";

/**
 * Writes the variables of an emulator into a file of variables. Other lines stay, and so do their order and line ends.
 *
 * @param path absolute path of the file, which may be missing.
 * @throws UsageError if the file has another value for a variable that an emulator did not write. Nothing is written.
 */
export async function writeVariables(
  path: string,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  // The target of a link is written, not the link.
  const target = (await realPath(path)) ?? path;
  requireFile(target);
  const text = await readUnchanged(target).catch((cause: unknown) => {
    if (isMissing(cause)) return "";
    throw unreadable(target, cause);
  });
  const kept = findForeignValues(text, variables);
  if (kept.length > 0) {
    throw new UsageError({
      sentence: `${path} has values that the emulator did not write: ${kept.join(", ")}.`,
      hint: "choose another file, such as --write-env .env.emulator, or remove these lines.",
    });
  }
  await writeFiles(dirname(target), [{ path: basename(target), content: mergeVariables(text, variables) }]);
}

/** `NAME=value` with what stands before the value. */
const LINE = /^([ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[ \t]*)([^\r\n]*)/gm;

/** The variables with a value that is not from an emulator: another host, or what belongs to one. */
function findForeignValues(text: string, variables: Readonly<Record<string, string>>): readonly string[] {
  const present = [...text.matchAll(LINE)].flatMap(([, , name = "", written = ""]) => {
    const wanted = variables[name];
    const value = plainValue(written);
    return wanted === undefined || value === "" ? [] : [{ name, value, wanted }];
  });
  const urls = present.filter(({ wanted }) => isLoopback(wanted));
  const isOfEmulator = urls.length > 0 && urls.every(({ value }) => isLoopback(value));
  const foreign = present.filter(({ value, wanted }) => {
    if (value === wanted || isLoopback(value)) return false;
    // An id or a brand belongs to the URLs beside it. A key may be real, and exist in this file only.
    return isLoopback(wanted) || wanted === ANY_KEY || !isOfEmulator;
  });
  return [...new Set(foreign.map(({ name }) => name))];
}

/** The key of an emulator that accepts any. */
const ANY_KEY = "emulator";

function isLoopback(value: string): boolean {
  return /^https?:\/\/(?:localhost|\[::1]|127(?:\.\d+){3})(?:[:/]|$)/.test(value);
}

/** A value without its quotes or the comment behind it. */
function plainValue(written: string): string {
  const quoted = /^(["'`])(.*?)\1/.exec(written);
  return quoted?.[2] ?? written.replace(/(?:^|\s+)#.*$/, "").trim();
}

function mergeVariables(text: string, variables: Readonly<Record<string, string>>): string {
  const rest = new Map(Object.entries(variables));
  const merged = text.replace(LINE, (line, start: string, name: string) => {
    const value = variables[name];
    if (value === undefined) return line;
    rest.delete(name);
    return start + value;
  });
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const before = merged === "" || merged.endsWith("\n") ? merged : merged + end;
  return (
    before +
    [...rest]
      .sort(([a], [b]) => compareCodeUnits(a, b))
      .map(([name, value]) => `${name}=${value}${end}`)
      .join("")
  );
}
