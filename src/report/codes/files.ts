import { listSome } from "../../base/clean-text.ts";
import { type Code, type FactsOf, type Finding, type Layer, messageOf } from "../finding.ts";
import { PORTABLE } from "./portable.ts";

const REGENERATE = "run `lockflow generate` and commit the result.";
const PRUNE = "run `lockflow accept --prune`, and commit the result.";
/** Only a report shows what deployments serve. */
export const PRUNE_FROM =
  "save the report of this run (`--report json=report.json`), run `lockflow accept --prune --from report.json`, and commit the result.";

/** Codes about files of this repository: operations, generated files, snapshots, acceptances and plans. */
export const FILES = {
  ...PORTABLE,
  "operation/syntax": { severity: "breaking", message: (said: string) => said },
  "operation/anonymous": {
    severity: "breaking",
    message: "An operation has no name.",
    fix: "name it; the generated code has the operation's name.",
  },
  "operation/duplicate-name": {
    severity: "breaking",
    message: (kind: string, name: string, differ: boolean) =>
      `Two ${kind}s are named "${name}"${differ ? ", and their texts differ" : ""}.`,
  },
  "operation/not-executable": {
    severity: "breaking",
    message: "The document defines a type; only operations and fragments are allowed.",
    fix: "remove the definition: types come from the snapshots.",
  },
  "operation/unused-fragment": {
    severity: "breaking",
    message: (name: string) => `No operation uses the fragment "${name}".`,
    fix: "use it, or delete it.",
  },
  "operation/misplaced": {
    severity: "breaking",
    message: "The file is outside the folders of the protocols and styles, so nothing is generated from it.",
  },
  "operation/unreadable": {
    severity: "breaking",
    message: (said: string) => said,
    fix: "write the document as one literal text. Interpolate only constants that are documents, from files that `documents` of the configuration matches.",
  },
  "operation/no-code": {
    severity: "breaking",
    message: (pattern: string, others: readonly string[]) =>
      `The pattern "${pattern}" of \`documents\` matches no TypeScript or JavaScript file${others.length === 0 ? "" : `, only ${listSome(others, 3)}`}.`,
    fix: "correct it in the configuration. It is relative to the configuration's folder.",
  },
  "operation/unread-file": {
    severity: "breaking",
    message: (pattern: string, extensions: readonly string[] | null) =>
      `${extensions === null ? `The file has a document and matches "${pattern}" of \`documents\`` : `The pattern "${pattern}" of \`documents\` names ${extensions.join(", ")} files`}, but only TypeScript and JavaScript files are read.`,
    fix: "move the documents to TypeScript or JavaScript files, or exclude the others from `documents` in the configuration.",
  },
  "operation/invalid": { severity: "breaking", message: (said: string) => said },
  "operation/no-root": {
    severity: "breaking",
    message: (surface: string, kind: string) => `The schema of ${surface} has no ${kind}s.`,
    fix: "write a query; these indexers are read-only.",
  },
  "operation/unmapped-scalar": {
    severity: "breaking",
    message: (names: readonly string[]) =>
      `Operations use ${names.length === 1 ? "a scalar" : "scalars"} without a TypeScript type: ${names.join(", ")}.`,
  },
  "operation/not-everywhere": {
    severity: "risky",
    message: (chains: string) => `The schema of ${chains} does not accept the operation.`,
    fix: "run it only on the chains that the manifest lists for it, or leave out what the others lack.",
  },
  "operation/unused-variable": {
    severity: "breaking",
    message: (name: string) => `The operation declares "$${name}" and does not use it.`,
    fix: "use it, or delete it.",
  },
  "operation/no-page-size": {
    severity: "risky",
    message: (list: string, rows: number | null, variable: string | null) => {
      const answer = rows === null ? "every row, up to the row cap of the indexer" : `the first ${rows} rows`;
      return variable === null
        ? `"${list}" has no page size, so it returns ${answer}.`
        : `"$${variable}" is optional; without it, "${list}" returns ${answer}.`;
    },
  },
  "operation/first-range": {
    severity: "risky",
    message: outOfRange,
    fix: "request smaller pages, and the next one while a page is full.",
  },
  "operation/skip-range": {
    severity: "risky",
    message: outOfRange,
    fix: "page by a cursor; see `lockflow explain operation/skip-walk`.",
  },
  "operation/skip-walk": {
    severity: "cosmetic",
    message: (list: string, variable: string, cursor: string) =>
      `"${list}" is paged by "$${variable}", although "${cursor}" is a cursor.`,
  },
  "operation/upper-case-hex": {
    severity: "risky",
    message: (value: string) =>
      `"${value}" is compared as text, so it does not match addresses stored in lower case.`,
  },
  "operation/text-as-bytes": {
    severity: "risky",
    message: (value: string) => `"${value}" is compared as text, so it does not match stored bytes.`,
  },
  "operation/empty-exclusion": {
    // It surprises where no row is left, and is only the other way round in the other style.
    severity: "risky",
    message: (operator: string, variable: string | null, rows: string) =>
      variable === null
        ? `"${operator}" with an empty list matches ${rows}.`
        : `"$${variable}" may be an empty list; "${operator}" then matches ${rows}.`,
  },
  "operation/misread": { severity: "risky", message: (said: string) => said },
  "operation/null-condition": {
    severity: "risky",
    message: (variable: string, member: string, isRefused: boolean) =>
      isRefused
        ? `Without "$${variable}", the request fails: "${member}" takes no null.`
        : `Without "$${variable}", the condition does not go away: "${member}" compares with null.`,
  },
  "operation/all-conditional": {
    severity: "risky",
    message: (what: string) => `All fields of ${what} may be skipped, and then the request fails.`,
    fix: "select `id` without a condition.",
  },
  "operation/unlike-ids": {
    severity: "cosmetic",
    message: (entity: string, reason: string) =>
      `The styles may format ids of ${entity} differently: ${reason}.`,
  },
  "operation/unlike-twins": {
    severity: "risky",
    message: (name: string, differences: readonly string[]) =>
      `The results of "${name}" differ between the styles: ${differences.join("; ")}.`,
  },
  "generated/stale": {
    severity: "breaking",
    message: "The file is not what would be generated.",
    fix: REGENERATE,
  },
  "generated/client-version": {
    severity: "breaking",
    message: (installed: string, range: string) =>
      `lockflow-client ${installed} is installed, but the generated files need ${range}.`,
    fix: "install the version of lockflow-client that fits, and run `lockflow generate`.",
  },
  "generated/missing": {
    severity: "breaking",
    message: "The file does not exist, but would be generated.",
    fix: REGENERATE,
  },
  "generated/orphaned": {
    severity: "breaking",
    message: (isSnapshot: boolean) =>
      isSnapshot
        ? "The file is not a snapshot of a configured protocol and style."
        : "Nothing generates this file.",
    fix: "move it out of the output folder, or delete it.",
  },
  "snapshot/edited": {
    severity: "breaking",
    message: (fault: string) => fault,
    fix: "restore it from version control, or delete it and run `lockflow introspect`.",
  },
  "snapshot/record": {
    severity: "breaking",
    message: (fault: string) => fault,
    fix: "run `lockflow introspect`",
  },
  "snapshot/unserved": {
    severity: "breaking",
    message: "No deployment in the fleet record serves this snapshot.",
    fix: "run `lockflow introspect`, or delete it.",
  },
  "snapshot/new": {
    severity: "additive",
    message: (commit: string) =>
      `The snapshot does not exist at ${commit.slice(0, 12)}, so it was not compared.`,
    fix: "if its folder was moved, run `git add` first, so that git finds the old one.",
  },
  "snapshot/missing": {
    severity: "breaking",
    message: (commit: string) => `The snapshot exists at ${commit.slice(0, 12)}, but not on this branch.`,
    fix: "restore it from version control, or run `lockflow introspect`.",
  },
  "plan/syntax": {
    severity: "breaking",
    message: (said: string) => said,
    fix: "correct the entity schema; no platform accepts it.",
  },
  "plan/refused": {
    severity: "breaking",
    message: (release: string, reason: string) => `${release} refuses the entity schema: ${reason}`,
  },
  "plan/definition": {
    severity: "risky",
    message: (said: string) => `Once this entity schema is deployed: ${said}`,
    fix: "change the definition together with the snapshots.",
  },
  "plan/index-added": {
    severity: "cosmetic",
    message: (name: string) => `${name} gets an index: filters and orders by it become faster.`,
  },
  "plan/index-removed": {
    severity: "cosmetic",
    message: (name: string) => `${name} loses its index: filters and orders by it read the whole table.`,
  },
  "plan/hidden-changed": {
    severity: "cosmetic",
    message: (coordinate: string, before: string | null, after: string | null) =>
      `${coordinate} changed although no API shows it: ${before ?? "none"} → ${after ?? "gone"}.`,
  },
  "plan/hidden-not-compared": {
    severity: "cosmetic",
    message:
      "No earlier version of the entity schema is known, so changes that no API shows were not compared.",
    fix: "commit the entity schema before it is changed, or name an earlier version with --against.",
  },
  "plan/new-api": {
    severity: "additive",
    message: (surface: string) => `There is no snapshot of ${surface}, so the whole API is new.`,
    fix: "run `lockflow introspect` once it is deployed.",
  },
  "plan/not-compared": {
    severity: "risky",
    message: (before: string, refusedBy: string | null) =>
      refusedBy === null
        ? `There is no ${before} to compare with.`
        : `${refusedBy} refuses ${before}, so nothing is compared with it.`,
    fix: "choose a ref that has the file (run `git add` first if it was renamed), or omit --against to compare with the snapshots.",
  },
  "baseline/stale": {
    severity: "breaking",
    message: (what: string, until: string | null) =>
      until === null
        ? `The acceptance of ${what} no longer matches a finding.`
        : `The acceptance of ${what} ended on ${until}.`,
    fix: PRUNE,
  },
  "baseline/partly-stale": {
    severity: "cosmetic",
    message: (what: string, deployments: string) =>
      `The acceptance of ${what} is no longer needed for ${deployments}.`,
    fix: PRUNE,
  },
} as const satisfies Readonly<Record<string, Code>>;

type Limits = {
  readonly least: number;
  readonly most: number;
  /** The server that refuses other values. */
  readonly by: string;
  /** The variable whose default is the value, if it is one. */
  readonly variable: string | null;
};

function outOfRange(argument: string, value: number, { least, most, by, variable }: Limits): string {
  const use = variable === null ? `"${argument}" is ${value}` : `"$${variable}" is ${value} by default`;
  return `${use}, but ${by} accepts only ${least} to ${most}.`;
}

/**
 * Builds a finding about a file of the project.
 *
 * @param facts the arguments of the code's message.
 * @param rest its place, and what differs from the defaults: its subject if that is not the file, its fix if the code
 * has no better one, the expected and the actual text, the deployments of a platform, and a lower severity.
 */
export function buildFileFinding<C extends keyof typeof FILES>(
  code: C,
  facts: FactsOf<(typeof FILES)[C]>,
  {
    place,
    ...rest
  }: Pick<Finding, "place"> &
    Partial<Pick<Finding, "subject" | "fix" | "before" | "after" | "where" | "severity">>,
): Finding {
  const row: (typeof FILES)[C] & Code = FILES[code];
  return {
    code,
    severity: row.severity,
    layer: code.slice(0, code.indexOf("/")) as Layer,
    subject: place?.file ?? "",
    message: messageOf(row, facts),
    coordinate: null,
    before: null,
    after: null,
    derived: 0,
    where: null,
    operations: [],
    place,
    fix: row.fix ?? null,
    ...rest,
  };
}
