import { CLIENT_PACKAGE, CLIENT_RANGE } from "../../base/own-package.ts";
import { isObject } from "../../base/parse-json.ts";
import type { Project } from "../../project/project.ts";
import type { Package, Repository } from "./detect-repository.ts";

/** The package.json after `init`. */
export type PackagePlan = {
  readonly content: string;
  /** The added members, as in the file: `"check": "lockflow check"`. */
  readonly added: readonly string[];
  /** Notes about scripts with an unusual name, or without a free name. */
  readonly notes: readonly string[];
  /** The name of each script, present or added; null if every name is taken. */
  readonly scripts: Readonly<Record<ScriptTask, string | null>>;
  /** Whether the package that generated code imports is added. */
  readonly needsClient: boolean;
};

const TASKS = ["generate", "check"] as const;

type ScriptTask = (typeof TASKS)[number];

/** Plans the scripts and the dependency to add. Existing scripts are not replaced; a taken name gets the prefix `lockflow:`. */
export function planPackage(
  { package: manifest, dependencies }: Pick<Repository, "package" | "dependencies">,
  runtime: Project["runtime"],
): PackagePlan {
  const added: Record<string, string> = {};
  const notes: string[] = [];
  const names: Record<ScriptTask, string | null> = { generate: null, check: null };
  for (const task of TASKS) {
    const command = `lockflow ${task}`;
    const same = Object.keys(manifest.scripts).find((name) => manifest.scripts[name] === command);
    const free = [task, `lockflow:${task}`].find((name) => !Object.hasOwn(manifest.scripts, name));
    names[task] = same ?? free ?? null;
    if (same !== undefined) continue;
    if (free === undefined) notes.push(`has no free name for a script of \`${command}\``);
    else added[free] = command;
    if (free !== undefined && free !== task)
      notes.push(`has a script "${task}" already, so the new one is "${free}"`);
  }
  const needsClient = runtime === "package" && !dependencies.has(CLIENT_PACKAGE);
  const sections = { scripts: added, dependencies: needsClient ? { [CLIENT_PACKAGE]: CLIENT_RANGE } : {} };
  const members = Object.values(sections).flatMap((section) => Object.entries(section));
  return {
    content: addMembers(manifest, sections),
    added: members.map(([name, value]) => `"${name}": "${value}"`),
    notes,
    scripts: names,
    needsClient,
  };
}

/** Adds members to sections of a package.json. Keeps its indentation and line ends, as package managers do. */
function addMembers(
  { text, value }: Package,
  sections: Readonly<Record<string, Readonly<Record<string, string>>>>,
): string {
  const edited: Record<string, unknown> = { ...value };
  for (const [name, members] of Object.entries(sections)) {
    const section = edited[name];
    if (Object.keys(members).length > 0) edited[name] = { ...(isObject(section) && section), ...members };
  }
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
  const json = `${JSON.stringify(edited, null, indent)}\n`;
  return text.includes("\r\n") ? json.replaceAll("\n", "\r\n") : json;
}
