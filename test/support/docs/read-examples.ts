import { join } from "node:path";
import { REPOSITORY } from "../repository.ts";
import { type Block, parseMarkdown } from "./parse-markdown.ts";

/**
 * Reads the examples in the comments of a source. What the source exports is at hand in an example that imports
 * nothing.
 *
 * @returns the blocks, and a line for every example that has none.
 */
export function readExamples(
  path: string,
  text: string,
): { readonly blocks: Block[]; readonly problems: string[] } {
  const problems: string[] = [];
  const blocks = [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].flatMap(({ 0: comment, index }) =>
    [...comment.matchAll(/@example\b([\s\S]*?)(?=^\s*\*\s*@|\*\/$)/gm)].flatMap(
      ({ 1: example = "", index: at }) => {
        const line = text.slice(0, index + at).split("\n").length;
        const { blocks } = parseMarkdown(path, example.replaceAll(/^ *\* ?/gm, ""));
        if (blocks.length === 0) problems.push(`${path}:${line} An example is code in a block.`);
        return blocks.map((block) => ({ ...block, line: block.line + line - 1 }));
      },
    ),
  );
  return { blocks: blocks.map((block) => withExports(block, path, text)), problems };
}

function withExports(block: Block, path: string, text: string): Block {
  if (/^import /m.test(block.code)) return block;
  const names = [...text.matchAll(/^export (?:declare |abstract |async )*(\w+) (\w+)/gm)].map(
    ([, kind = "", name = ""]) => (kind === "type" ? `type ${name}` : name),
  );
  return {
    ...block,
    before: `import { ${names.join(", ")} } from ${JSON.stringify(join(REPOSITORY, path))};`,
  };
}
