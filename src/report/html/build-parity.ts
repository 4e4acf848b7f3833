import { displayText } from "../../base/text.ts";
import type { ParityRow, ProtocolParity, Verdict } from "../outcome.ts";
import type { ParityData, ParityEntity } from "./page-data.ts";

/** Builds the comparison of the styles of one protocol: entities and fields side by side, differences first. */
export function buildParity(parity: ProtocolParity): ParityData {
  const { protocol, rows, counts, renames, opaqueEnums, capabilities } = parity;
  const byEntity = new Map<string, ParityRow[]>();
  for (const row of rows) byEntity.set(row.entity, [...(byEntity.get(row.entity) ?? []), row]);
  const entities = [...byEntity].map(([name, own]) => buildEntity(name, own));
  return {
    protocol,
    counts,
    entities: entities.sort((a, b) => Number(isQuiet(a)) - Number(isQuiet(b))),
    renames: renames.map(({ entity, multichain, subgraph }) =>
      displayText(`${entity}: multichain ${multichain}, subgraph ${subgraph}`, []),
    ),
    opaque: opaqueEnums.map(({ multichain, subgraph, shownBy, members }) =>
      displayText(`${multichain} and ${subgraph}: only ${shownBy} shows ${members.join(", ")}`, []),
    ),
    capabilities: capabilities.map(({ capability, multichain, subgraph }) => [
      capability,
      displayText(multichain ?? "", []),
      displayText(subgraph ?? "", []),
    ]),
  };
}

function buildEntity(name: string, rows: readonly ParityRow[]): ParityEntity {
  const verdict = rows.find(({ field }) => field === null)?.verdict ?? "equal";
  const fields = rows.flatMap(({ field, multichain, subgraph, verdict, weaker }) =>
    field === null
      ? []
      : [
          {
            name: displayText(field, []),
            multichain: displayText(multichain ?? "", []),
            subgraph: displayText(subgraph ?? "", []),
            verdict,
            weaker,
          },
        ],
  );
  return {
    name: displayText(name, []),
    verdict,
    differing: fields.filter((field) => !QUIET.has(field.verdict)).length,
    // What is equal last: sorting keeps the order of names.
    fields: fields.sort((a, b) => rankOf(a.verdict) - rankOf(b.verdict)),
  };
}

function isQuiet({ verdict, differing }: ParityEntity): boolean {
  return QUIET.has(verdict) && differing === 0;
}

function rankOf(verdict: Verdict): number {
  return verdict === "equal" ? 2 : verdict === "mapped" ? 1 : 0;
}

const QUIET: ReadonlySet<Verdict> = new Set(["equal", "mapped"]);
