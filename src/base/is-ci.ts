/** Whether nobody sits in front of this run. Some set `CI` to `false`, to say that somebody does. */
export function isCi(env: Readonly<Record<string, string | undefined>>): boolean {
  return !["", "false", "0"].includes((env["CI"] ?? "").trim().toLowerCase());
}
