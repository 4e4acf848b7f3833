import { join } from "node:path";
import { readGeneratedText } from "../base/disk/read-tree.ts";
import { type LineDifference, lineDifference } from "../base/line-difference.ts";
import { buildFileFinding } from "../report/build-file-finding.ts";
import type { Finding } from "../report/finding.ts";
import type { Generation } from "./generate-files.ts";
import { findOrphans, type ProjectFolders } from "./write-generation.ts";

/** Finds what is stale, missing or orphaned on disk. Of files that invalid operations withhold nothing can be said. */
export async function compareGenerated(
  project: ProjectFolders,
  { files, withheld }: Pick<Generation, "files" | "withheld">,
): Promise<Finding[]> {
  const { root, output } = project;
  const placeOf = (path: string, line: number | null = null) => ({
    file: `${output}/${path}`,
    line,
    column: null,
  });
  const findings: Finding[] = [];
  for (const { path, content } of files) {
    const actual = await readGeneratedText(join(root, output, path));
    if (actual === null) {
      findings.push(buildFileFinding("generated/missing", [], { place: placeOf(path) }));
      continue;
    }
    const difference = lineDifference(actual, content);
    if (difference === null) continue;
    findings.push(
      buildFileFinding("generated/stale", [], {
        before: excerpt(difference.expected, difference),
        after: excerpt(difference.actual, difference),
        place: placeOf(path, difference.line),
      }),
    );
  }
  const expected = [...files.map(({ path }) => path), ...withheld];
  for (const { path, ours } of await findOrphans(project, expected)) {
    findings.push(
      buildFileFinding("generated/orphaned", [false], {
        place: placeOf(path),
        ...(ours ? { fix: "run `lockflow generate` and commit the result. It will be removed." } : {}),
      }),
    );
  }
  return findings;
}

const LONGEST_LINE = 160;

/** How many characters of a long line are shown on either side of where it starts to differ. */
const BEFORE = 60;
const AFTER = 100;

/** A line as people are shown it: the part that differs, with what is there but cannot be seen spelled out. */
function excerpt(line: string | null, { column }: LineDifference): string {
  if (line === null) return "(end of file)";
  if (line.length <= LONGEST_LINE) return visible(line);
  const from = Math.max(0, column - 1 - BEFORE);
  const to = column - 1 + AFTER;
  return `${from > 0 ? "…" : ""}${visible(line.slice(from, to))}${to < line.length ? "…" : ""}`;
}

/** A byte order mark alone makes a file stale, and no terminal shows one. */
function visible(text: string): string {
  return text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being shown
    /[\u0000-\u001f\u007f-\u00a0\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
