import { cleanText } from "../../../src/base/clean-text.ts";
import { surfaceId } from "../../../src/dialects/surface.ts";
import {
  changeOf,
  countOperations,
  impactOf,
  operationsByPlace,
  placeText,
  titleOf,
  whereOf,
} from "../../../src/report/describe-finding.ts";
import { SEVERITIES } from "../../../src/report/finding.ts";
import type { DecidedFinding, EndpointReport } from "../../../src/report/types.ts";
import { type Address, FILTERS, type FilterName, formatAddress } from "./address.ts";
import { count, el, hidden, renderCommand, renderInParts } from "./el.ts";
import { stateOf } from "./read-fleet.ts";
import { acceptCommand, type Page, placesOf } from "./read-page.ts";

/** Limits per finding; the JSON report has the rest. */
const MOST_OPERATIONS = 200;
const MOST_DERIVED = 100;

/** Renders the findings in the order of the text form: first those that fail the run. */
export function renderFindings(page: Page, address: Address): HTMLElement {
  const { fleet, more } = page;
  const { findings } = page.report;
  const { filter } = address;
  const shown = findings.filter((finding) => isShown(page, finding, filter));
  const news = shown.filter(({ acceptance }) => acceptance === null);
  const accepted = shown.filter(({ acceptance }) => acceptance !== null);
  const [failing, others] = [news.filter(({ fails }) => fails), news.filter(({ fails }) => !fails)];
  const silent = silentOf(page, filter);
  const isEmpty = findings.length === 0 && silent.length === 0;
  const isNarrowed = filter.size > 0;
  const opened = filter.get("finding");
  return el(
    "div",
    {},
    findings.length > 0 && renderFilters(page, address, shown.length),
    ...(isEmpty ? [renderClean(page)] : []),
    !isEmpty &&
      isNarrowed &&
      shown.length === 0 &&
      silent.length === 0 &&
      el(
        "p",
        { class: "empty" },
        "Nothing was found here. ",
        el("a", { href: "#findings" }, "Show all findings"),
      ),
    failing.length > 0 && renderGroups("To act on", failing, { page, opened }),
    others.length > 0 && renderGroups(failing.length > 0 ? "Others" : "Findings", others, { page, opened }),
    silent.length > 0 && renderSilent(silent, fleet?.isLive === true),
    accepted.length > 0 && renderGroups("Accepted", accepted, { page, opened }),
    more > 0 &&
      el("p", { class: "soft" }, `${count(more, "finding")} more: the JSON report has all of them.`),
  );
}

function isShown(page: Page, finding: DecidedFinding, filter: Address["filter"]): boolean {
  const { severity, operations, fingerprint } = finding;
  const [protocol, style, chain] = [filter.get("protocol"), filter.get("style"), filter.get("chain")];
  const operation = filter.get("operation");
  const isAnywhere = protocol === undefined && style === undefined && chain === undefined;
  return (
    (filter.get("finding") ?? fingerprint) === fingerprint &&
    (filter.get("severity") ?? severity) === severity &&
    (isAnywhere ||
      placesOf(page, finding).some((place) => {
        const isThere = chain === undefined || place.chains.includes(chain);
        return (
          isThere && (protocol ?? place.protocol) === place.protocol && (style ?? place.style) === place.style
        );
      })) &&
    (operation === undefined || operations.some(({ name }) => name === operation))
  );
}

function silentOf({ fleet }: Page, filter: Address["filter"]): EndpointReport[] {
  if (fleet === null || ["severity", "operation", "finding"].some((name) => filter.has(name as FilterName)))
    return [];
  return fleet.endpoints.filter((endpoint) => {
    const { protocol, style, chains } = endpoint;
    const state = stateOf(endpoint);
    const chain = filter.get("chain");
    return (
      (state === "silent" || state === "dormant") &&
      (filter.get("protocol") ?? protocol) === protocol &&
      (filter.get("style") ?? style) === style &&
      (chain === undefined || chains.includes(chain))
    );
  });
}

