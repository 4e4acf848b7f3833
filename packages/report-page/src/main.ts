import type { Report } from "../../../src/report/types.ts";
import { type Address, formatAddress, parseAddress, VIEWS, type ViewName } from "./address.ts";
import { renderCoverage } from "./coverage.ts";
import { el } from "./el.ts";
import { renderFindings } from "./findings.ts";
import { renderFleet } from "./fleet.ts";
import { renderOperationDialog, showMarks } from "./operation-dialog.ts";
import { renderParity } from "./parity.ts";
import { type Page, readPage } from "./read-page.ts";

const main = document.getElementById("main") as HTMLElement;
const report = JSON.parse(document.getElementById("report")?.textContent ?? "") as Report;
const page = readPage(report, { accept: main.dataset.accept ?? "never", more: Number(main.dataset.more) });

const RENDERERS: Readonly<Record<ViewName, (page: Page, address: Address) => HTMLElement>> = {
  fleet: renderFleet,
  parity: renderParity,
  coverage: renderCoverage,
  findings: renderFindings,
};

const TITLES: Readonly<Record<ViewName, string>> = {
  fleet: "Fleet",
  parity: "Parity",
  coverage: "Coverage",
  findings: "Findings",
};

/** The first view: the findings if one of them fails the run, otherwise the fleet. */
const START: ViewName =
  page.fleet !== null && report.findings.every(({ fails }) => !fails) ? "fleet" : "findings";

const links = new Map(VIEWS.map((view) => [view, el("a", { href: formatAddress(view) }, titleOf(view))]));
const sections = new Map(
  VIEWS.map((view) => [
    view,
    el("section", { id: `view-${view}`, "aria-label": TITLES[view], hidden: true }),
  ]),
);
/** The address with which each view was last rendered. Views are rendered when first shown. */
const rendered = new Map<ViewName, string>();
let shown: ViewName | null = null;
const tops = new Map<ViewName, number>();
/** The dialog that is open above the coverage, with the address of its cell. */
let opened: { readonly dialog: HTMLDialogElement; readonly address: Address } | null = null;
/** Elements that were closed before printing. */
const openedForPaper: HTMLDetailsElement[] = [];

main.before(el("nav", { "aria-label": "Views" }, ...links.values()));
main.append(...sections.values());
addEventListener("hashchange", show);
// Without a script this is a link; here the address decides the view.
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener("beforeprint", showAll);
addEventListener("afterprint", closeAgain);
show();

function titleOf(view: ViewName): string {
  const number = report.findings.length + page.more;
  return view === "findings" && number > 0 ? `Findings ${number}` : TITLES[view];
}

function show(): void {
  const address = parseAddress(location.hash) ?? { view: START, filter: new Map() };
  const { view } = address;
  for (const [name, link] of links) {
    if (name === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (shown !== null && shown !== view) tops.set(shown, scrollY);
  for (const [name, section] of sections) section.hidden = name !== view;
  render(view, address);
  // Going back restores the scroll position.
  if (shown !== null && shown !== view) scrollTo(0, tops.get(view) ?? 0);
  shown = view;
  showDialog(address);
}

function render(view: ViewName, address: Address): void {
  const section = sections.get(view);
  const key = keyOf(address);
  if (section === undefined || rendered.get(view) === key) return;
  rendered.set(view, key);
  const focused = document.activeElement?.id ?? "";
  section.replaceChildren(RENDERERS[view](page, address));
  // The focus stays on the filter that was changed.
  if (focused !== "") document.getElementById(focused)?.focus();
}

/** Returns the filters that a view depends on. The open dialog does not change the coverage below it. */
function keyOf({ view, filter }: Address): string {
  const entries = [...filter].filter(
    ([name]) => view !== "coverage" || (name !== "operation" && name !== "chain"),
  );
  return JSON.stringify(entries);
}

function showDialog(address: Address): void {
  const former = opened;
  opened = null;
  former?.dialog.remove();
  const isAsked = address.view === "coverage" && address.filter.has("operation");
  const dialog = isAsked ? renderOperationDialog(page, address) : null;
  if (dialog === null) {
    // After closing or going back, the focus returns to the cell.
    if (former !== null && address.view === "coverage") cellOf(former.address)?.focus();
    return;
  }
  opened = { dialog, address };
  document.body.append(dialog);
  dialog.addEventListener("close", () => {
    if (opened?.dialog !== dialog) return;
    const others = [...address.filter].filter(([name]) => name !== "operation" && name !== "chain");
    location.hash = formatAddress("coverage", others);
  });
  dialog.showModal();
  showMarks(dialog);
}

function cellOf({ filter }: Address): HTMLElement | undefined {
  const href = formatAddress("coverage", filter);
  return [...document.querySelectorAll<HTMLElement>(".dot")].find((one) => one.getAttribute("href") === href);
}

/** Paper has no links: shows all views, with the parts that are rendered late. */
function showAll(): void {
  for (const view of VIEWS) {
    if (!rendered.has(view)) render(view, { view, filter: new Map() });
  }
  for (const part of document.querySelectorAll(".list, details")) part.dispatchEvent(new Event("fill"));
  for (const part of document.querySelectorAll<HTMLDetailsElement>("details:not([open])")) {
    part.open = true;
    openedForPaper.push(part);
  }
}

function closeAgain(): void {
  for (const part of openedForPaper.splice(0)) part.open = false;
}
