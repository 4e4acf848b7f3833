import { LockflowError } from "../base/errors/lockflow-error.ts";
import type { Deployment } from "../project/deployment.ts";
import { isOf } from "../project/surface.ts";
import type { Protocol } from "../project/vocabulary.ts";
import { canonicalize } from "../schema/canonicalize.ts";
import type { EntityModel } from "../schema/entity-model.ts";
import { parseSdl } from "../schema/parse-sdl.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import { styles } from "../styles/index.ts";
import { doubtProtocol, type ProtocolDoubt } from "./check-protocol.ts";
import type { SchemaReading } from "./read-schema.ts";

/** Tells why a deployment does not serve its protocol; null where it does. */
export type ProtocolCheck = (deployment: Deployment, reading: SchemaReading) => ProtocolDoubt | null;

/**
 * Creates a check that holds what is served against the snapshots, once for all who serve the same. It parses them, so
 * it is loaded for schemas only that have not the mark of their protocol.
 */
export function createProtocolCheck(snapshots: readonly Snapshot[]): ProtocolCheck {
  const models = new Map<Snapshot, EntityModel | null>();
  const doubts = new Map<string, ProtocolDoubt | null>();
  return ({ protocol, style }, { entities, schema }) => {
    const knownModel = (name: Protocol) => {
      const snapshot = snapshots.find(isOf({ protocol: name, style }));
      if (snapshot === undefined) return null;
      if (!models.has(snapshot)) models.set(snapshot, readModel(snapshot));
      return models.get(snapshot) ?? null;
    };
    const key = `${protocol} ${style} ${entities}`;
    if (!doubts.has(key)) doubts.set(key, doubtProtocol(protocol, styles[style].read(schema), knownModel));
    return doubts.get(key) ?? null;
  };
}

/** Null for one that was edited until it is no schema, which introspection mends. */
function readModel({ style, base }: Snapshot): EntityModel | null {
  try {
    return styles[style].read(canonicalize(parseSdl(base.text, base.path)));
  } catch (error) {
    if (error instanceof LockflowError) return null;
    throw error;
  }
}
