import { type Code, type FactsOf, type Finding, type Layer, messageOf } from "../finding.ts";
import { PORTABLE } from "./portable.ts";

const REGENERATE = "run `lockflow generate` and commit the result.";
const PRUNE = "run `lockflow accept --prune`, and commit the result.";

/** Codes about files of this repository: operations, generated files, snapshots, acceptances and plans. */
export const FILES = {
  ...PORTABLE,
  "operation/syntax": { severity: "breaking", message: (said: string) => said },
  "operation/anonymous": {
    severity: "breaking",
    message: "An operation has no name.",
    fix: "name it: what is generated is called after it.",
  },
  "operation/duplicate-name": {
    severity: "breaking",
    message: (kind: string, name: string, differ: boolean) =>
      `There are two ${kind}s called "${name}"${differ ? ", and they differ" : ""}.`,
  },
  "operation/not-executable": {
    severity: "breaking",
    message: "Only operations and fragments belong here.",
    fix: "type definitions come from the snapshots.",
  },
  "operation/unused-fragment": {
    severity: "breaking",
    message: (name: string) => `No operation uses the fragment "${name}".`,
    fix: "use it, or delete it.",
  },
  "operation/misplaced": {
    severity: "breaking",
    message: "The file stands where no protocol and style is, so nothing would be generated from it.",
  },
  "operation/unreadable": {
    severity: "breaking",
    message: (said: string) => said,
    fix: "write the document as one text; what is interpolated must be a constant that is a document of its own, in a file that `documents` of the configuration names.",
  },
  "operation/no-code": {
    severity: "breaking",
    message: (pattern: string) => `The pattern "${pattern}" of \`documents\` matches no file of code.`,
    fix: "correct it in the configuration: it starts at the configuration's own folder, and is for TypeScript and JavaScript.",
  },
  "operation/invalid": { severity: "breaking", message: (said: string) => said },
  "operation/no-root": {
    severity: "breaking",
    message: (surface: string, kind: string) => `The schema of ${surface} has no ${kind}s.`,
    fix: "these indexers are read only: write a query.",
  },
  "operation/unmapped-scalar": {
    severity: "breaking",
    message: (names: readonly string[]) =>
      `Operations use ${names.length === 1 ? "a scalar" : "scalars"} without a TypeScript type: ${names.join(", ")}.`,
  },
  "operation/not-everywhere": {
    severity: "risky",
    message: (chains: string) => `The schema of ${chains} does not accept it.`,
    fix: "the manifest lists the chains it is valid on.",
  },
  "operation/unused-variable": {
    severity: "breaking",
    message: (name: string) => `The operation declares "$${name}" and does not use it.`,
    fix: "use it, or delete it.",
  },
  "operation/no-page-size": {
    severity: "risky",
    message: (list: string, rows: number | null, variable: string | null) => {
      const answer =
        rows === null
          ? "every row there is, or as many as the row cap of the indexer lets through"
          : `the first ${rows} rows`;
      return variable === null
        ? `"${list}" has no page size: it answers ${answer}.`
        : `"$${variable}" may be left out, and "${list}" then answers ${answer}.`;
    },
  },
  "operation/first-range": {
    severity: "risky",
    message: outOfRange,
    fix: "ask for smaller pages, and for the next one while a page is full.",
  },
  "operation/skip-range": {
    severity: "risky",
    message: outOfRange,
    fix: "page by a cursor: `lockflow explain operation/skip-walk` says how.",
  },
  "operation/skip-walk": {
    severity: "cosmetic",
    message: (list: string, variable: string, cursor: string) =>
      `"${list}" is paged by "$${variable}", and "${cursor}" is a cursor.`,
  },
  "operation/upper-case-hex": {
    severity: "risky",
    message: (value: string) =>
      `"${value}" is compared as a text, and finds nothing where addresses are stored in lower case.`,
  },
  "operation/text-as-bytes": {
    severity: "risky",
    message: (value: string) =>
      `"${value}" is compared as these characters, and finds nothing where the indexer stores bytes.`,
  },
  "operation/empty-exclusion": {
    // It surprises where no row is left, and is only the other way round in the other style.
    severity: "risky",
    message: (operator: string, variable: string | null, rows: string) =>
      variable === null
        ? `"${operator}" is given an empty list, and is true of ${rows} then.`
        : `"$${variable}" may be an empty list, and "${operator}" is true of ${rows} then.`,
  },
  "operation/unlike-ids": {
    severity: "cosmetic",
    message: (entity: string, reason: string) =>
      `The styles may write ids of ${entity} differently: ${reason}.`,
  },
  "operation/unlike-twins": {
    severity: "risky",
    message: (name: string, differences: readonly string[]) =>
      `The two styles of "${name}" answer in different shapes: ${differences.join("; ")}.`,
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
        ? "It is no snapshot of a protocol and style that there is."
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
    message: "No deployment in the fleet record serves it.",
    fix: "run `lockflow introspect`, or delete it.",
  },
  "plan/syntax": {
    severity: "breaking",
    message: (said: string) => said,
    fix: "correct it: no platform reads it as it is.",
  },
  "plan/refused": {
    severity: "breaking",
    message: (release: string, reason: string) => `${release} refuses it: ${reason}`,
  },
  "plan/definition": {
    severity: "risky",
    message: (said: string) => `Once this is deployed: ${said}`,
    fix: "change the definition when the snapshots move.",
  },
  "plan/index-added": {
    severity: "cosmetic",
    message: (name: string) => `${name} has an index now: filters and orders by it get faster.`,
  },
  "plan/index-removed": {
    severity: "cosmetic",
    message: (name: string) =>
      `${name} has no index any more: filters and orders by it read the whole table.`,
  },
  "plan/new-api": {
    severity: "additive",
    message: (surface: string) => `There is no snapshot ${surface}, so all of it is new.`,
    fix: "run `lockflow introspect` once it is deployed.",
  },
  "plan/not-compared": {
    severity: "risky",
    message: (before: string, refusedBy: string | null) =>
      refusedBy === null
        ? `There is no ${before} to compare with.`
        : `${refusedBy} refuses ${before}, so nothing is compared with it.`,
    fix: "name a ref that has it (`git add` tells git of a new name), or leave --against out to compare with the snapshots.",
  },
  "baseline/stale": {
    severity: "breaking",
    message: (what: string, until: string | null) =>
      until === null
        ? `The acceptance of ${what} matches nothing any more.`
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
  /** What refuses other values. */
  readonly by: string;
  /** The variable whose default is the value, if it is one. */
  readonly variable: string | null;
};

function outOfRange(argument: string, value: number, { least, most, by, variable }: Limits): string {
  const given = variable === null ? `"${argument}" is ${value}` : `"$${variable}" is ${value} by default`;
  return `${given}, and ${by} refuses a "${argument}" that is not ${least} to ${most}.`;
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
    subject,
    place,
    fix,
    before,
    after,
    where,
    severity,
  }: Pick<Finding, "place"> &
    Partial<Pick<Finding, "subject" | "fix" | "before" | "after" | "where" | "severity">>,
): Finding {
  const row: (typeof FILES)[C] & Code = FILES[code];
  return {
    code,
    severity: severity ?? row.severity,
    layer: code.slice(0, code.indexOf("/")) as Layer,
    subject: subject ?? place?.file ?? "",
    message: messageOf(row, facts),
    coordinate: null,
    before: before ?? null,
    after: after ?? null,
    derived: 0,
    where: where ?? null,
    operations: [],
    place,
    fix: fix === undefined ? (row.fix ?? null) : fix,
  };
}
