/** The version of the package; a test holds it against package.json. */
export const VERSION = "0.1.0";

declare const __LOCKFLOW_BUILD__: string | undefined;

/** Identifies the code of a built package; null when the sources run as they are. */
export const BUILD_ID: string | null = typeof __LOCKFLOW_BUILD__ === "string" ? __LOCKFLOW_BUILD__ : null;
