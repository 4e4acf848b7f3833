import type { SurfaceId } from "../surface.ts";
import type { Protocol } from "../vocabulary.ts";
import type { BuiltInProtocol } from "./definition.ts";
import { payments } from "./payments.ts";
import { vesting } from "./vesting.ts";

/** The protocols that ship with the toolkit, in the order in which everything lists them. */
export const BUILT_IN: readonly BuiltInProtocol[] = [vesting, payments];

/** Their keys. */
export const BUILT_IN_PROTOCOLS: readonly Protocol[] = BUILT_IN.map(({ key }) => key);

/** A surface for texts that name one for example. */
export const EXAMPLE_SURFACE: SurfaceId = `${vesting.key}/subgraph`;
