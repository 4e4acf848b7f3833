import type { Protocol } from "../../project/vocabulary.ts";
import { openConfig } from "./open-config.ts";

/**
 * Adds a protocol to the `protocols` of a configuration and leaves every other character as it is, comments too. Null
 * when the list is not written out in the file, or names the protocol already.
 */
export function addProtocol(path: string, text: string, protocol: Protocol): string | null {
  const { Node, file, config, resolve } = openConfig(path, text);
  const member = config?.getProperty("protocols");
  const list = Node.isPropertyAssignment(member) ? resolve(member.getInitializer()) : undefined;
  if (!Node.isArrayLiteralExpression(list)) return null;
  const names = list.getElements().filter(Node.isStringLiteral);
  const last = names.at(-1);
  const isWrittenOut = names.length === list.getElements().length;
  if (!last || !isWrittenOut || names.some((name) => name.getLiteralValue() === protocol)) return null;
  last.replaceWithText(`${last.getText()}, ${last.getQuoteKind()}${protocol}${last.getQuoteKind()}`);
  return file.getFullText();
}
