import type { Place } from "../../base/place.ts";
import { jsonWithoutCommands } from "../../base/without-commands.ts";
import type { Where } from "../finding.ts";
import type { DecidedFinding } from "../outcome.ts";
import type { Renderer } from "../renderer.ts";
import type { Report } from "../report.ts";

/** JSON as `docs/report.schema.json` describes it; two runs over the same facts differ in `run` only. */
export const json: Renderer = {
  isForPrograms: true,
  render: (report) => `${jsonWithoutCommands(JSON.stringify(toJson(report), null, 2))}\n`,
};

/** Every key by its name: the order of keys, and what is published, depends on no caller. */
function toJson({ version, outcome, endpoints, groups, findings, operations, moved, run }: Report): unknown {
  return {
    version,
    outcome: {
      exit: outcome.exit,
      reason: outcome.reason,
      categories: outcome.categories.map(({ name, findings: all, failing, accepted }) => ({
        name,
        findings: all,
        failing,
        accepted,
      })),
    },
    endpoints: endpoints.map(({ deployment, protocol, style, chains, status, message, group }) => ({
      deployment,
      protocol,
      style,
      chains,
      status,
      message,
      group,
    })),
    groups: groups.map(({ id, protocol, style, entities, release, features, kind, deployments }) => ({
      id,
      protocol,
      style,
      entities,
      release,
      features,
      kind,
      deployments,
    })),
    findings: findings.map(findingToJson),
    operations: operations.map(({ name, protocol, style, file, line, impact, chains, missing }) => ({
      name,
      protocol,
      style,
      file,
      line,
      impact,
      chains,
      missing,
    })),
    ...(moved === undefined ? {} : { moved: moved.map(({ file, change }) => ({ file, change })) }),
    run: {
      command: run.command,
      version: run.version,
      startedAt: run.startedAt,
      durationMs: run.durationMs,
    },
  };
}

function findingToJson(finding: DecidedFinding): unknown {
  const { fingerprint, code, severity, layer, subject, message, coordinate, before, after, derived } =
    finding;
  const { where, operations, place, fails, accepted, acceptance, fix } = finding;
  const { derivedCoordinates = [], worstDerived = [], elsewhere = [] } = finding;
  return {
    fingerprint,
    code,
    severity,
    layer,
    subject,
    message,
    coordinate,
    before,
    after,
    derived,
    derivedCoordinates,
    worstDerived: worstDerived.map((one) => ({
      coordinate: one.coordinate,
      before: one.before,
      after: one.after,
    })),
    where: where && whereToJson(where),
    elsewhere: elsewhere.map((one) => ({
      fingerprint: one.fingerprint,
      where: whereToJson(one.where),
      place: one.place && placeToJson(one.place),
    })),
    operations: operations.map(({ file, line, column, name, impact, severity: weight, message: effect }) => ({
      file,
      line,
      column,
      name,
      impact,
      severity: weight,
      message: effect,
    })),
    place: place && placeToJson(place),
    fails,
    accepted,
    acceptance: acceptance && { reason: acceptance.reason, until: acceptance.until },
    fix,
  };
}

function whereToJson({ protocol, style, deployments }: Where): unknown {
  return { protocol, style, deployments };
}

function placeToJson({ file, line, column }: Place): unknown {
  return { file, line, column };
}
