import { createRequire } from "node:module";
import type * as TsMorph from "ts-morph";
import type { Protocol } from "../../project/vocabulary.ts";

/**
 * Adds a protocol to the `protocols` of a configuration and leaves every other character as it is, comments too. Null
 * when the list is not written out in the file, or names the protocol already.
 */
export function addProtocol(path: string, text: string, protocol: Protocol): string | null {
  // Imported, the nine megabytes of a compiler would first be searched for export names.
  const { Node, Project }: typeof TsMorph = createRequire(import.meta.url)("ts-morph");
  const project = new Project({ useInMemoryFileSystem: true, compilerOptions: { allowJs: true } });
  const file = project.createSourceFile(path, text);
  const config = resolve(file.getExportAssignment((node) => !node.isExportEquals())?.getExpression());
  const member = Node.isObjectLiteralExpression(config) ? config.getProperty("protocols") : undefined;
  const list = Node.isPropertyAssignment(member) ? resolve(member.getInitializer()) : undefined;
  if (!Node.isArrayLiteralExpression(list)) return null;
  const names = list.getElements().filter(Node.isStringLiteral);
  const last = names.at(-1);
  const isWrittenOut = names.length === list.getElements().length;
  if (!last || !isWrittenOut || names.some((name) => name.getLiteralValue() === protocol)) return null;
  last.replaceWithText(`${last.getText()}, ${last.getQuoteKind()}${protocol}${last.getQuoteKind()}`);
  return file.getFullText();

  /** What an expression is without types around it, and where it is given a name or handed to `defineConfig`. */
  function resolve(node: TsMorph.Node | undefined, hops = 0): TsMorph.Node | undefined {
    if (hops > 10) return undefined;
    if (Node.isAsExpression(node) || Node.isSatisfiesExpression(node) || Node.isParenthesizedExpression(node))
      return resolve(node.getExpression(), hops + 1);
    if (Node.isCallExpression(node)) return resolve(node.getArguments()[0], hops + 1);
    if (Node.isIdentifier(node))
      return resolve(file.getVariableDeclaration(node.getText())?.getInitializer(), hops + 1);
    return node;
  }
}
