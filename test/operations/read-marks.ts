/** Returns a text without its marks `¦`, and the place of each as `line:column`. */
export function readMarks(marked: string): { readonly text: string; readonly places: readonly string[] } {
  const parts = marked.split("¦");
  const places = parts.slice(1).map((_, index) => {
    const lines = parts
      .slice(0, index + 1)
      .join("")
      .split("\n");
    return `${lines.length}:${(lines.at(-1) ?? "").length + 1}`;
  });
  return { text: parts.join(""), places };
}
