import { parse } from "graphql";
import { mapConcurrently } from "../base/collections.ts";
import { ConfigError, UsageError } from "../base/errors.ts";
import { STYLE_NAMES } from "../dialects/surface.ts";
import { openClient } from "../fleet/open-client.ts";
import { describeNoHost } from "../fleet/open-targets.ts";
import type { Project } from "../project/project.ts";
import { type Environ, hasHost } from "../project/variables.ts";
import { attemptOperation } from "./attempt.ts";
import { classifySurface } from "./classify-surface.ts";
import { declareNames, fillHoles } from "./fill-holes.ts";
import type { FoundOperation } from "./find-operations.ts";
import { parseAgain } from "./original.ts";
import type { Group } from "./pair-operations.ts";
import type { PlannedOperation } from "./plan-port.ts";
import { type Proof, type Prover, proveGroup } from "./prove.ts";

/**
 * Proves the portable operations of a plan, protocol by protocol.
 *
 * @throws UsageError if the hosts of production are not configured.
 */
export async function provePlan(
  planned: readonly PlannedOperation[],
  options: {
    readonly project: Project;
    readonly against: "emulator" | "production";
    readonly env: Environ;
  },
): Promise<ReadonlyMap<PlannedOperation, Proof>> {
  const { project, against, env } = options;
  if (against === "production" && !hasHost(project, env)) {
    throw new UsageError({
      sentence: `--against production needs hosts, but ${describeNoHost(project, env)}`,
      hint: "configure them, leave out --against to use the emulator, or pass --no-proof.",
    });
  }
  const proofs = new Map<PlannedOperation, Proof>();
  const portable = planned.filter(({ group }) => group.kept.portable !== null);
  const protocols = [...new Set(portable.map(({ group }) => group.kept.match.surface.protocol))];
  for (const protocol of protocols) {
    const ofProtocol = portable.filter(({ group }) => group.kept.match.surface.protocol === protocol);
    const opened = await openClient(project, [protocol], {
      env,
      environment: "production",
      useEmulator: against === "emulator",
      styles: STYLE_NAMES,
      maxLag: undefined,
      freshness: false,
    }).catch((error: unknown) => {
      // Without entities, the emulator cannot serve a protocol.
      if (error instanceof ConfigError) return error;
      throw error;
    });
    if (opened instanceof ConfigError) {
      for (const operation of ofProtocol)
        proofs.set(operation, { sets: 0, same: 0, problem: opened.sentence });
      continue;
    }
    const { client, close } = opened;
    try {
      await mapConcurrently(ofProtocol, 4, async (operation) => {
        proofs.set(operation, await proveOne(operation.group, { client, project }));
      });
    } finally {
      await close();
    }
  }
  return proofs;
}

/** Proves a group. If it names addresses without rows, they are replaced by those of existing rows. */
async function proveOne(group: Group, prover: Prover): Promise<Proof> {
  const proof = await proveGroup(group, prover);
  const freed = proof.sets > 0 ? null : freeLiterals(group);
  return freed === null ? proof : proveGroup(freed, prover);
}

/**
 * Returns a group whose operations have variables in place of the addresses and ids that they name, so that the proof can
 * use those of existing rows. Null if they name none, or are not portable with variables.
 */
function freeLiterals({ kept, differences }: Group): Group | null {
  const freed = withVariables(kept.source);
  if (freed === null) return null;
  const [match] = classifySurface(freed, [kept.match]).fits;
  if (match === undefined) return null;
  const attempt = attemptOperation(freed, match, kept.context);
  return attempt.portable === null ? null : { kept: attempt, others: [], differences, twin: null };
}

/** Addresses and ids become values, as if the code filled them in. */
function withVariables(operation: FoundOperation): FoundOperation | null {
  const source = operation.filled?.source ?? operation.document;
  const { slots = [] } = operation.filled ?? {};
  const literals = [...source.text.matchAll(/"0x[\da-f]{6,}[^"\\\n]*"/gi)]
    .map(({ index, 0: code }) => ({ start: index, end: index + code.length, code }))
    .filter(({ start }) => !slots.some((slot) => slot.start <= start && start < slot.end));
  if (literals.length === 0) return null;
  const codes = [...new Set(literals.map(({ code }) => code))];
  const write = (value: unknown) => JSON.stringify(value);
  const value = { isQuoted: true, writes: "value", isConditional: false, name: null } as const;
  const all = [
    ...slots.map((slot, index) => ({ slot, name: operation.filled?.names[index] ?? "" })),
    ...literals.map(({ start, end, code }) => ({
      slot: { start, end, code, write, hole: { ...value, code, shown: code }, keys: [], isBare: false },
      name: `literal${codes.indexOf(code) + 1}`,
    })),
  ].sort((a, b) => a.slot.start - b.slot.start);
  const names = all.map(({ name }) => name);
  const filled = { source, slots: all.map(({ slot }) => slot), names };
  const document = fillHoles(filled);
  const text = declareNames(document, parse(document.text), names).text;
  const again = parseAgain(text, operation);
  return again === null ? null : { ...operation, ...again, filled };
}
