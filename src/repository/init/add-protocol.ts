import type { Protocol } from "../../project/vocabulary.ts";
import { openConfig } from "./open-config.ts";

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
