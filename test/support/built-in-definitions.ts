import { resolveProtocols } from "../../src/project/protocols.ts";

/** The protocols that ship with the toolkit. */
export const BUILT_IN_DEFINITIONS = resolveProtocols({});
