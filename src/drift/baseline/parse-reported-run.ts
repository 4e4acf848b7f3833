import { displayText } from "../../base/display-text.ts";
import { BaselineError } from "../../base/errors/baseline-error.ts";
import { isObject } from "../../base/is-object.ts";
import { parseJson } from "../../base/parse-json.ts";
import type { Place } from "../../base/place.ts";
import { fingerprint } from "../../compare/fingerprint.ts";
import { PROTOCOLS, STYLE_NAMES } from "../../project/vocabulary.ts";
import { isMended } from "../../report/build-file-finding.ts";
import { type Finding, type Layer, SEVERITIES, type Where } from "../../report/finding.ts";
import { ENDPOINT_STATUSES, hasSchema } from "../../report/outcome.ts";

/** What a saved report tells of a run: as much as accepting needs. */
export type ReportedRun = {
  /** Without what the run said of the baseline, which is applied to the findings anew. */
  readonly findings: readonly Finding[];
  /** Names of the deployments that gave a schema. */
  readonly answered: ReadonlySet<string>;
  /** Categories that were looked at. */
  readonly categories: readonly string[];
};

/**
 * Parses a report of `--report json=<file>`. It may have come over a network or from another branch, so nothing in it
 * is taken on trust: every finding must have the fingerprint that its facts give, and name deployments of this project.
 *
 * @param place the file's path, for messages.
 * @param deployments names of the project's deployments.
 * @throws BaselineError `BASELINE_REPORT_INVALID`
 */
export function parseReportedRun(text: string, place: string, deployments: ReadonlySet<string>): ReportedRun {
  try {
    const value = parseJson(text);
    if (value === undefined) throw new Invalid("it is no JSON");
    const report = objectOf(value, "the file");
    if (own(report, "version") !== 1) throw new Invalid('its "version" is not 1');
    const command = textOf(objectOf(own(report, "run"), '"run"'), "command", /^/, '"run"');
    if (command.startsWith(TWO_SCHEMAS)) throw ofTwoSchemas(place);
    const outcome = objectOf(own(report, "outcome"), '"outcome"');
    if (own(outcome, "exit") === 2) throw new Invalid("its run could not be done, so it tells nothing");
    return {
      findings: listOf(own(report, "findings"), '"findings"').flatMap((value, index) =>
        parseFinding(value, `finding ${index + 1}`, deployments),
      ),
      answered: new Set(
        listOf(own(report, "endpoints"), '"endpoints"').flatMap((value, index) =>
          parseEndpoint(value, `endpoint ${index + 1}`, deployments),
        ),
      ),
      categories: listOf(own(outcome, "categories"), '"categories"').map((value, index) =>
        textOf(objectOf(value, `category ${index + 1}`), "name", /^[a-z]+$/, `category ${index + 1}`),
      ),
    };
  } catch (cause) {
    if (!(cause instanceof Invalid)) throw cause;
    throw new BaselineError({
      code: "BASELINE_REPORT_INVALID",
      sentence: `${place} is not a report of this project: ${cause.message}.`,
      hint: "write it with `--report json=<file>` of `lockflow drift`, `lockflow diff` or `lockflow check`.",
      cause,
    });
  }
}

class Invalid extends Error {}

/** How the command of a report starts that compares two named schemas. */
const TWO_SCHEMAS = "diff ";

function ofTwoSchemas(place: string): BaselineError {
  return new BaselineError({
    code: "BASELINE_REPORT_INVALID",
    sentence: `${place} compares two schemas that somebody named, and no other run finds that again.`,
    hint: "accept what `lockflow drift`, `lockflow check` or `lockflow diff` without arguments reports.",
  });
}

const LAYERS: Readonly<Record<Layer, true>> = {
  entity: true,
  platform: true,
  docs: true,
  identity: true,
  health: true,
  operation: true,
  generated: true,
  snapshot: true,
  baseline: true,
};

