import { join } from "node:path";
import type { OutputFile } from "../files/output-file.ts";
import { readText } from "../files/read-tree.ts";
import type { Finding } from "../model/finding.ts";
import { lineDifference } from "../utils/line-difference.ts";
import { findOrphans } from "./find-orphans.ts";

/**
 * Compares what is on disk with what would be generated, and reports every file that is stale, missing or
 * orphaned.
 *
 * @param output the output folder from the project's root, for messages.
 */
export async function compareGenerated(
  outputRoot: string,
  output: string,
  files: readonly OutputFile[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { path, content } of files) {
    const actual = await readText(join(outputRoot, path));
    const file = `${output}/${path}`;
    if (actual === null) {
      findings.push({
        code: "generated/missing",
        severity: "error",
        subject: file,
        message: "The file does not exist, but would be generated.",
        place: { file, line: null, column: null },
        hint: REGENERATE,
      });
      continue;
    }
    const difference = lineDifference(actual, content);
    if (difference === null) continue;
    findings.push({
      code: "generated/stale",
      severity: "error",
      subject: file,
      message: "The file is not what would be generated.",
      place: { file, line: difference.line, column: null },
      hint: `is:        ${shorten(difference.actual)}\n  should be: ${shorten(difference.expected)}\n  ${REGENERATE}`,
    });
  }
  for (const { path, ours } of await findOrphans(outputRoot, files)) {
    const file = `${output}/${path}`;
    findings.push({
      code: "generated/orphaned",
      severity: "error",
      subject: file,
      message: "Nothing generates this file.",
      place: { file, line: null, column: null },
      hint: ours ? `${REGENERATE} It will be removed.` : "move it out of the output folder, or delete it.",
    });
  }
  return findings;
}

const REGENERATE = "run `lockflow generate` and commit the result.";

const LONGEST_LINE = 160;

function shorten(line: string | null): string {
  if (line === null) return "(end of file)";
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}
