import type { FleetData, FleetEndpoint, FleetHead, PageData } from "../../../src/report/html/page-data.ts";
import { formatAddress } from "./address.ts";
import { count, el, group, hidden, renderLegend, svg } from "./el.ts";
import { STATES } from "./texts.ts";

/** Blocks that are nothing to speak of: heads are asked one after the other. */
const SMALL_LAG = 1000;

/** Renders the deployments as a grid: what each serves, and how far it is. */
export function renderFleet({ fleet, command }: PageData): HTMLElement {
  if (fleet === null) {
    return el(
      "p",
      { class: "empty" },
      `${command} asks no endpoint. `,
      el("code", {}, "lockflow drift --report html=drift.html"),
      " shows what every deployment serves.",
    );
  }
  const { surfaces, endpoints, isLive } = fleet;
  const hasLines = endpoints.some(({ heads }) => heads.some(({ line }) => line.length > 1));
  const furthestBehind = Math.max(
    SMALL_LAG * 10,
    ...endpoints.flatMap(({ heads }) => heads.map(({ behind }) => behind)),
  );
  const legend = renderLegend(
    STATES.map(([name, mark, words]) => ({
      name,
      mark,
      words,
      count: endpoints.filter(({ state }) => state === name).length,
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
          : `What ${count(endpoints.length, "deployment")} served when the snapshots were made. Nobody was asked.`,
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
            release !== null && el("small", { class: "release" }, release),
          ),
        ),
      ),
    ),
    el("tbody", {}, ...rowsOf(fleet, { hasLines, furthestBehind })),
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

type Scale = { readonly hasLines: boolean; readonly furthestBehind: number };

function rowsOf({ chains, surfaces, endpoints }: FleetData, scale: Scale): HTMLElement[] {
  const cells = new Map<string, FleetEndpoint>();
  for (const endpoint of endpoints) {
    for (const chain of endpoint.chains) cells.set(`${endpoint.surface} ${chain}`, endpoint);
  }
  return chains.map((chain) =>
    el(
      "tr",
      {},
      el("th", { scope: "row", class: "chain" }, chain),
      ...surfaces.map(({ protocol, style }, index) => {
        const endpoint = cells.get(`${index} ${chain}`);
        if (endpoint === undefined) return el("td", { class: "none" }, hidden("not deployed"));
        const address = formatAddress("findings", [
          ["protocol", protocol],
          ["style", style],
          ["chain", chain],
        ]);
        return el("td", { class: `state ${endpoint.state}` }, renderCell(endpoint, chain, address, scale));
      }),
    ),
  );
}

function renderCell(endpoint: FleetEndpoint, chain: string, address: string, scale: Scale): HTMLElement {
  const { deployment, state, note, message, release, isFound } = endpoint;
  const [, mark = "", words = state] = STATES.find(([name]) => name === state) ?? [];
  const shown = state === "wrong" ? `wrong ${note}` : [words, note].filter(Boolean).join(" ");
  // Where a release is shown, it says what is other than elsewhere.
  const isTold = (state === "same" && note === "") || (state === "variant" && release !== null);
  const head = endpoint.heads.find((one) => one.chain === chain);
  const children = [
    el("span", { class: `mark ${state}`, "aria-hidden": "true" }, mark),
    el("span", { class: isTold ? "word sr" : "word" }, shown),
    release !== null && el("span", { class: "tag" }, release),
    ...(head === undefined ? [] : renderHead(head, scale)),
  ];
  const silence = endpoint.silentSince === null ? "" : `silent since ${endpoint.silentSince}`;
  const title = [deployment, message, silence, ...(head === undefined ? [] : [describeHead(head)])]
    .filter(Boolean)
    .join("\n");
  // Who is silent is told of among the findings, whatever else was found.
  return isFound || message !== ""
    ? el("a", { class: "cell", href: address, title }, ...children)
    : el("span", { class: "cell", title }, ...children);
}

function renderHead({ block, behind, line }: FleetHead, { hasLines, furthestBehind }: Scale): HTMLElement[] {
  const track = el("span", { class: behind > SMALL_LAG ? "bar behind" : "bar", "aria-hidden": "true" });
  const fill = el("i");
  // By orders of magnitude: a block behind is nothing, and a day behind is not the end.
  const share = 1 - 0.9 * (Math.log10(1 + behind) / Math.log10(1 + furthestBehind));
  fill.style.width = `${Math.round(Math.max(0.1, share) * 100)}%`;
  track.append(fill);
  return [
    el(
      "span",
      { class: "head" },
      el("span", { class: "block" }, hidden("block "), group(block)),
      ...(hasLines ? [renderLine(line)] : []),
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

/** A line of heads over time; flat where nothing moved. */
function renderLine(line: FleetHead["line"]): HTMLElement {
  const box = el("span", { class: "line", "aria-hidden": "true" });
  const [from = 0, to = 0] = [line[0]?.[0], line.at(-1)?.[0]];
  const blocks = line.map(([, block]) => block);
  const [lowest, highest] = [Math.min(...blocks), Math.max(...blocks)];
  if (line.length < 2) return box;
  const points = line.map(([time, block]) => {
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

function describeHead({ block, behind, madeAt, since }: FleetHead): string {
  return [
    `block ${group(block)}`,
    behind === 0 ? "" : `${group(behind)} behind`,
    madeAt === null ? "" : `made ${timeOf(madeAt)}`,
    since === null ? "" : `first seen ${timeOf(since)}`,
  ]
    .filter(Boolean)
    .join(", ");
}

function timeOf(moment: string): string {
  return `${moment.slice(0, 16).replace("T", " ")} UTC`;
}