function renderClean({ report, chainsOf }: Page): HTMLElement {
  const { exit } = report.outcome;
  const operations = countOperations(report);
  const facts = [
    ...(chainsOf.size > 0 ? [count(chainsOf.size, "deployment")] : []),
    ...(operations > 0 ? [count(operations, "operation")] : []),
  ].join(", ");
  const words = exit === 0 ? "Clean" : "Nothing was found, and the run was not finished";
  if (exit === 0 && report.run.command.startsWith("check")) {
    return el(
      "p",
      { class: "clean" },
      "Clean: everything generated is current, and every operation is valid.",
    );
  }
  return el("p", { class: "clean" }, facts === "" ? `${words}.` : `${words}: ${facts}.`);
}

function renderFilters(page: Page, { view, filter }: Address, shown: number): HTMLElement {
  const { findings } = page.report;
  const places = findings.flatMap((finding) => placesOf(page, finding));
  const values: Readonly<Record<string, readonly string[]>> = {
    severity: SEVERITIES.filter((level) => findings.some(({ severity }) => severity === level)),
    protocol: sorted(places.map(({ protocol }) => protocol)),
    style: sorted(places.map(({ style }) => style)),
    chain: sorted(places.flatMap(({ chains }) => chains)),
    operation: sorted(findings.flatMap(({ operations }) => operations.map(({ name }) => name))),
  };
  const go = (name: FilterName, value: string) => {
    location.hash = formatAddress(view, [...filter, [name, value]]);
  };
  const selects = FILTERS.flatMap((name) => {
    const choices = values[name];
    const chosen = filter.get(name) ?? "";
    if (choices === undefined || (choices.length < 2 && chosen === "")) return [];
    const all = [...new Set([...choices, ...(chosen === "" ? [] : [chosen])])];
    const select = el(
      "select",
      { id: `filter-${name}` },
      el("option", { value: "" }, "all"),
      ...all.map((value) => el("option", { value, selected: value === chosen }, value)),
    );
    select.addEventListener("change", () => go(name, select.value));
    return [el("label", { for: `filter-${name}` }, name, select)];
  });
  return el(
    "form",
    { class: "filters", "aria-label": "Filter" },
    ...selects,
    el(
      "span",
      { class: "soft", role: "status" },
      shown === findings.length
        ? count(shown, "finding")
        : `${shown} of ${count(findings.length, "finding")}`,
    ),
    filter.size > 0 && el("a", { href: "#findings" }, "Show all"),
  );
}

function sorted(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}

function renderSilent(silent: readonly EndpointReport[], isLive: boolean): HTMLElement {
  return el(
    "section",
    {},
    el("h2", {}, isLive ? "Endpoints without an answer, not compared" : "Without a snapshot"),
    el(
      "dl",
      { class: "silent" },
      ...silent.flatMap(({ deployment, message, silentSince }) => [
        el("dt", {}, deployment),
        el(
          "dd",
          {},
          cleanText(message ?? ""),
          silentSince !== undefined &&
            el("span", { class: "soft" }, ` It has been silent since ${silentSince}.`),
        ),
      ]),
    ),
  );
}

/** Findings with the same fix show it once, below the last of them. */
function renderGroups(
  title: string,
  findings: readonly DecidedFinding[],
  { page, opened }: { readonly page: Page; readonly opened: string | undefined },
): HTMLElement {
  const list = el("div", { class: "list" });
  renderInParts(
    list,
    findings.map((finding, index) => () => {
      const showsFix = findings[index + 1]?.fix !== finding.fix;
      return renderFinding(finding, page, {
        showsFix,
        isOpen: finding.fingerprint === opened,
      });
    }),
  );
  return el("section", {}, el("h2", {}, title, el("small", {}, ` ${findings.length}`)), list);
}

