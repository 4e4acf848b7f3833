import { cached } from "../../base/collections.ts";
import { surfaceId } from "../../dialects/surface.ts";
import { changeOf, impactOf, operationsByPlace, placeText, titleOf, whereOf } from "../describe-finding.ts";
import { categoryOf } from "../finding.ts";
import { type DecidedFinding, hasSchema } from "../outcome.ts";
import type { Renderer, Report } from "../report.ts";

/**
 * JUnit XML: a suite for every category, with a case for every requested deployment and for every other subject of a
 * finding. A deployment without a schema is skipped: it has neither passed nor failed.
 */
export const junit: Renderer = { render: renderJunit };

/** Categories that are judged one deployment at a time. */
const BY_DEPLOYMENT: ReadonlySet<string> = new Set(["drift", "fleet", "identity", "health"]);

type Case = {
  readonly name: string;
  readonly skipped: string | null;
  readonly findings: readonly DecidedFinding[];
};

function renderJunit(report: Report): string {
  const suites = report.outcome.categories
    .map(({ name }) => ({ name, cases: casesOf(name, report) }))
    .sort((a, b) => Number(b.name === "identity") - Number(a.name === "identity"));
  suites.push({ name: "operations", cases: operationCases(report) });
  const shown = suites.filter(({ cases }) => cases.length > 0);
  const all = shown.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="lockflow" ${totals(all)}>`,
    ...shown.flatMap(({ name, cases }) => [
      `  <testsuite name="${xml(name)}" ${totals(cases)}>`,
      ...cases.flatMap((testCase) => renderCase(testCase, name, report)),
      "  </testsuite>",
    ]),
    "</testsuites>",
    "",
  ].join("\n");
}

function casesOf(category: string, report: Report): Case[] {
  const findings = report.findings.filter((finding) => categoryOf(finding) === category);
  const cases = new Map<string, Case & { readonly findings: DecidedFinding[] }>();
  const caseOf = (name: string, skipped: string | null = null) =>
    cached(cases, name, () => ({ name, skipped, findings: [] }));
  if (BY_DEPLOYMENT.has(category)) {
    for (const { deployment, status, message } of report.endpoints) {
      caseOf(deployment, hasSchema({ status }) ? null : `${status}: ${message ?? "it gave no schema"}`);
    }
  }
  for (const finding of findings) {
    const places = [finding, ...(finding.elsewhere ?? [])];
    const deployments = BY_DEPLOYMENT.has(category)
      ? places.flatMap(({ where }) => where?.deployments ?? [])
      : [];
    const names = deployments.length > 0 ? deployments : [titleOf(finding)];
    for (const name of names) caseOf(name).findings.push(finding);
  }
  return [...cases.values()];
}

function operationCases({ operations, findings }: Report): Case[] {
  const byOperation = new Map<string, Set<DecidedFinding>>();
  for (const finding of findings) {
    for (const { where, operations: hit } of operationsByPlace(finding)) {
      // The name identifies the operation: the place may be in the file of a fragment.
      for (const { name } of hit) {
        const key = `${where?.protocol}/${where?.style} ${name}`;
        cached(byOperation, key, () => new Set()).add(finding);
      }
    }
  }
  return operations.map((operation) => {
    const name = `${surfaceId(operation)} ${operation.name}`;
    return { name, skipped: null, findings: [...(byOperation.get(name) ?? [])] };
  });
}

function renderCase({ name, skipped, findings }: Case, suite: string, report: Report): string[] {
  const failing = findings.filter(({ fails }) => fails);
  const noted = findings.filter(({ fails }) => !fails);
  const head = `    <testcase classname="lockflow.${xml(suite)}" name="${xml(name)}"`;
  const body = failing.map((finding) => {
    const opening = `<failure type="${xml(finding.code)}" message="${xml(headline(finding))}">`;
    return `      ${opening}${xml(details(finding, report))}</failure>`;
  });
  // A case has one result: a failed case is not skipped.
  if (skipped !== null && failing.length === 0) body.push(`      <skipped message="${xml(skipped)}"/>`);
  const notes = noted.map((finding) => details(finding, report)).join("\n\n");
  if (notes !== "") body.push(`      <system-out>${xml(notes)}</system-out>`);
  return body.length === 0 ? [`${head}/>`] : [`${head}>`, ...body, "    </testcase>"];
}

function headline(finding: DecidedFinding): string {
  return `${titleOf(finding)}: ${changeOf(finding)}`;
}

function details(finding: DecidedFinding, report: Report): string {
  const { code, severity, fingerprint, accepted, acceptance, message, fix, operations } = finding;
  return [
    `${severity} ${headline(finding)}`,
    message,
    impactOf(finding, report),
    whereOf(finding, report),
    ...operations.map((operation) => `${placeText(operation)} ${operation.name}: ${operation.message}`),
    accepted ? `accepted: ${acceptance?.reason ?? ""}` : (fix ?? ""),
    `[${code} ${fingerprint}]`,
  ]
    .filter(Boolean)
    .join("\n");
}

function totals(cases: readonly Case[]): string {
  const others = cases.filter(({ findings }) => !findings.some(({ fails }) => fails));
  const skipped = others.filter(({ skipped }) => skipped !== null).length;
  return `tests="${cases.length}" failures="${cases.length - others.length}" errors="0" skipped="${skipped}"`;
}

function xml(text: string): string {
  return (
    text
      // XML cannot contain these characters, and one of them makes the whole file invalid.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being removed
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, " ")
      .replaceAll(/\p{Surrogate}/gu, " ")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("\n", "&#10;")
      .replaceAll("\r", "&#13;")
      .replaceAll("\t", "&#9;")
      .replaceAll("::", "&#58;&#58;")
      .replaceAll("##", "&#35;&#35;")
  );
}
