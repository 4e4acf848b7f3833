/** Whether a folder of this name is a package manager's or a tool's: nothing in it is ours to judge. */
export function isForeignFolder(name: string): boolean {
  return name === "node_modules" || name.startsWith(".");
}
