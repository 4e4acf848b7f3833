import * as v from "valibot";
import { ReportError } from "../base/errors.ts";
import { object, parseShape, text } from "../base/parse-json.ts";
import { CAPABILITIES } from "../dialects/style.ts";
import { STYLE_NAMES, surfaceId } from "../dialects/surface.ts";
import { IMPACT_KINDS, LAYERS, SEVERITIES } from "./finding.ts";
import { ENDPOINT_STATUSES, PARITY_RULES, VERDICTS } from "./outcome.ts";
import { buildReport, type Report } from "./report.ts";

/**
 * Parses what `--report json=<file>` wrote. It may come from a cache, an artifact or another release, so nothing in it is
 * taken on trust; members that are not known play no part.
 *
 * @param place the file's path, for messages.
 * @throws ReportError `REPORT_INVALID`
 */
export function parseReport(content: string, place: string): Report {
  const { findings, ...parts } = parseShape(content, REPORT, NOUNS, (reason) => {
    return new ReportError({
      code: "REPORT_INVALID",
      sentence: `${place} is not a report of Lockflow: ${reason}.`,
      hint: "write it with `--report json=<file>` of `lockflow drift`, `lockflow diff`, `lockflow check` or `lockflow plan`.",
    });
  });
  return buildReport({ ...parts, findings: findings.map(toFinding) });
}

const NOUNS = {
  findings: "finding",
  elsewhere: "place",
  endpoints: "endpoint",
  deployments: "deployment",
  heads: "head",
  earlier: "block",
  groups: "group",
  operations: "operation",
  categories: "category",
  protocols: "protocol",
  rows: "row",
  sources: "source",
  moved: "file",
  apis: "API",
};

const TEXT = v.string("is not a text");
const TEXT_OR_NULL = v.nullable(TEXT);
const COUNT = v.pipe(
  v.number("is not a number"),
  v.safeInteger("is not a number"),
  v.minValue(0, "is less than 0"),
);
const LINE = v.pipe(COUNT, v.minValue(1, "is no line"));
const FLAG = v.boolean("is neither true nor false");
/** In UTC: what leaves the zone open is another moment elsewhere. */
const TIME = text(
  (time) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(time) && !Number.isNaN(Date.parse(time)),
  "is no moment in UTC",
);
const DAY = text((day) => /^\d{4}-\d{2}-\d{2}$/.test(day), "is no day");
const PROTOCOL = text((key) => /^[a-z][a-z0-9-]*$/.test(key), "is no protocol");
const STYLE = v.picklist(STYLE_NAMES, "is no style");
const SEVERITY = v.picklist(SEVERITIES, "is an unknown severity");
const IMPACT = v.picklist(IMPACT_KINDS, "is an unknown impact");
const FINGERPRINT = text((id) => /^[0-9a-f]{12}$/.test(id), "is not twelve hex digits");
const TEXTS = list(TEXT);
/** As configurations have the names of deployments and the keys of chains. */
const NAME = text((name) => /^[a-z0-9-]{1,200}$/.test(name), "is no name");
const NAMES = list(NAME);
const SURFACE = { protocol: PROTOCOL, style: STYLE };

const PLACE = object({ file: TEXT, line: v.nullable(COUNT), column: v.nullable(COUNT) });
const WHERE = object({ ...SURFACE, deployments: NAMES });
const LIFECYCLE = object({
  status: v.picklist(["dormant", "retired"], "is an unknown status"),
  since: v.exactOptional(TEXT),
  reason: v.exactOptional(TEXT),
  replacedBy: v.exactOptional(TEXT),
});
const CHANGE = { before: TEXT_OR_NULL, after: TEXT_OR_NULL };

const HEAD = object({
  chain: NAME,
  block: COUNT,
  behind: COUNT,
  madeAt: v.exactOptional(TIME),
  since: v.exactOptional(TIME),
  earlier: v.exactOptional(list(object({ block: COUNT, since: TIME }))),
});

const ENDPOINT = object({
  deployment: NAME,
  ...SURFACE,
  chains: NAMES,
  status: v.picklist(ENDPOINT_STATUSES, "is an unknown status"),
  message: TEXT_OR_NULL,
  group: TEXT_OR_NULL,
  lifecycle: v.exactOptional(LIFECYCLE),
  leftOut: v.exactOptional(v.literal(true, "is not true")),
  silentSince: v.exactOptional(DAY),
  heads: v.exactOptional(list(HEAD)),
});

const GROUP = object({
  id: TEXT,
  ...SURFACE,
  entities: TEXT,
  release: TEXT_OR_NULL,
  features: TEXTS,
  kind: v.picklist(["reference", "entities", "platform", "docs"], "is an unknown kind"),
  deployments: NAMES,
});

