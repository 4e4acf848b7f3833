import type { Style } from "../style.ts";
import { deriveMultichain } from "./derive.ts";
import { FEATURES } from "./features.ts";
import { renameMultichain } from "./names.ts";
import { traceMultichain } from "./origins.ts";
import { MULTICHAIN_PITFALLS } from "./pitfalls.ts";
import { CONTRACT_TYPE, MULTICHAIN_SCALARS } from "./platform-types.ts";
import { portableMultichain } from "./portable.ts";
import { multichainProber } from "./probe.ts";
import { readMultichain } from "./read.ts";
import { findMultichainCapabilities, recognizeMultichain } from "./recognize.ts";
import { DEFAULT_RELEASE, RELEASES } from "./release.ts";
import { findRetypedFields } from "./retyped-fields.ts";

/** The dialect of the multichain indexers: Hasura's grammar, with one endpoint for all chains. */
export const multichain: Style = {
  name: "multichain",
  platform: {
    name: "envio",
    releases: Object.keys(RELEASES),
    defaultRelease: DEFAULT_RELEASE,
    settings: ["aggregates", "perChainEntities", "postgresDefault", "bytesType"],
    ownColumns: new Set([FEATURES.writeTimestamps.feature]),
    hiddenArguments: new Map([["derivedFrom", ["field"]]]),
  },
  scalars: new Map([...MULTICHAIN_SCALARS, [CONTRACT_TYPE, { family: "text", typescript: "string" }]]),
  schemas: {
    read: readMultichain,
    recognize: recognizeMultichain,
    findCapabilities: findMultichainCapabilities,
    findRetyped: findRetypedFields,
  },
  deriver: {
    validate: async (text, place, options = {}) => {
      const { validateMultichainEntities } = await import("./validate-entities.ts");
      validateMultichainEntities(text, place, options);
    },
    derive: deriveMultichain,
    traceOrigins: traceMultichain,
    renameDerived: renameMultichain,
  },
  prober: multichainProber,
  pitfalls: MULTICHAIN_PITFALLS,
  portable: portableMultichain,
  filters: {
    entityOf: (type) => /^(.+)_bool_exp$/.exec(type)?.[1] ?? null,
    fieldsOf: (member) => [member],
  },
};
