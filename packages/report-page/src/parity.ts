import { cleanText } from "../../../src/base/clean-text.ts";
import type { CapabilityRow, ProtocolParity, Verdict } from "../../../src/report/types.ts";
import type { Address } from "./address.ts";
import { count, el } from "./el.ts";
import type { Page } from "./read-page.ts";
import { type ParityEntity, type ParityField, readEntities } from "./read-parity.ts";

const WORDS: Readonly<Record<Verdict, string>> = {
  equal: "equal",
  mapped: "another scalar",
  nullability: "nullability",
  conflict: "conflict",
  "only-multichain": "only multichain",
  "only-subgraph": "only subgraph",
};

/** Renders both styles of every protocol side by side, differences first. */
export function renderParity({ report }: Page, { filter }: Address): HTMLElement {
  const { protocols, run } = report;
  const chosen = filter.get("protocol");
  const shown = (protocols ?? []).filter(({ protocol }) => chosen === undefined || protocol === chosen);
  if (shown.length === 0) {
    const why =
      protocols === undefined
        ? `lockflow ${run.command} did not compare the styles.`
        : "No protocol has both styles.";
    return el("p", { class: "empty" }, why);
  }
  return el("div", {}, ...shown.map(renderProtocol));
}

function renderProtocol(parity: ProtocolParity): HTMLElement {
  const { protocol, counts, capabilities } = parity;
  const renames = parity.renames.map(
    ({ entity, multichain, subgraph }) => `${entity}: multichain ${multichain}, subgraph ${subgraph}`,
  );
  const opaque = parity.opaqueEnums.map(
    ({ multichain, subgraph, shownBy, members }) =>
      `${multichain} and ${subgraph}: only ${shownBy} shows ${members.join(", ")}`,
  );
  const entities = readEntities(parity);
  const differing = entities.filter(differs);
  const others = entities.filter((entity) => !differs(entity));
  const facts = (Object.keys(WORDS) as Verdict[])
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => `${counts[verdict]} ${WORDS[verdict]}`);
  return el(
    "section",
    { class: "protocol" },
    el("h2", {}, protocol),
    el("p", { class: "soft" }, `Fields of both styles: ${facts.join(", ") || "none"}.`),
    differing.length === 0 &&
      el(
        "p",
        { class: "good" },
        `Both styles agree in all of ${count(entities.length, "entity", "entities")}.`,
      ),
    differing.length > 0 &&
      el("div", { class: "entities" }, ...differing.map((entity) => renderEntity(entity, true))),
    others.length > 0 && el("h3", {}, `${count(others.length, "entity", "entities")} alike in both styles`),
    others.length > 0 &&
      el("div", { class: "entities" }, ...others.map((entity) => renderEntity(entity, false))),
    renames.length > 0 && renderList("Names that seem to differ", renames),
    opaque.length > 0 && renderList("Enums whose members one style does not show", opaque),
    capabilities.length > 0 && renderCapabilities(capabilities),
  );
}

function differs({ verdict, differing }: ParityEntity): boolean {
  return verdict !== "equal" || differing > 0;
}

function renderEntity({ name, verdict, differing, fields }: ParityEntity, isOpen: boolean): HTMLElement {
  const size = count(fields.length, "field");
  const state =
    verdict !== "equal"
      ? `${WORDS[verdict]}, ${size}`
      : differing > 0
        ? `${differing} of ${size} differ`
        : size;
  const details = el(
    "details",
    { class: "entity", open: isOpen && verdict === "equal" },
    el(
      "summary",
      {},
      el("code", { class: "entity-name" }, name),
      el("span", { class: verdict === "equal" && differing === 0 ? "soft" : "word differs" }, state),
    ),
  );
  const fillIn = () => {
    if (details.querySelector("table") === null) details.append(renderFields(name, fields));
  };
  // Most stay closed, and need no rows before they are opened.
  if (details.open) fillIn();
  details.addEventListener("toggle", fillIn);
  details.addEventListener("fill", fillIn);
  return details;
}

function renderFields(name: string, fields: readonly ParityField[]): HTMLElement {
  return el(
    "table",
    { class: "fields" },
    el("caption", { class: "sr" }, `Fields of ${name}`),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        ...["Field", "multichain", "subgraph", "They are"].map((text) => el("th", { scope: "col" }, text)),
      ),
    ),
    el(
      "tbody",
      {},
      ...fields.map(({ field, multichain, subgraph, verdict, weaker }) =>
        el(
          "tr",
          { class: verdict === "equal" || verdict === "mapped" ? "" : "differs" },
          el("th", { scope: "row" }, el("code", {}, field)),
          el("td", {}, codeOrDash(multichain)),
          el("td", {}, codeOrDash(subgraph)),
          el("td", {}, WORDS[verdict], weaker !== null && `; ${weaker} may be null`),
        ),
      ),
    ),
  );
}

function renderList(title: string, items: readonly string[]): HTMLElement {
  return el(
    "div",
    {},
    el("h3", {}, title),
    el("ul", {}, ...items.map((text) => el("li", {}, cleanText(text)))),
  );
}

function renderCapabilities(rows: readonly CapabilityRow[]): HTMLElement {
  return el(
    "details",
    { class: "entity" },
    el("summary", {}, "What can be asked of each style"),
    el(
      "table",
      { class: "fields" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          ...["Question", "multichain", "subgraph"].map((text) => el("th", { scope: "col" }, text)),
        ),
      ),
      el(
        "tbody",
        {},
        ...rows.map(({ capability, multichain, subgraph }) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, capability),
            el("td", {}, codeOrDash(multichain)),
            el("td", {}, codeOrDash(subgraph)),
          ),
        ),
      ),
    ),
  );
}

function codeOrDash(text: string | null): HTMLElement | string {
  return text === null ? "\u2013" : el("code", {}, cleanText(text));
}
