/**
 * What is run for a test runs for a moment, and a third of it went into optimizing code that was done by then: it is
 * optimized when it has run fifteen times as long. Later Nodes optimize in more steps, and know no such option.
 */
export const LATE_OPTIMIZATION: readonly string[] = process.version.startsWith("v20.")
  ? ["--interrupt-budget=1000000"]
  : [];