const FINDING = object({
  fingerprint: FINGERPRINT,
  code: text((code) => /^[a-z]+\/[a-z][a-z-]*$/.test(code), "is no code"),
  severity: SEVERITY,
  layer: v.picklist(LAYERS, "is an unknown layer"),
  subject: TEXT,
  message: TEXT,
  coordinate: TEXT_OR_NULL,
  ...CHANGE,
  derived: COUNT,
  derivedCoordinates: v.optional(TEXTS, []),
  worstDerived: v.optional(list(object({ coordinate: TEXT, ...CHANGE })), []),
  where: v.nullable(WHERE),
  // Reports of earlier releases tell each by itself.
  elsewhere: v.optional(
    list(object({ fingerprint: FINGERPRINT, where: WHERE, ...CHANGE, place: v.nullable(PLACE) })),
    [],
  ),
  operations: list(
    object({
      name: TEXT,
      impact: IMPACT,
      severity: SEVERITY,
      message: TEXT,
      file: TEXT,
      line: LINE,
      column: LINE,
      protocol: v.exactOptional(PROTOCOL),
      style: v.exactOptional(STYLE),
    }),
  ),
  place: v.nullable(PLACE),
  fails: FLAG,
  accepted: FLAG,
  acceptance: v.nullable(object({ reason: TEXT, until: v.nullable(DAY) })),
  fix: TEXT_OR_NULL,
});

const OPERATION = object({
  name: TEXT,
  ...SURFACE,
  file: TEXT,
  line: LINE,
  impact: v.picklist([...IMPACT_KINDS, "unaffected"], "is an unknown impact"),
  chains: NAMES,
  missing: NAMES,
  portable: v.exactOptional(v.literal(true, "is not true")),
});

const PARITY = object({
  protocol: PROTOCOL,
  counts: object(
    Object.fromEntries(VERDICTS.map((verdict) => [verdict, COUNT])) as Record<
      (typeof VERDICTS)[number],
      typeof COUNT
    >,
  ),
  rows: list(
    object({
      entity: TEXT,
      field: TEXT_OR_NULL,
      multichain: TEXT_OR_NULL,
      subgraph: TEXT_OR_NULL,
      verdict: v.picklist(VERDICTS, "is an unknown verdict"),
      rule: v.nullable(v.picklist(PARITY_RULES, "is an unknown rule")),
      weaker: v.nullable(STYLE),
    }),
  ),
  renames: list(object({ entity: TEXT, multichain: TEXT, subgraph: TEXT })),
  opaqueEnums: list(object({ multichain: TEXT, subgraph: TEXT, shownBy: STYLE, members: TEXTS })),
  capabilities: list(
    object({
      capability: v.picklist(CAPABILITIES, "is an unknown capability"),
      multichain: TEXT_OR_NULL,
      subgraph: TEXT_OR_NULL,
      portable: FLAG,
    }),
  ),
});

const API = object({
  ...SURFACE,
  entities: TEXT,
  release: TEXT,
  releaseFrom: v.picklist(["snapshot", "caller", "default"], "is unknown"),
  before: TEXT,
  status: v.picklist(["compared", "new", "refused"], "is an unknown status"),
});

const REPORT = object({
  version: v.literal(1, "is not 1, which is all that this release reads"),
  protocols: v.exactOptional(list(PARITY)),
  outcome: object({
    exit: v.picklist([0, 1, 2, 3], "is no exit code"),
    reason: TEXT,
    categories: list(object({ name: TEXT, findings: COUNT, failing: COUNT, accepted: COUNT })),
  }),
  endpoints: list(ENDPOINT),
  groups: list(GROUP),
  findings: list(FINDING),
  operations: list(OPERATION),
  moved: v.exactOptional(
    list(object({ file: TEXT, change: v.picklist(["written", "removed"], "is an unknown change") })),
  ),
  deployments: v.exactOptional(
    list(object({ deployment: NAME, ...SURFACE, chains: NAMES, lifecycle: v.exactOptional(LIFECYCLE) })),
  ),
  snapshots: v.exactOptional(object({ groups: list(GROUP), operations: list(OPERATION) })),
  sources: v.exactOptional(list(object({ file: TEXT, line: LINE, text: TEXT }))),
  apis: v.exactOptional(list(API)),
  run: object({ command: TEXT, version: TEXT, startedAt: TIME, durationMs: v.number("is not a number") }),
});

function list<const T extends v.GenericSchema>(item: T) {
  return v.array(item, "is not a list");
}

/** A report tells of each operation what it is of, and a finding by its places what is hit there. */
function toFinding({ elsewhere, operations, ...facts }: v.InferOutput<typeof FINDING>) {
  const hit = operations.map(({ protocol, style, ...impact }) => {
    const surface = protocol !== undefined && style !== undefined ? surfaceId({ protocol, style }) : null;
    return { surface, impact };
  });
  return {
    ...facts,
    operations: hit.map(({ impact }) => impact),
    ...(elsewhere.length > 0 && {
      elsewhere: elsewhere.map((one) => ({
        ...one,
        operations: hit.filter(({ surface }) => surface === surfaceId(one.where)).map(({ impact }) => impact),
      })),
    }),
  };
}
