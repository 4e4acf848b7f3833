/**
 * Delays optimization fifteenfold. A test runs a program so briefly that a third of its time went into optimizing code
 * that had already finished. Later versions of Node optimize in more steps and do not have this option.
 */
export const LATE_OPTIMIZATION: readonly string[] = process.version.startsWith("v20.")
  ? ["--interrupt-budget=1000000"]
  : [];
