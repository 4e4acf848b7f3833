/** The release of the real graph-node that can serve in place of the emulator. */
export const NODE_RELEASE = "0.45";
