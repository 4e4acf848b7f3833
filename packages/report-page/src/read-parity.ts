import { groupBy } from "../../../src/base/collections.ts";
import type { ParityRow, ProtocolParity, Verdict } from "../../../src/report/types.ts";

/** One entity in both styles. */
export type ParityEntity = {
  readonly name: string;
  readonly verdict: Verdict;
  /** How many of its fields differ, beyond the scalars that always differ between the platforms. */
  readonly differing: number;
  /** Those that differ first, then in code-unit order. */
  readonly fields: readonly ParityField[];
};

/** The row of a field. */
export type ParityField = ParityRow & { readonly field: string };

/** Reads the entities of a protocol, those that differ first, then in code-unit order. */
export function readEntities({ rows }: Pick<ProtocolParity, "rows">): ParityEntity[] {
  const entities = [...groupBy(rows, ({ entity }) => entity)].map(([name, own]): ParityEntity => {
    const fields = own.filter((row): row is ParityField => row.field !== null);
    return {
      name,
      verdict: own.find(({ field }) => field === null)?.verdict ?? "equal",
      differing: fields.filter(({ verdict }) => !QUIET.has(verdict)).length,
      // Sorting keeps the order of names.
      fields: fields.sort((a, b) => rankOf(a.verdict) - rankOf(b.verdict)),
    };
  });
  return entities.sort((a, b) => Number(isQuiet(a)) - Number(isQuiet(b)));
}

function isQuiet({ verdict, differing }: ParityEntity): boolean {
  return QUIET.has(verdict) && differing === 0;
}

function rankOf(verdict: Verdict): number {
  return verdict === "equal" ? 2 : verdict === "mapped" ? 1 : 0;
}

const QUIET: ReadonlySet<Verdict> = new Set(["equal", "mapped"]);
