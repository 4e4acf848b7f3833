import type { Place } from "../base/place.ts";

/** Finds coordinates in a snapshot by its indentation, because parsing it for places costs too much. */
export function locateCoordinates(text: string, file: string): (coordinate: string) => Place | null {
  let lines: ReadonlyMap<string, number> | undefined;
  return (coordinate) => {
    lines ??= indexLines(text);
    const line = lines.get(coordinate.replace(/\(.*$/, ""));
    return line === undefined ? null : { file, line, column: 1 };
  };
}

function indexLines(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  let owner = "";
  let isProse = false;
  for (const [index, line] of text.split("\n").entries()) {
    const quotes = line.split('"""').length - 1;
    if (isProse || quotes > 0) {
      if (quotes % 2 === 1) isProse = !isProse;
      continue;
    }
    const head = /^(?:directive (@\w+)|(?:type|interface|union|enum|input|scalar) (\w+))/.exec(line);
    const member = /^ {2}(\w+)/.exec(line)?.[1];
    if (head) {
      owner = head[1] ?? head[2] ?? "";
      lines.set(owner, index + 1);
    } else if (line === "schema {") owner = "";
    else if (member !== undefined && owner !== "") lines.set(`${owner}.${member}`, index + 1);
  }
  return lines;
}
