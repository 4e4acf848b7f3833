import * as v from "valibot";
import { IMPACT_KINDS } from "../finding.ts";
import {
  ACCEPTANCE,
  DECIDED_FINDING,
  DERIVED_CHANGE,
  FINDING,
  FINGERPRINT,
  IMPACT,
  LAYER,
  OPERATION_IMPACT,
  PLACE,
  SAME_PLACE,
  SEVERITY,
  WHERE,
} from "./finding.ts";
import { DEPLOYMENT, EARLIER_HEAD, ENDPOINT, GROUP, HEAD, LIFECYCLE, STATUS } from "./fleet.ts";
import {
  CAPABILITY,
  CAPABILITY_ROW,
  OPAQUE_ENUM,
  PARITY,
  PARITY_RENAME,
  PARITY_ROW,
  PARITY_RULE,
  PROTOCOL_PARITY,
  VERDICT,
} from "./parity.ts";
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
// parse-report.ts parses with it. The keys are in the order in which JSON reports have them.

const EXIT_CODE = about(
  v.picklist([0, 1, 2, 3], "is not an exit code"),
  "0 clean, 1 findings, 2 could not run, 3 inconclusive: too few endpoints answered.",
);

const CATEGORY = part("Findings by the first part of their codes.", {
  name: about(matching(/^[a-z]+$/, "is not a category"), "The first part of the codes, as `drift`."),
  findings: about(COUNT, "All of them."),
  failing: about(COUNT, "Those that make the run fail."),
  accepted: about(COUNT, "Those that are tolerated."),
});

const OUTCOME = part("The result of a run.", {
  exit: EXIT_CODE,
  reason: about(NONEMPTY, "Why, as a clause for people to follow the exit code; its wording is not stable."),
  categories: about(
    list(CATEGORY),
    "The checked categories and those with findings, in code-unit order of name.",
  ),
});

const OPERATION = part("What the findings do to one operation.", {
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

const MOVED_FILE = part("A file that a run changed.", {
  file: FILE,
  change: about(v.picklist(["written", "removed"], "is an unknown change"), "What the run did to it."),
});

const COMMIT = matching(/^[0-9a-f]{40,64}$/, "is not a commit");

const AGAINST = part("What `check --against` compared the snapshots with.", {
  ref: about(NONEMPTY, "The git ref, as given."),
  commit: about(COMMIT, "The commit of the ref."),
  head: about(COMMIT, "The commit of `HEAD`. Compared are the files on disk, which may be newer."),
  base: about(COMMIT, "The merge base of both: the earlier snapshots are those of this commit."),
  compared: about(
    unique(matching(/^[a-z][a-z0-9-]*\/[a-z]+$/, "is not a protocol and style")),
    "The compared snapshots, `protocol/style`; empty if the base has none of them.",
  ),
});

const SNAPSHOTS = part(
  "What deployments served when the snapshots were made, and where operations are valid by that.",
  {
    groups: about(list(GROUP), "As in a report."),
    operations: about(list(OPERATION), "As in a report, without the effects of findings: none is affected."),
  },
);

const SOURCE = part("The text of one operation or fragment.", {
  file: FILE,
  line: about(LINE, "The line of the file that it begins in, from 1."),
  text: about(TEXT, "From its first character to its last; from a file in code, the document alone."),
});

const API = part("An API that was derived from an entity schema, or that its platform refuses.", {
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
});

const RUN = part("What differs from run to run.", {
  command: about(TEXT, "The command that was run, without options."),
  version: about(TEXT, "Of Lockflow."),
  startedAt: about(TIME, "ISO 8601, in UTC."),
  durationMs: about(
    v.pipe(v.number("is not a number"), v.minValue(0, "is less than 0")),
    "Milliseconds from start to end.",
  ),
});

export const REPORT = part(
  "The result of one run. All of it but `run` is deterministic: two runs over the same facts give the same bytes.",
  {
    version: about(
      v.literal(1, "is not 1, which is all that this release reads"),
      "Any change that programs would notice is a new version; new keys are one.",
    ),
    protocols: maybe(
      list(PROTOCOL_PARITY),
      "How the two styles of each protocol compare, by the snapshots; left out if the run did not compare them.",
    ),
    outcome: OUTCOME,
    endpoints: about(
      list(ENDPOINT),
      "Every endpoint, in code-unit order of protocol, style and deployment; empty for a run that sends no requests.",
    ),
    groups: about(list(GROUP), "By protocol and style, the reference first and then by size."),
    findings: about(list(DECIDED_FINDING), "The worst first, and the accepted ones last."),
    operations: about(
      list(OPERATION),
      "What the findings that are not accepted do to each operation; in code-unit order of protocol, style and name.",
    ),
    moved: maybe(
      list(MOVED_FILE),
      "Of `drift --update`: files of snapshots that it wrote or removed, in code-unit order.",
    ),
    deployments: maybe(
      list(DEPLOYMENT),
      "Of `diff` and `check`: the deployments of the groups, or of those in `snapshots`; in the order of endpoints.",
    ),
    against: maybe(AGAINST, "Of `check --against`: the compared commits."),
    snapshots: maybe(
      SNAPSHOTS,
      "Of `check`: what the deployments served when the snapshots were made, and where operations are valid by that.",
    ),
    sources: maybe(
      list(SOURCE),
      "The texts of operations and their fragments, in order of place; at most a million characters.",
    ),
    run: RUN,
    apis: maybe(list(API), "Of `plan`: the APIs that were derived, by style."),
  },
);

/** The named parts of a report: each is a type in types.ts, and most are a definition of the JSON schema. */
export const REPORT_PARTS = {
  Report: REPORT,
  Outcome: OUTCOME,
  ExitCode: EXIT_CODE,
  Category: CATEGORY,
  DecidedFinding: DECIDED_FINDING,
  Finding: FINDING,
  Severity: SEVERITY,
  Layer: LAYER,
  Where: WHERE,
  Place: PLACE,
  DerivedChange: DERIVED_CHANGE,
  OperationImpact: OPERATION_IMPACT,
  ImpactKind: IMPACT,
  SamePlace: SAME_PLACE,
  Acceptance: ACCEPTANCE,
  Fingerprint: FINGERPRINT,
  EndpointReport: ENDPOINT,
  EndpointStatus: STATUS,
  Lifecycle: LIFECYCLE,
  HeadReport: HEAD,
  EarlierHead: EARLIER_HEAD,
  GroupReport: GROUP,
  OperationReport: OPERATION,
  MovedFile: MOVED_FILE,
  DeploymentReport: DEPLOYMENT,
  AgainstReport: AGAINST,
  SnapshotsReport: SNAPSHOTS,
  SourceReport: SOURCE,
  ProtocolParity: PROTOCOL_PARITY,
  Parity: PARITY,
  ParityRow: PARITY_ROW,
  Verdict: VERDICT,
  ParityRule: PARITY_RULE,
  ParityRename: PARITY_RENAME,
  OpaqueEnum: OPAQUE_ENUM,
  CapabilityRow: CAPABILITY_ROW,
  Capability: CAPABILITY,
  PlannedApi: API,
  RunFacts: RUN,
} satisfies Readonly<Record<string, v.GenericSchema>>;
