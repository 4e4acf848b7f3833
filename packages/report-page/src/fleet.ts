import { cleanText } from "../../../src/base/clean-text.ts";
import { surfaceId } from "../../../src/dialects/surface.ts";
import type { EndpointReport, HeadReport } from "../../../src/report/types.ts";
import { formatAddress } from "./address.ts";
import { count, el, group, hidden, renderLegend, svg } from "./el.ts";
import { type Fleet, type FleetState, type HeadPoint, headLine, noteOf, stateOf } from "./read-fleet.ts";
import type { Page } from "./read-page.ts";

/** The names and marks of states in the order of the legend: shape and word, not colour alone. */
const STATES: readonly { readonly state: FleetState; readonly mark: string; readonly words: string }[] = [
  { state: "wrong", mark: "\u2715", words: "wrong chain or indexer" },
  { state: "drifted", mark: "\u25c6", words: "drifted" },
  { state: "failing", mark: "\u25b2", words: "indexing failed" },
  { state: "silent", mark: "\u25cb", words: "silent" },
  { state: "variant", mark: "\u25d0", words: "platform variant" },
  { state: "accepted", mark: "\u25c7", words: "accepted" },
  { state: "same", mark: "\u25cf", words: "same" },
  { state: "dormant", mark: "\u2013", words: "dormant" },
  { state: "retired", mark: "\u00d7", words: "retired" },
  { state: "skipped", mark: "\u00b7", words: "not asked" },
];

/** A lag that means nothing: heads are requested one after the other. */
const SMALL_LAG = 1000;

/** Renders the deployments as a grid, with their states and heads. */
export function renderFleet(page: Page): HTMLElement {
  const { fleet, report } = page;
  if (fleet === null) {
    return el(
      "p",
      { class: "empty" },
      `lockflow ${report.run.command} asks no endpoint. `,
      el("code", {}, "lockflow drift --report html=drift.html"),
      " shows what every deployment serves.",
    );
  }
  const { surfaces, endpoints, isLive } = fleet;
  const now = report.run.startedAt;
  const heads = endpoints.flatMap((endpoint) => endpoint.heads ?? []);
  const hasLines = heads.some((head) => headLine(head, now).length > 1);
  const furthestBehind = Math.max(SMALL_LAG * 10, ...heads.map(({ behind }) => behind));
  const legend = renderLegend(
    STATES.map(({ state, mark, words }) => ({
      name: state,
      mark,
      words,
      count: endpoints.filter((endpoint) => stateOf(endpoint) === state).length,
    })),
  );
  const table = el(
    "table",
    { class: "fleet" },
    el(
      "caption",
      {},
      el(
        "span",
        {},
        isLive
          ? `What ${count(endpoints.length, "deployment")} served, by chain; with the newest block${hasLines ? ", its course over earlier runs," : ""} and how far it is behind.`
          : `${count(endpoints.length, "deployment")}, as of the snapshots. No requests were sent.`,
      ),
    ),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("th", { scope: "col" }, "Chain"),
        ...surfaces.map(({ protocol, style, release }) =>
          el(
            "th",
            { scope: "col" },
            el("span", {}, protocol, el("small", {}, ` ${style}`)),
            release !== null && el("small", { class: "release" }, cleanText(release)),
          ),
        ),
      ),
    ),
    el("tbody", {}, ...rowsOf(fleet, { hasLines, furthestBehind, now, found: findNames(page) })),
  );
  return el(
    "div",
    {},
    legend,
    el(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Deployments by chain" },
      table,
    ),
  );
}

/** Facts that all cells need. */
type Scale = {
  readonly hasLines: boolean;
  readonly furthestBehind: number;
  /** When the run began. */
  readonly now: string;
  /** Names of deployments with findings. */
  readonly found: ReadonlySet<string>;
};

function findNames({ report }: Page): ReadonlySet<string> {
  const places = report.findings.flatMap((finding) => [finding, ...(finding.elsewhere ?? [])]);
  return new Set(places.flatMap(({ where }) => where?.deployments ?? []));
}

function rowsOf(fleet: Fleet, scale: Scale): HTMLElement[] {
  const { chains, surfaces, endpoints } = fleet;
  const cells = new Map<string, EndpointReport>();
  for (const endpoint of endpoints) {
    for (const chain of endpoint.chains) cells.set(`${surfaceId(endpoint)} ${chain}`, endpoint);
  }
  return chains.map((chain) =>
    el(
      "tr",
      {},
      el("th", { scope: "row", class: "chain" }, chain),
      ...surfaces.map(({ protocol, style }) => {
        const endpoint = cells.get(`${surfaceId({ protocol, style })} ${chain}`);
        if (endpoint === undefined) return el("td", { class: "none" }, hidden("not deployed"));
        const address = formatAddress("findings", [
          ["protocol", protocol],
          ["style", style],
          ["chain", chain],
        ]);
        const release = fleet.otherReleases.get(endpoint.deployment) ?? null;
        const cell = renderCell({ endpoint, chain, address, release }, scale);
        return el("td", { class: `state ${stateOf(endpoint)}` }, cell);
      }),
    ),
  );
}

