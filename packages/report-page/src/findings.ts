import type { FindingData, FleetEndpoint, PageData } from "../../../src/report/html/page-data.ts";
import { type Address, FILTERS, type FilterName, formatAddress } from "./address.ts";
import { count, el, hidden, renderCommand, renderInParts } from "./el.ts";
import { placeIn } from "./texts.ts";

const SEVERITIES = ["breaking", "risky", "additive", "cosmetic"];

/** Renders what was found, in the order and the groups of the text. */
export function renderFindings(data: PageData, address: Address): HTMLElement {
  const { findings, fleet, more } = data;
  const { filter } = address;
  const shown = findings.filter((finding) => isShown(finding, filter));
  const news = shown.filter(({ acceptance }) => acceptance === null);
  const accepted = shown.filter(({ acceptance }) => acceptance !== null);
  const silent = silentOf(data, filter);
  const isEmpty = findings.length === 0 && silent.length === 0;
  const isNarrowed = filter.size > 0;
  return el(
    "div",
    {},
    findings.length > 0 && renderFilters(data, address, shown.length),
    ...(isEmpty ? [renderClean(data)] : []),
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
    news.length > 0 && renderGroups("Findings", news, filter.get("finding")),
    silent.length > 0 && renderSilent(silent, fleet?.isLive === true),
    accepted.length > 0 && renderGroups("Accepted", accepted, filter.get("finding")),
    more > 0 &&
      el("p", { class: "soft" }, `${count(more, "finding")} more: the JSON report has all of them.`),
  );
}

function isShown(finding: FindingData, filter: Address["filter"]): boolean {
  const { severity, places, operations, fingerprint } = finding;
  const [protocol, style, chain] = [filter.get("protocol"), filter.get("style"), filter.get("chain")];
  const operation = filter.get("operation");
  const isAnywhere = protocol === undefined && style === undefined && chain === undefined;
  return (
    (filter.get("finding") ?? fingerprint) === fingerprint &&
    (filter.get("severity") ?? severity) === severity &&
    (isAnywhere ||
      places.some(({ surface, chains }) => {
        const [ofProtocol, ofStyle] = surface.split("/");
        const isThere = chain === undefined || chains.includes(chain);
        return isThere && (protocol ?? ofProtocol) === ofProtocol && (style ?? ofStyle) === ofStyle;
      })) &&
    (operation === undefined || operations.some(({ name }) => name === operation))
  );
}

function silentOf({ fleet }: PageData, filter: Address["filter"]): FleetEndpoint[] {
  if (fleet === null || ["severity", "operation", "finding"].some((name) => filter.has(name as FilterName)))
    return [];
  return fleet.endpoints.filter(({ state, surface, chains }) => {
    const { protocol, style } = fleet.surfaces[surface] ?? {};
    const chain = filter.get("chain");
    return (
      (state === "silent" || state === "dormant") &&
      (filter.get("protocol") ?? protocol) === protocol &&
      (filter.get("style") ?? style) === style &&
      (chain === undefined || chains.includes(chain))
    );
  });
}

function renderClean({ deployments, operations, exit, command }: PageData): HTMLElement {
  const facts = [
    ...(deployments > 0 ? [count(deployments, "deployment")] : []),
    ...(operations > 0 ? [count(operations, "operation")] : []),
  ].join(", ");
  const words = exit === 0 ? "Clean" : "Nothing was found, and the run was not finished";
  if (exit === 0 && command.startsWith("lockflow check")) {
    return el(
      "p",
      { class: "clean" },
      "Clean: everything generated is current, and every operation is valid.",
    );
  }
  return el("p", { class: "clean" }, facts === "" ? `${words}.` : `${words}: ${facts}.`);
}

function renderFilters({ findings }: PageData, { view, filter }: Address, shown: number): HTMLElement {
  const places = findings.flatMap((finding) => finding.places);
  const surfaces = places.map(({ surface }) => surface.split("/"));
  const values: Readonly<Record<string, readonly (string | undefined)[]>> = {
    severity: SEVERITIES.filter((one) => findings.some(({ severity }) => severity === one)),
    protocol: sorted(surfaces.map(([protocol]) => protocol)),
    style: sorted(surfaces.map(([, style]) => style)),
    chain: sorted(places.flatMap(({ chains }) => chains)),
    operation: sorted(findings.flatMap(({ operations }) => operations.map(({ name }) => name))),
  };
  const go = (name: FilterName, value: string) => {
    location.hash = formatAddress(view, [...filter, [name, value]]);
  };
  const selects = FILTERS.flatMap((name) => {
    const own = values[name];
    const chosen = filter.get(name) ?? "";
    if (own === undefined || (own.length < 2 && chosen === "")) return [];
    const all = [...new Set([...own, ...(chosen === "" ? [] : [chosen])])];
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

function sorted(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined))].sort();
}

