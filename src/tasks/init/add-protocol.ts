import { createRequire } from "node:module";
import type * as TsMorph from "ts-morph";
import type { Protocol } from "../../dialects/surface.ts";

/**
 * Adds a built-in protocol to the `protocols` of a configuration, a list or an object, without any other change. Returns
 * null if they are not a literal in the file, or contain the protocol already.
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

/** A configuration as a syntax tree, for edits that preserve the other text. */
export type OpenConfig = {
  readonly Node: typeof TsMorph.Node;
  readonly file: TsMorph.SourceFile;
  /** The object of the configuration; undefined if it is not a literal in the file. */
  readonly config: TsMorph.ObjectLiteralExpression | undefined;
  /** Follows type assertions, variables and the first argument of calls to the expression behind them. */
  readonly resolve: (node: TsMorph.Node | undefined) => TsMorph.Node | undefined;
};

/** Opens the text of a configuration in TypeScript or JavaScript. */
export function openConfig(path: string, text: string): OpenConfig {
  // `import()` would scan the 9 MB of the compiler for export names first.
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
      // A destructured variable has only a part of its initializer as the value.
      return Node.isIdentifier(declared?.getNameNode())
        ? resolve(declared?.getInitializer(), hops + 1)
        : undefined;
    }
    return node;
  };
  const config = resolve(file.getExportAssignment((node) => !node.isExportEquals())?.getExpression());
  return { Node, file, config: Node.isObjectLiteralExpression(config) ? config : undefined, resolve };
}
