import { jsonWithoutCommands } from "../../base/text.ts";
import { operationsByPlace } from "../describe-finding.ts";
import type { Where } from "../finding.ts";
import type { DecidedFinding, ProtocolParity } from "../outcome.ts";
import type { GroupReport, OperationReport, Renderer, Report } from "../report.ts";

/** JSON as `docs/report.schema.json` describes it; two runs over the same facts differ in `run` only. */
export const json: Renderer = {
  isForPrograms: true,
  showsDetails: true,
  render: (report) => `${jsonWithoutCommands(JSON.stringify(toJson(report), null, 2))}\n`,
};

/** Every key by its name: the order of keys, and what is published, depends on no caller. */
function toJson(report: Report): unknown {
  const { version, outcome, endpoints, groups, findings, operations, moved, run } = report;
  const { protocols, deployments, snapshots, sources, apis } = report;
  return {
    version,
    ...(protocols && { protocols: protocols.map(parityToJson) }),
    outcome: {
      ...pick(outcome, "exit", "reason"),
      categories: outcome.categories.map((one) => pick(one, "name", "findings", "failing", "accepted")),
    },
    endpoints: endpoints.map((one) => ({
      ...pick(one, "deployment", "protocol", "style", "chains", "status", "message", "group", "lifecycle"),
      ...pick(one, "leftOut", "silentSince"),
      ...(one.heads && {
        heads: one.heads.map(({ earlier, ...head }) => ({
          ...pick(head, "chain", "block", "behind", "madeAt", "since"),
          ...(earlier && { earlier: earlier.map((seen) => pick(seen, "block", "since")) }),
        })),
      }),
    })),
    groups: groups.map(groupToJson),
    findings: findings.map(findingToJson),
    operations: operations.map(operationToJson),
    ...(moved && { moved: moved.map((one) => pick(one, "file", "change")) }),
    ...(deployments && {
      deployments: deployments.map((one) =>
        pick(one, "deployment", "protocol", "style", "chains", "lifecycle"),
      ),
    }),
    ...(snapshots && {
      snapshots: {
        groups: snapshots.groups.map(groupToJson),
        operations: snapshots.operations.map(operationToJson),
      },
    }),
    ...(sources && { sources: sources.map((one) => pick(one, "file", "line", "text")) }),
    run: pick(run, "command", "version", "startedAt", "durationMs"),
    ...(apis && {
      apis: apis.map((one) =>
        pick(one, "protocol", "style", "entities", "release", "releaseFrom", "before", "status"),
      ),
    }),
  };
}

function groupToJson(group: GroupReport): unknown {
  return pick(group, "id", "protocol", "style", "entities", "release", "features", "kind", "deployments");
}

function operationToJson(operation: OperationReport): unknown {
  return pick(
    operation,
    ...(["name", "protocol", "style", "file", "line", "impact", "chains", "missing", "portable"] as const),
  );
}

function parityToJson(parity: ProtocolParity): unknown {
  return pick(parity, "protocol", "counts", "rows", "renames", "opaqueEnums", "capabilities");
}

function findingToJson(finding: DecidedFinding): unknown {
  const { derivedCoordinates = [], worstDerived = [], elsewhere = [], where, place, acceptance } = finding;
  const surfaceOf = new Map(
    operationsByPlace(finding).flatMap(({ where: at, operations }) =>
      operations.map((one) => [one, at && pick(at, "protocol", "style")] as const),
    ),
  );
  return {
    ...pick(finding, "fingerprint", "code", "severity", "layer", "subject", "message", "coordinate"),
    ...pick(finding, "before", "after", "derived"),
    derivedCoordinates,
    worstDerived: worstDerived.map((one) => pick(one, "coordinate", "before", "after")),
    where: where && whereToJson(where),
    elsewhere: elsewhere.map((one) => ({
      fingerprint: one.fingerprint,
      where: whereToJson(one.where),
      ...pick(one, "before", "after"),
      place: one.place && pick(one.place, "file", "line", "column"),
    })),
    operations: finding.operations.map((one) => ({
      ...pick(one, "file", "line", "column", "name", "impact", "severity", "message"),
      ...surfaceOf.get(one),
    })),
    place: place && pick(place, "file", "line", "column"),
    ...pick(finding, "fails", "accepted"),
    acceptance: acceptance && pick(acceptance, "reason", "until"),
    fix: finding.fix,
  };
}

function whereToJson(where: Where): unknown {
  return pick(where, "protocol", "style", "deployments");
}

/** Members of an object, in the order of the keys. */
function pick<T, K extends keyof T>(value: T, ...keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, value[key]])) as Pick<T, K>;
}