function parseFinding(value: unknown, what: string, deployments: ReadonlySet<string>): Finding[] {
  const item = objectOf(value, what);
  const layer = textOf(item, "layer", /^/, what);
  if (!isLayer(layer)) throw new Invalid(`${what} has an unknown layer ${shown(layer)}`);
  const severity = SEVERITIES.find((known) => known === own(item, "severity"));
  if (severity === undefined) throw new Invalid(`${what} has an unknown severity`);
  const { derived } = item;
  const finding: Finding = {
    code: textOf(item, "code", /^[a-z]+\/[a-z][a-z-]*$/, what),
    severity,
    layer,
    subject: textOf(item, "subject", /^/, what),
    message: textOf(item, "message", /^/, what),
    coordinate: textOrNull(item, "coordinate", what),
    before: textOrNull(item, "before", what),
    after: textOrNull(item, "after", what),
    derived: typeof derived === "number" && Number.isSafeInteger(derived) && derived >= 0 ? derived : 0,
    where: parseWhere(own(item, "where"), what, deployments),
    // What it does to operations plays no part in accepting it.
    operations: [],
    place: parsePlace(own(item, "place"), what),
    fix: textOrNull(item, "fix", what),
  };
  checkFingerprint(item, finding, what);
  return layer === "baseline" ? [] : [finding, ...parseElsewhere(item, finding, what, deployments)];
}

/** The same in other protocols, each as a finding of its own again: that is how it is accepted. */
function parseElsewhere(
  item: Readonly<Record<string, unknown>>,
  finding: Finding,
  what: string,
  deployments: ReadonlySet<string>,
): Finding[] {
  // Reports of earlier releases tell each by itself.
  if (own(item, "elsewhere") === undefined) return [];
  return listOf(own(item, "elsewhere"), `"elsewhere" of ${what}`).map((value, index) => {
    const name = `place ${index + 1} of ${what}`;
    const place = objectOf(value, name);
    const other = {
      ...finding,
      where: parseWhere(own(place, "where"), name, deployments),
      place: parsePlace(own(place, "place"), name),
    };
    checkFingerprint(place, other, name);
    return other;
  });
}

function checkFingerprint(item: Readonly<Record<string, unknown>>, finding: Finding, what: string): void {
  const id = textOf(item, "fingerprint", /^[0-9a-f]{12}$/, what);
  // A finding about a file is corrected, not accepted, and its fingerprint depends on the others.
  if (!isMended(finding) && id !== fingerprint(finding)) {
    throw new Invalid(`the fingerprint of ${what} is not that of its facts`);
  }
}

function parseWhere(value: unknown, what: string, deployments: ReadonlySet<string>): Where | null {
  if (value === null) return null;
  const item = objectOf(value, `"where" of ${what}`);
  const protocol = PROTOCOLS.find((known) => known === own(item, "protocol"));
  const style = STYLE_NAMES.find((known) => known === own(item, "style"));
  if (protocol === undefined || style === undefined) throw new Invalid(`${what} is of no protocol and style`);
  const names = listOf(own(item, "deployments"), `"deployments" of ${what}`);
  return { protocol, style, deployments: names.map((name) => deploymentOf(name, what, deployments)) };
}

function parsePlace(value: unknown, what: string): Place | null {
  if (value === null) return null;
  const item = objectOf(value, `"place" of ${what}`);
  const number = (key: string) => {
    const given = own(item, key);
    return typeof given === "number" && Number.isSafeInteger(given) ? given : null;
  };
  return { file: textOf(item, "file", /^/, what), line: number("line"), column: number("column") };
}

function parseEndpoint(value: unknown, what: string, deployments: ReadonlySet<string>): string[] {
  const item = objectOf(value, what);
  const status = ENDPOINT_STATUSES.find((known) => known === own(item, "status"));
  if (status === undefined) throw new Invalid(`${what} has an unknown status`);
  const name = deploymentOf(own(item, "deployment"), what, deployments);
  return hasSchema({ status }) ? [name] : [];
}

function deploymentOf(name: unknown, what: string, deployments: ReadonlySet<string>): string {
  if (typeof name === "string" && deployments.has(name)) return name;
  throw new Invalid(`${what} names ${shown(name)}, which is no deployment of this project`);
}

function isLayer(name: string): name is Layer {
  return Object.hasOwn(LAYERS, name);
}

function objectOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (!isObject(value)) {
    throw new Invalid(`${what} is not an object`);
  }
  return value as Readonly<Record<string, unknown>>;
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Invalid(`${what} is not a list`);
  return value;
}

/** A member that the object has itself: `constructor` is one of every object. */
function own(item: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(item, key) ? item[key] : undefined;
}

function textOf(item: Readonly<Record<string, unknown>>, key: string, form: RegExp, what: string): string {
  const value = own(item, key);
  if (typeof value === "string" && form.test(value)) return value;
  throw new Invalid(`"${key}" of ${what} is not what it has to be`);
}

function textOrNull(item: Readonly<Record<string, unknown>>, key: string, what: string): string | null {
  return own(item, key) === null ? null : textOf(item, key, /^/, what);
}

function shown(value: unknown): string {
  return typeof value === "string" ? `"${displayText(value, [])}"` : "something";
}
