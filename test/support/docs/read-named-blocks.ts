import { readRepositoryTree } from "../repository.ts";
import { parseMarkdown } from "./parse-markdown.ts";

/** Returns the blocks of the documentation whose first line is the path of a file, such as `// app/page.tsx`. */
export function readNamedBlocks(): ReadonlyMap<string, string> {
  const blocks = new Map<string, string>();
  for (const [doc, text] of Object.entries(readRepositoryTree("docs"))) {
    if (!doc.endsWith(".md")) continue;
    for (const { code, line } of parseMarkdown(doc, text).blocks) {
      const path = /^(?:\/\/|#) ([\w./[\]-]+\.\w+)\n/.exec(code)?.[1];
      if (path === undefined) continue;
      const known = blocks.get(path);
      if (known !== undefined && known !== code)
        throw new Error(`docs/${doc}:${line} shows another ${path}.`);
      blocks.set(path, code);
    }
  }
  return blocks;
}
