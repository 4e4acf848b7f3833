import type { Script } from "./edit-scripts.ts";

/** What becomes of the scripts of a package.json. */
export type ScriptPlan = {
  readonly added: readonly Script[];
  /** Sentences on those that are not called as they would be. */
  readonly notes: readonly string[];
  /** The name of each script of Lockflow, whether it was there or is added; null when every name is taken. */
  readonly names: Readonly<Record<ScriptTask, string | null>>;
};

const TASKS = ["generate", "check"] as const;

type ScriptTask = (typeof TASKS)[number];

/** Plans the scripts: none is replaced, and a name that is taken gets `lockflow:` before it. */
export function planScripts(scripts: Readonly<Record<string, string>>): ScriptPlan {
  const added: Script[] = [];
  const notes: string[] = [];
  const names: Record<ScriptTask, string | null> = { generate: null, check: null };
  for (const task of TASKS) {
    const command = `lockflow ${task}`;
    const same = Object.keys(scripts).find((name) => scripts[name] === command);
    const free = [task, `lockflow:${task}`].find((name) => !Object.hasOwn(scripts, name));
    names[task] = same ?? free ?? null;
    if (same !== undefined) continue;
    if (free === undefined) notes.push(`no name is left for the script of \`${command}\``);
    else added.push({ name: free, command });
    if (free !== undefined && free !== task) notes.push(`"${task}" is a script already, hence "${free}"`);
  }
  return { added, notes, names };
}