function renderFinding(
  finding: DecidedFinding,
  page: Page,
  { showsFix, isOpen }: { readonly showsFix: boolean; readonly isOpen: boolean },
): HTMLElement {
  const { severity, code, fingerprint, fails, acceptance, place } = finding;
  const at = place === null ? "" : placeText({ ...place, file: cleanText(place.file) });
  const facts = [impactOf(finding, page.report), cleanText(whereOf(finding, page.report)), at].filter(
    Boolean,
  );
  const fix = showsFix ? fixOf(finding) : "";
  const accept = acceptCommand(page, finding);
  return el(
    "article",
    { class: fails ? `finding ${severity} fails` : `finding ${severity}`, id: `finding-${fingerprint}` },
    el(
      "h3",
      {},
      el("span", { class: `severity ${severity}` }, severity),
      hidden(" "),
      el("code", { class: "name" }, titleOf(finding)),
      el("span", { class: "change" }, ` ${changeOf(finding)}`),
    ),
    el(
      "p",
      { class: "soft" },
      ...facts.flatMap((fact) => [fact, " \u00b7 "]),
      el("a", { href: formatAddress("findings", [["finding", fingerprint]]) }, `${code} ${fingerprint}`),
    ),
    acceptance !== null && el("p", {}, "Accepted: ", describeAcceptance(acceptance)),
    renderOperations(finding, page, isOpen),
    renderDerived(finding, isOpen),
    fix !== "" && el("p", { class: "fix" }, ...withCode(fix)),
    el(
      "p",
      { class: "commands" },
      renderCommand(`lockflow explain ${code}`),
      accept !== null && renderCommand(accept),
    ),
  );
}

function describeAcceptance({ reason, until }: NonNullable<DecidedFinding["acceptance"]>): string {
  return `${cleanText(reason)}${until === null ? "" : ` (until ${until})`}`;
}

function renderOperations(finding: DecidedFinding, page: Page, isOpen: boolean): HTMLElement | null {
  const hits = operationsByPlace(finding).flatMap(({ where, operations }) =>
    operations.map((operation) => ({ operation, where })),
  );
  if (hits.length === 0) return null;
  const places = placesOf(page, finding);
  const more = hits.length - MOST_OPERATIONS;
  return el(
    "details",
    { open: isOpen || hits.length <= 3 },
    el("summary", {}, count(hits.length, "place in operations", "places in operations")),
    el(
      "ul",
      { class: "places" },
      ...hits.slice(0, MOST_OPERATIONS).map(({ operation, where }) => {
        const { name, file, line, column, message } = operation;
        const surface = where === null ? null : surfaceId(where);
        const chain = places.find((place) => place.surface === surface)?.chains[0] ?? "";
        const address = formatAddress("coverage", [
          ["operation", `${surface}/${name}`],
          ["chain", chain],
        ]);
        return el(
          "li",
          {},
          surface === null ? el("code", {}, name) : el("a", { href: address }, el("code", {}, name)),
          el("span", { class: "soft" }, ` ${file}:${line}:${column} `),
          cleanText(message),
        );
      }),
      more > 0 && el("li", { class: "soft" }, `and ${more} more`),
    ),
  );
}

function renderDerived({ derivedCoordinates = [] }: DecidedFinding, isOpen: boolean): HTMLElement | null {
  if (derivedCoordinates.length === 0) return null;
  const shown = derivedCoordinates.slice(0, MOST_DERIVED).map(cleanText).join("  ");
  const more = derivedCoordinates.length - MOST_DERIVED;
  return el(
    "details",
    { open: isOpen },
    el(
      "summary",
      {},
      count(derivedCoordinates.length, "coordinate that changes with it", "coordinates that change with it"),
    ),
    el("p", { class: "derived" }, shown, more > 0 && `  and ${more} more`),
  );
}

function fixOf({ fix }: DecidedFinding): string {
  return (fix ?? "").split("\n").map(cleanText).filter(Boolean).join(" ");
}

/** A sentence with code in backticks. */
function withCode(text: string): (string | HTMLElement)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? el("code", {}, part) : part));
}