function renderSilent(silent: readonly FleetEndpoint[], isLive: boolean): HTMLElement {
  return el(
    "section",
    {},
    el("h2", {}, isLive ? "Without an answer, and so without a verdict" : "Without a snapshot"),
    el(
      "dl",
      { class: "silent" },
      ...silent.flatMap(({ deployment, message, silentSince }) => [
        el("dt", {}, deployment),
        el(
          "dd",
          {},
          message,
          silentSince !== null && el("span", { class: "soft" }, ` It has been silent since ${silentSince}.`),
        ),
      ]),
    ),
  );
}

/** Findings with one fix say it once, below the last of them. */
function renderGroups(
  title: string,
  findings: readonly FindingData[],
  linked: string | undefined,
): HTMLElement {
  const list = el("div", { class: "list" });
  renderInParts(
    list,
    findings.map((finding, index) => () => {
      const next = findings[index + 1];
      const isLast = next === undefined || next.fix.join("\n") !== finding.fix.join("\n");
      return renderFinding(finding, isLast, finding.fingerprint === linked);
    }),
  );
  return el("section", {}, el("h2", {}, title, el("small", {}, ` ${findings.length}`)), list);
}

function renderFinding(finding: FindingData, showsFix: boolean, isOpen: boolean): HTMLElement {
  const { severity, title, change, impact, where, code, fingerprint, fails, fix, acceptance } = finding;
  const { operations, moreOperations, derived, moreDerived, place, accept, explain } = finding;
  const at =
    place === null ? "" : [place.file, place.line, place.column].filter((part) => part !== null).join(":");
  const facts = [impact, where, at].filter(Boolean);
  return el(
    "article",
    { class: fails ? `finding ${severity} fails` : `finding ${severity}`, id: `finding-${fingerprint}` },
    el(
      "h3",
      {},
      el("span", { class: `severity ${severity}` }, severity),
      hidden(" "),
      el("code", { class: "name" }, title),
      el("span", { class: "change" }, ` ${change}`),
    ),
    el(
      "p",
      { class: "soft" },
      ...facts.flatMap((fact) => [fact, " \u00b7 "]),
      el("a", { href: formatAddress("findings", [["finding", fingerprint]]) }, `${code} ${fingerprint}`),
    ),
    acceptance !== null && el("p", {}, "Accepted: ", acceptance),
    operations.length > 0 &&
      el(
        "details",
        { open: isOpen || operations.length <= 3 },
        el(
          "summary",
          {},
          count(operations.length + moreOperations, "place in operations", "places in operations"),
        ),
        el(
          "ul",
          { class: "places" },
          ...operations.map(({ name, surface, file, line, column, message }) =>
            el(
              "li",
              {},
              surface === ""
                ? el("code", {}, name)
                : el(
                    "a",
                    {
                      href: formatAddress("coverage", [
                        ["operation", `${surface}/${name}`],
                        ["chain", placeIn(finding, surface)?.chains[0] ?? ""],
                      ]),
                    },
                    el("code", {}, name),
                  ),
              el("span", { class: "soft" }, ` ${file}:${line}:${column} `),
              message,
            ),
          ),
          moreOperations > 0 && el("li", { class: "soft" }, `and ${moreOperations} more`),
        ),
      ),
    derived.length > 0 &&
      el(
        "details",
        { open: isOpen },
        el(
          "summary",
          {},
          count(
            derived.length + moreDerived,
            "coordinate that changes with it",
            "coordinates that change with it",
          ),
        ),
        el("p", { class: "derived" }, derived.join("  "), moreDerived > 0 && `  and ${moreDerived} more`),
      ),
    showsFix && fix.length > 0 && el("p", { class: "fix" }, ...withCode(fix.join(" "))),
    el("p", { class: "commands" }, renderCommand(explain), accept !== null && renderCommand(accept)),
  );
}

/** A sentence in which backticks stand around what is typed. */
function withCode(text: string): (string | HTMLElement)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? el("code", {}, part) : part));
}
