/**
 * Now, in milliseconds. The chains of the emulator stand where its data ends; `vite.config.ts` says when that is, and
 * a page on live indexers has the present.
 */
export function now(): number {
  const given = Number(import.meta.env["LOCKFLOW_EMULATOR_TIME"]);
  return given > 0 ? given * 1000 : Date.now();
}
