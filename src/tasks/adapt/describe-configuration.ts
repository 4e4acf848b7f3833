import { propertyName, typescriptLiteral } from "../../base/text.ts";
import type { ResolvedProtocol } from "../../dialects/protocol.ts";
import { BUILT_IN_PROTOCOLS } from "../../project/protocols.ts";
import { changedParts, renderParts, writeParts } from "./rename-definition.ts";

/** A definition as it is in the configuration, and as it has to be. */
type Configured = {
  readonly definition: ResolvedProtocol;
  readonly now: ResolvedProtocol;
  readonly scalars: Readonly<Record<string, string>>;
};

/**
 * Describes what to write in the configuration after a rename; null if nothing changes. A built-in protocol has no text in
 * the configuration, so its definition is complete.
 */
export function describeConfiguration(
  { definition, now, scalars }: Configured,
  types: ReadonlyMap<string, string>,
): string | null {
  const parts = changedParts(definition, now);
  const { key } = definition;
  const isBuiltIn = BUILT_IN_PROTOCOLS.includes(key);
  const texts: string[] = [];
  if (Object.keys(parts).length > 0) {
    texts.push(
      isBuiltIn
        ? `"protocols": ${propertyName(key)}: defineProtocol({ ${renderParts(writeParts(now))} })`
        : `"protocols.${key}": ${renderParts(parts)}`,
    );
  }
  const renamed = Object.keys(scalars).filter((name) => types.has(name));
  if (renamed.length > 0) {
    const all = Object.entries(scalars).map(([name, type]) => [types.get(name) ?? name, type]);
    texts.push(`"scalars": ${typescriptLiteral(Object.fromEntries(all))}`);
  }
  return texts.length === 0 ? null : `Write in the configuration ${texts.join(", and ")}.`;
}
