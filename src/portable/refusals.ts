import { buildFileFinding } from "../report/build-file-finding.ts";
import type { FactsOf } from "../report/codes/code.ts";
import type { PORTABLE } from "../report/codes/portable.ts";
import type { Finding } from "../report/finding.ts";
import type { Placed } from "../schema/make-node.ts";
import { placeOf } from "../schema/place-of.ts";

/** Collects why an operation or a fragment is not portable, each thing where its author wrote it. */
export type Refusals = {
  readonly findings: readonly Finding[];
  /**
   * @param fix where the code has none, or a worse one.
   * @returns null, for what stands in the place of what is refused.
   */
  readonly refuse: <C extends keyof typeof PORTABLE>(
    code: C,
    facts: FactsOf<(typeof PORTABLE)[C]>,
    node: Placed,
    fix?: string,
  ) => null;
};

/** Creates the refusals of one operation or fragment. */
export function createRefusals(subject: string, path: string): Refusals {
  const findings = new Map<string, Finding>();
  return {
    get findings() {
      return [...findings.values()];
    },
    refuse: (code, facts, node, fix) => {
      // The source of a node names its file, which is another one than the operation's for fragments.
      const place = placeOf(node.loc?.source.name ?? path, node);
      const finding = buildFileFinding(code, facts, {
        subject,
        place,
        ...(fix === undefined ? {} : { fix }),
      });
      // What is looked at more than once, such as the default of a variable with two uses, is said once.
      const key = JSON.stringify([code, place, finding.message]);
      if (!findings.has(key)) findings.set(key, finding);
      return null;
    },
  };
}
