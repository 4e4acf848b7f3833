import * as v from "valibot";
import { IMPACT_KINDS } from "../finding.ts";
import * as finding from "./finding.ts";
import * as fleet from "./fleet.ts";
import * as parity from "./parity.ts";
import {
  about,
  COUNT,
  FILE,
  LINE,
  list,
  matching,
  maybe,
  NAMES,
  NONEMPTY,
  part,
  SURFACE,
  TEXT,
  TIME,
  TRUE,
  unique,
} from "./shapes.ts";

// The one definition of a report. `npm run docs` writes types.ts and docs/report.schema.json from it, and
// parse-report.ts parses with it. The keys are in the order in which JSON reports have them. Each export of these modules is
// a type in types.ts of the same name, and most are a definition of the JSON schema.

export const ExitCode = about(
  v.picklist([0, 1, 2, 3], "is not an exit code"),
  "0 clean, 1 findings, 2 could not run, 3 inconclusive: too few endpoints answered.",
);

export const Category = part("Findings by the first part of their codes.", {
  name: about(matching(/^[a-z]+$/, "is not a category"), "The first part of the codes, as `drift`."),
  findings: about(COUNT, "All of them."),
  failing: about(COUNT, "Those that make the run fail."),
  accepted: about(COUNT, "Those that are tolerated."),
});

export const Outcome = part("The result of a run.", {
  exit: ExitCode,
  reason: about(NONEMPTY, "Why, as a clause for people to follow the exit code; its wording is not stable."),
  categories: about(
    list(Category),
    "The checked categories and those with findings, in code-unit order of name.",
  ),
});

export const OperationReport = part("What the findings do to one operation.", {
  name: about(NONEMPTY, "Its name in its document."),
  ...SURFACE,
  file: FILE,
  line: about(LINE, "Where it starts, from 1."),
  impact: about(
    v.picklist([...IMPACT_KINDS, "unaffected"], "is an unknown impact"),
    "The worst that any finding that is not accepted does to it.",
  ),
  chains: about(NAMES, "Keys of the chains it is valid on."),
  missing: about(NAMES, "Keys of the chains it is not valid on."),
  portable: maybe(TRUE, "True if it is written once for both styles; left out otherwise."),
});

export const MovedFile = part("A file that a run changed.", {
  file: FILE,
  change: about(v.picklist(["written", "removed"], "is an unknown change"), "What the run did to it."),
});

const COMMIT = matching(/^[0-9a-f]{40,64}$/, "is not a commit");

export const AgainstReport = part("What `check --against` compared the snapshots with.", {
  ref: about(NONEMPTY, "The git ref, as given."),
  commit: about(COMMIT, "The commit of the ref."),
  head: about(COMMIT, "The commit of `HEAD`. Compared are the files on disk, which may be newer."),
  base: about(COMMIT, "The merge base of both: the earlier snapshots are those of this commit."),
  compared: about(
    unique(matching(/^[a-z][a-z0-9-]*\/[a-z]+$/, "is not a protocol and style")),
    "The compared snapshots, `protocol/style`; empty if the base has none of them.",
  ),
});

export const SnapshotsReport = part(
  "What deployments served when the snapshots were made, and where operations are valid by that.",
  {
    groups: about(list(fleet.GroupReport), "As in a report."),
    operations: about(
      list(OperationReport),
      "As in a report, without the effects of findings: none is affected.",
    ),
  },
);

export const SourceReport = part("The text of one operation or fragment.", {
  file: FILE,
  line: about(LINE, "The line of the file that it begins in, from 1."),
  text: about(TEXT, "From its first character to its last; from a file in code, the document alone."),
});

export const PlannedApi = part(
  "An API that was derived from an entity schema, or that its platform refuses.",
  {
    ...SURFACE,
    entities: about(NONEMPTY, "The path of the entity schema, as given or as the definition names it."),
    release: about(NONEMPTY, "The release of the platform that it was derived for: `graph-node-0.44`."),
    releaseFrom: about(
      v.picklist(["snapshot", "caller", "definition", "default"], "is unknown"),
      "Where that release comes from: the snapshot, `--release`, the protocol's definition, or the default.",
    ),
    before: about(
      NONEMPTY,
      "What it was compared with: a snapshot (`protocol/style`), or an entity schema at a git ref.",
    ),
    status: about(
      v.picklist(["compared", "new", "refused"], "is an unknown status"),
      `The result.
- \`compared\`: the findings say what changes.
- \`new\`: it has no predecessor.
- \`refused\`: the platform refuses the entity schema.`,
    ),
  },
);

export const RunFacts = part("What differs from run to run.", {
  command: about(TEXT, "The command that was run, without options."),
  version: about(TEXT, "Of Lockflow."),
  startedAt: about(TIME, "ISO 8601, in UTC."),
  durationMs: about(
    v.pipe(v.number("is not a number"), v.minValue(0, "is less than 0")),
    "Milliseconds from start to end.",
  ),
});

export const Report = part(
  "The result of one run. All of it but `run` is deterministic: two runs over the same facts give the same bytes.",
  {
    version: about(
      v.literal(1, "is not 1, which is all that this release reads"),
      "Any change that programs would notice is a new version; new keys are one.",
    ),
    protocols: maybe(
      list(parity.ProtocolParity),
      "How the two styles of each protocol compare, by the snapshots; left out if the run did not compare them.",
    ),
    outcome: Outcome,
    endpoints: about(
      list(fleet.EndpointReport),
      "Every endpoint, in code-unit order of protocol, style and deployment; empty for a run that sends no requests.",
    ),
    groups: about(list(fleet.GroupReport), "By protocol and style, the reference first and then by size."),
    findings: about(list(finding.DecidedFinding), "The worst first, and the accepted ones last."),
    operations: about(
      list(OperationReport),
      "What the findings that are not accepted do to each operation; in code-unit order of protocol, style and name.",
    ),
    moved: maybe(
      list(MovedFile),
      "Of `drift --update`: files of snapshots that it wrote or removed, in code-unit order.",
    ),
    deployments: maybe(
      list(fleet.DeploymentReport),
      "Of `diff` and `check`: the deployments of the groups, or of those in `snapshots`; in the order of endpoints.",
    ),
    against: maybe(AgainstReport, "Of `check --against`: the compared commits."),
    snapshots: maybe(
      SnapshotsReport,
      "Of `check`: what the deployments served when the snapshots were made, and where operations are valid by that.",
    ),
    sources: maybe(
      list(SourceReport),
      "The texts of operations and their fragments, in order of place; at most a million characters.",
    ),
    run: RunFacts,
    apis: maybe(list(PlannedApi), "Of `plan`: the APIs that were derived, by style."),
  },
);
