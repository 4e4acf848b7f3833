import { createRequire } from "node:module";
import type * as TsMorph from "ts-morph";
import type { Protocol } from "../../dialects/surface.ts";

/**
 * Adds a protocol that ships to the `protocols` of a configuration, a list or definitions, and leaves every other character as it is, comments too. Null
 * when they are not written out in the file, or name the protocol already.
 */
export function addProtocol(path: string, text: string, protocol: Protocol): string | null {
  const { Node, file, config, resolve } = openConfig(path, text);
  const member = config?.getProperty("protocols");
  const list = Node.isPropertyAssignment(member) ? resolve(member.getInitializer()) : undefined;
  if (Node.isObjectLiteralExpression(list)) {
    const last = list.getProperties().at(-1);
    if (!last || list.getProperty(protocol)) return null;
    last.replaceWithText(`${last.getText()}, ${protocol}: true`);
    return file.getFullText();
  }
  if (!Node.isArrayLiteralExpression(list)) return null;
  const names = list.getElements().filter(Node.isStringLiteral);
  const last = names.at(-1);
  const isWrittenOut = names.length === list.getElements().length;
  if (!last || !isWrittenOut || names.some((name) => name.getLiteralValue() === protocol)) return null;
  last.replaceWithText(`${last.getText()}, ${last.getQuoteKind()}${protocol}${last.getQuoteKind()}`);
  return file.getFullText();
}

/** A configuration as syntax, to be edited without a change of anything else. */
export type OpenConfig = {
  readonly Node: typeof TsMorph.Node;
  readonly file: TsMorph.SourceFile;
  /** The configuration; undefined where it is not written out in the file. */
  readonly config: TsMorph.ObjectLiteralExpression | undefined;
  /** What an expression is without types around it, and where it is given a name or handed to a function. */
  readonly resolve: (node: TsMorph.Node | undefined) => TsMorph.Node | undefined;
};

/** Opens the text of a configuration in TypeScript or JavaScript. */
export function openConfig(path: string, text: string): OpenConfig {
  // Imported, the nine megabytes of a compiler would first be searched for export names.
  const { IndentationText, Node, Project }: typeof TsMorph = createRequire(import.meta.url)("ts-morph");
  const project = new Project({
    useInMemoryFileSystem: true,
    compilerOptions: { allowJs: true },
    manipulationSettings: { indentationText: IndentationText.TwoSpaces, useTrailingCommas: true },
  });
  const file = project.createSourceFile(path, text);
  const resolve = (node: TsMorph.Node | undefined, hops = 0): TsMorph.Node | undefined => {
    if (hops > 10) return undefined;
    if (Node.isAsExpression(node) || Node.isSatisfiesExpression(node) || Node.isParenthesizedExpression(node))
      return resolve(node.getExpression(), hops + 1);
    if (Node.isCallExpression(node)) return resolve(node.getArguments()[0], hops + 1);
    if (Node.isIdentifier(node)) {
      const declared = file.getVariableDeclaration(node.getText());
      // What is taken out of an object has a part of it for a value.
      return Node.isIdentifier(declared?.getNameNode())
        ? resolve(declared?.getInitializer(), hops + 1)
        : undefined;
    }
    return node;
  };
  const config = resolve(file.getExportAssignment((node) => !node.isExportEquals())?.getExpression());
  return { Node, file, config: Node.isObjectLiteralExpression(config) ? config : undefined, resolve };
}
