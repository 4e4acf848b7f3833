import { compareModels, type ParitySide } from "../compare/compare-models.ts";
import { isOf } from "../project/surface.ts";
import type { Protocol } from "../project/vocabulary.ts";
import type { ProtocolParity } from "../report/render-parity.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import { parseSnapshot } from "../snapshots/parse-snapshot.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import { styles } from "../styles/index.ts";
import type { Style } from "../styles/style.ts";

/**
 * Compares the styles of every protocol, from the snapshots. A protocol without both is passed over.
 *
 * @param sideOf for those who have read the snapshots already.
 */
export function compareStyles(
  protocols: readonly Protocol[],
  snapshots: readonly Snapshot[],
  sideOf: (snapshot: Snapshot) => ParitySide = ({ style, base }) =>
    paritySide(parseSnapshot(base), styles[style]),
): ProtocolParity[] {
  return protocols.flatMap((protocol) => {
    const [multichain, subgraph] = (["multichain", "subgraph"] as const).map((name) => {
      const snapshot = snapshots.find(isOf({ protocol, style: name }));
      return snapshot && sideOf(snapshot);
    });
    return multichain && subgraph ? [{ protocol, ...compareModels(multichain, subgraph) }] : [];
  });
}

/** What a schema of a style is compared by with one of another. */
export function paritySide(schema: ApiSchema, { read, scalars, capabilities }: Style): ParitySide {
  return { model: read(schema), schema, scalars, capabilities };
}