/** A deployment on one of its chains. */
type Cell = {
  readonly endpoint: EndpointReport;
  readonly chain: string;
  /** Of the findings there. */
  readonly address: string;
  /** Its release, if it is not that of its surface. */
  readonly release: string | null;
};

function renderCell({ endpoint, chain, address, release }: Cell, scale: Scale): HTMLElement {
  const { deployment, silentSince, heads = [] } = endpoint;
  const message = cleanText(endpoint.message ?? "");
  const state = stateOf(endpoint);
  const note = noteOf(endpoint, scale.now);
  const { mark = "", words = state } = STATES.find((entry) => entry.state === state) ?? {};
  const shown = state === "wrong" ? `wrong ${note}` : [words, note].filter(Boolean).join(" ");
  // A shown release already explains a variant.
  const isClear = (state === "same" && note === "") || (state === "variant" && release !== null);
  const head = heads.find((row) => row.chain === chain);
  const children = [
    el("span", { class: `mark ${state}`, "aria-hidden": "true" }, mark),
    el("span", { class: isClear ? "word sr" : "word" }, shown),
    release !== null && el("span", { class: "tag" }, cleanText(release)),
    ...(head === undefined ? [] : renderHead(head, scale)),
  ];
  const silence = silentSince === undefined ? "" : `silent since ${silentSince}`;
  const title = [deployment, message, silence, ...(head === undefined ? [] : [describeHead(head)])]
    .filter(Boolean)
    .join("\n");
  // The findings also list silent endpoints, whether or not they have findings.
  return scale.found.has(deployment) || message !== ""
    ? el("a", { class: "cell", href: address, title }, ...children)
    : el("span", { class: "cell", title }, ...children);
}

function renderHead(head: HeadReport, { hasLines, furthestBehind, now }: Scale): HTMLElement[] {
  const { block, behind } = head;
  const track = el("span", { class: behind > SMALL_LAG ? "bar behind" : "bar", "aria-hidden": "true" });
  const fill = el("i");
  // Logarithmic: one block behind is not visible, and a day behind does not fill the bar.
  const share = 1 - 0.9 * (Math.log10(1 + behind) / Math.log10(1 + furthestBehind));
  fill.style.width = `${Math.round(Math.max(0.1, share) * 100)}%`;
  track.append(fill);
  return [
    el(
      "span",
      { class: "head" },
      el("span", { class: "block" }, hidden("block "), group(block)),
      ...(hasLines ? [renderLine(headLine(head, now))] : []),
      track,
      el(
        "span",
        { class: behind > SMALL_LAG ? "lag behind" : "lag" },
        behind === 0 ? "" : `\u2212${group(behind)}`,
        behind === 0 ? "" : hidden(" blocks behind"),
      ),
    ),
  ];
}

/** A line of heads over time; flat if the head did not move. */
function renderLine(line: readonly HeadPoint[]): HTMLElement {
  const box = el("span", { class: "line", "aria-hidden": "true" });
  if (line.length < 2) return box;
  const [from = 0, to = 0] = [line[0]?.time, line.at(-1)?.time];
  const blocks = line.map(({ block }) => block);
  const [lowest, highest] = [Math.min(...blocks), Math.max(...blocks)];
  const points = line.map(({ time, block }) => {
    const x = 1 + ((time - from) / Math.max(1, to - from)) * 38;
    const y = 12 - ((block - lowest) / Math.max(1, highest - lowest)) * 10;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  box.append(
    svg(
      "svg",
      { viewBox: "0 0 40 14", width: 40, height: 14, focusable: "false" },
      svg("polyline", { points: points.join(" ") }),
    ),
  );
  return box;
}

function describeHead({ block, behind, madeAt, since }: HeadReport): string {
  return [
    `block ${group(block)}`,
    behind === 0 ? "" : `${group(behind)} behind`,
    madeAt === undefined ? "" : `made ${timeOf(madeAt)}`,
    since === undefined ? "" : `first seen ${timeOf(since)}`,
  ]
    .filter(Boolean)
    .join(", ");
}

function timeOf(time: string): string {
  return `${time.slice(0, 16).replace("T", " ")} UTC`;
}
