import { AUTHORED_STYLE } from "../../../dialects/portable-style.ts";
import type { StyleName } from "../../../dialects/surface.ts";
import { loadCompiler } from "../../../operations/code-syntax.ts";
import { editCall } from "./edit-call.ts";
import type { FoundDocument, Reference } from "./find-references.ts";
import { readCall, readMembers } from "./read-call.ts";
import {
  type DocumentEdits,
  type Edit,
  isTyped,
  type Level,
  localName,
  type NeededImport,
  type Renames,
  renamesOf,
  type Target,
} from "./target.ts";

/** Rewrites a document at a level; null if the level does not fit it. */
export function editDocument(target: Target, found: FoundDocument, level: Level): DocumentEdits | null {
  const { planned, attempt } = target;
  const { holder, references, hasQueryKeys } = found;
  // Code imports the operations of a file one by one.
  if (level === "none" || (holder !== null && attempt.found.siblings !== 1)) return null;
  const names = renamesOf(target);
  if (level === "document") return editAsDocument(target, found, names);
  if (!planned.isPortable || references.length === 0) return null;
  const calls = references.flatMap((one) => readCall(one) ?? []);
  // An id is passed on unchanged. Another name of a chain is resolved when the query runs, because it may be unknown.
  const mayCache = !hasQueryKeys && names.chain !== null;
  const isCached = mayCache && calls.some(({ cached }) => cached !== null);
  if (calls.length < references.length || (level === "run" && !isCached)) return null;
  const edits: Edit[] = [];
  const imports: NeededImport[] = [];
  for (const call of calls) {
    const cached = mayCache && level !== "run" ? call.cached : null;
    const edited = editCall({ target, call: { ...call, cached }, names, level });
    if (edited === null) return null;
    edits.push(...edited.edits);
    imports.push(...edited.imports);
  }
  const isInPlace = references.some(({ node }) => node === holder?.node);
  if (holder === null || isInPlace) return { edits, imports };
  const removal = found.isExportedAgain ? null : removeConstant(holder);
  if (removal !== null) return { edits: [...edits, removal], imports };
  const rest = editAsDocument(target, { ...found, references: [] }, names);
  return rest && { edits: [...edits, ...rest.edits], imports: [...imports, ...rest.imports] };
}

/** Replaces the document, or the uses of a file, by the typed document of its style. */
function editAsDocument(
  { planned, attempt, documentMode, localDocument }: Target,
  { holder, references }: FoundDocument,
  names: Renames,
): DocumentEdits | null {
  const { protocol, style } = attempt.match.surface;
  const compiler = loadCompiler();
  const name = `${planned.placed.name}Document`;
  const edits: Edit[] = [];
  const imports: NeededImport[] = [];
  for (const { module, node } of holder === null ? references : [holder]) {
    const { path, text, file } = module;
    const isText = compiler.isStringLiteral(node) || compiler.isTemplateLiteral(node);
    // Texts of portable operations are always generated. Some clients expect parsed documents; the type check finds that.
    const isKnown = isText
      ? documentMode !== "documentNode" || planned.isPortable
      : documentMode !== "string" || isTyped(module);
    if (!isKnown) return null;
    const isString = isText || documentMode === "string";
    const local = localName(localDocument, module);
    const at = node.getStart(file);
    const comment = /\/\*\s*GraphQL\s*\*\/\s*$/i.exec(text.slice(0, at))?.[0].length ?? 0;
    // `{ query }` becomes `{ query: StreamsDocument }`.
    const key = compiler.isShorthandPropertyAssignment(node.parent) ? `${node.getText(file)}: ` : "";
    edits.push({ path, start: at - comment, end: node.end, text: `${key}${local}` });
    imports.push({ path, module: `${protocol}/${style}${isString ? ".strings" : ""}`, name, local });
  }
  if (planned.isPortable) {
    for (const reference of references) {
      const edited = editVariables(reference, names, style);
      if (edited === null) return null;
      edits.push(...edited);
    }
  }
  return { edits, imports };
}

/** Renames the variables of a call to those of the compiled document. */
function editVariables(reference: Reference, names: Renames, style: StyleName): Edit[] | null {
  const { module } = reference;
  const { path, text, file } = module;
  const call = readCall(reference);
  const isRenamed = [...names.variables].some(([name, other]) => name !== other);
  // A subgraph document keeps its variables.
  if (style === AUTHORED_STYLE && !isRenamed) return [];
  const members = call === null ? null : readMembers(call.variables, text);
  if (members === null || call === null || names.keys.size > 0) return null;
  const edits = members.flatMap(({ name, value, node }): Edit[] => {
    const chain = names.chain !== null && "variable" in names.chain ? names.chain : null;
    const isChain = chain?.variable === name;
    const isList = value.startsWith("[") || chain?.isList;
    const list = isList ? value : `[${value}]`;
    const other = isChain ? `chainIds: ${list}` : `${names.variables.get(name) ?? name}: ${value}`;
    if (!isChain && (names.variables.get(name) ?? name) === name) return [];
    return [{ path, start: node.getStart(file), end: node.end, text: other }];
  });
  return edits;
}

/** Removes the statement of a constant that is not used any more; null if it declares others too. */
function removeConstant({ node: holder, module }: Reference): Edit | null {
  const compiler = loadCompiler();
  const { path, text, file } = module;
  const statement = compiler.findAncestor(holder, compiler.isVariableStatement);
  if (statement?.declarationList.declarations.length !== 1) return null;
  const comments = compiler.getLeadingCommentRanges(text, statement.getFullStart()) ?? [];
  const near = comments.filter(
    ({ end }) =>
      /^\s*$/.test(text.slice(end, statement.getStart(file))) &&
      !/\n\s*\n/.test(text.slice(end, statement.getStart(file))),
  );
  const start = near[0]?.pos ?? statement.getStart(file);
  const end = text.slice(statement.end).match(/^[ \t]*;?[ \t]*(?:\r?\n)?(?:\r?\n)?/)?.[0].length ?? 0;
  return { path, start, end: statement.end + end, text: "" };
}
