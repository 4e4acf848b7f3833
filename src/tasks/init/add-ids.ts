import type { ObjectLiteralExpression } from "ts-morph";
import { isIdentifier } from "../../base/text.ts";
import type { IdTable } from "../../project/id-table.ts";
import { SUBGRAPH_API_KEY, SUBGRAPH_PRODUCTION_URL } from "../../project/variables.ts";
import { openConfig } from "./add-protocol.ts";

/** What a configuration has that knew no gateway. */
const PRODUCTION = `{
url: { env: "${SUBGRAPH_PRODUCTION_URL}" },
apiKey: { env: "${SUBGRAPH_API_KEY}" },
}`;

/**
 * Writes ids into the `subgraph.production.ids` of a configuration, in the place of those of the same protocols and
 * chains, and leaves everything else as it is. Null when one of these objects is not written out in the file.
 */
export function addIds(path: string, text: string, table: IdTable): string | null {
  const { Node, file, config, resolve } = openConfig(path, text);
  /** The object that a member is, added where there is none; undefined where it is something else. */
  const memberOf = (object: ObjectLiteralExpression | undefined, name: string, otherwise = "{}") => {
    const property = object && (propertyOf(object, name) ?? add(object, name, otherwise));
    const value = Node.isPropertyAssignment(property)
      ? resolve(property.getInitializer())
      : Node.isShorthandPropertyAssignment(property)
        ? resolve(property.getNameNode())
        : undefined;
    return Node.isObjectLiteralExpression(value) ? value : undefined;
  };
  const ids = memberOf(memberOf(memberOf(config, "subgraph"), "production", PRODUCTION), "ids");
  for (const [protocol, chains] of table) {
    const own = memberOf(ids, protocol);
    if (own === undefined) return null;
    for (const [chain, id] of chains) {
      const known = propertyOf(own, chain);
      if (Node.isPropertyAssignment(known)) known.setInitializer(JSON.stringify(id));
      else add(own, chain, JSON.stringify(id));
    }
  }
  return file.getFullText();
}

function propertyOf(object: ObjectLiteralExpression, name: string) {
  return object.getProperty(name) ?? object.getProperty(`"${name}"`) ?? object.getProperty(`'${name}'`);
}

function add(object: ObjectLiteralExpression, name: string, initializer: string) {
  return object.addPropertyAssignment({ name: isIdentifier(name) ? name : `"${name}"`, initializer });
}
