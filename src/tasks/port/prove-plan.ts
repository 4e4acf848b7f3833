import { mapConcurrently } from "../../base/collections.ts";
import { ConfigError } from "../../base/errors.ts";
import { STYLE_NAMES } from "../../dialects/surface.ts";
import type { Project } from "../../project/project.ts";
import type { Environ } from "../../project/variables.ts";
import { openClient } from "../ask/open-client.ts";
import { freeLiterals } from "./free-literals.ts";
import type { Group } from "./pair-operations.ts";
import type { PlannedOperation } from "./plan-port.ts";
import { type Proof, type Prover, proveGroup } from "./prove.ts";

/** Where the operations of a plan are proven. */
type ProvePlanOptions = {
  readonly project: Project;
  readonly against: "emulator" | "production";
  readonly env: Environ;
};

/** Proves the portable operations of a plan, protocol by protocol. */
export async function provePlan(
  planned: readonly PlannedOperation[],
  { project, against, env }: ProvePlanOptions,
): Promise<ReadonlyMap<PlannedOperation, Proof>> {
  const proofs = new Map<PlannedOperation, Proof>();
  const portable = planned.filter(({ group }) => group.kept.portable !== null);
  const protocols = [...new Set(portable.map(({ group }) => group.kept.match.surface.protocol))];
  for (const protocol of protocols) {
    const own = portable.filter(({ group }) => group.kept.match.surface.protocol === protocol);
    const opened = await openClient(project, protocol, {
      ...{ env, environment: "production", useEmulator: against === "emulator" },
      ...{ styles: STYLE_NAMES, maxLag: undefined, freshness: false },
    }).catch((error: unknown) => {
      // Without entities, the emulator cannot serve a protocol.
      if (error instanceof ConfigError) return error;
      throw error;
    });
    if (opened instanceof ConfigError) {
      for (const one of own) proofs.set(one, { sets: 0, same: 0, problem: opened.sentence });
      continue;
    }
    const { client, close } = opened;
    try {
      await mapConcurrently(own, 4, async (one) => {
        proofs.set(one, await proveOne(one.group, { client, project }));
      });
    } finally {
      await close();
    }
  }
  return proofs;
}

/** Proves a group; one that names addresses without rows, with those of existing rows. */
async function proveOne(group: Group, prover: Prover): Promise<Proof> {
  const { portable: form } = group.kept;
  if (form === null) throw new TypeError("Only portable operations are proven.");
  const proof = await proveGroup(group, form, prover);
  if (proof.sets > 0) return proof;
  const freed = freeLiterals(group);
  return freed?.kept.portable ? proveGroup(freed, freed.kept.portable, prover) : proof;
}
