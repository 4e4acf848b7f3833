import type { TypeDeclaration, TypeMember, TypeTree } from "./type-tree.ts";

/**
 * Parses what the plugin for operations writes: declarations of types in a small part of TypeScript. Comments are
 * passed over; who knows the schema writes better ones.
 *
 * @param names types that stand under other names there.
 * @throws TypeError for anything else, such as what a later release of the plugin may write.
 */
export function parseTypeDeclarations(text: string, names: ReadonlyMap<string, string>): TypeDeclaration[] {
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;

  const declarations: TypeDeclaration[] = [];
  skipComments();
  while (at < tokens.length) declarations.push(declaration());
  return declarations;

  function declaration(): TypeDeclaration {
    const exported = accept("export");
    expect("type");
    const name = next();
    expect("=");
    const type = union();
    expect(";");
    return { name, exported, type, doc: null };
  }

  function union(): TypeTree {
    accept("|");
    return chain("union", "|", () => chain("intersection", "&", single));
  }

  function chain(kind: "union" | "intersection", separator: string, part: () => TypeTree): TypeTree {
    const parts = [part()];
    while (accept(separator)) parts.push(part());
    return parts.length === 1 && parts[0] ? parts[0] : { kind, parts };
  }

  function single(): TypeTree {
    if (accept("{")) return { kind: "object", members: members() };
    if (accept("(")) {
      const inner = union();
      expect(")");
      return inner;
    }
    const text = next();
    if (!/^[\w$'"]/.test(text)) throw unexpected(text);
    if (!accept("<")) return { kind: "text", text: names.get(text) ?? doubleQuoted(text), doc: null };
    const parameters = [union()];
    while (accept(",")) parameters.push(union());
    expect(">");
    // It maps variables to themselves, and costs a type-checker as much as everything else here.
    if (text === "Exact" && parameters.length === 1 && parameters[0]) return parameters[0];
    return { kind: "generic", name: text, parameters };
  }

  function members(): TypeMember[] {
    const found: TypeMember[] = [];
    while (!accept("}")) {
      const key = accept("[") ? indexSignature() : doubleQuoted(next());
      const optional = accept("?") ? "?" : "";
      expect(":");
      found.push({ key: `${key}${optional}`, type: union(), doc: null });
      if (!accept(",")) accept(";");
    }
    return found;
  }

  function indexSignature(): string {
    const name = next();
    expect(":");
    const type = next();
    expect("]");
    return `[${name}: ${type}]`;
  }

  function accept(token: string): boolean {
    if (tokens[at] !== token) return false;
    advance();
    return true;
  }

  function expect(token: string): void {
    const found = next();
    if (found !== token) throw unexpected(found);
  }

  function next(): string {
    const token = tokens[at];
    if (token === undefined) throw unexpected("the end");
    advance();
    return token;
  }

  function advance(): void {
    at++;
    skipComments();
  }

  function skipComments(): void {
    while (tokens[at]?.startsWith("/*")) at++;
  }

  function unexpected(token: string): TypeError {
    return new TypeError(`The types of the operations cannot be read at "${token}".`);
  }
}

/** A comment, a string, a name, or any other character that is not white space. */
const TOKEN = /\/\*[\s\S]*?\*\/|'[^']*'|"[^"]*"|[\w$.]+|\S/g;

function doubleQuoted(text: string): string {
  return text.startsWith("'") ? JSON.stringify(text.slice(1, -1)) : text;
}
