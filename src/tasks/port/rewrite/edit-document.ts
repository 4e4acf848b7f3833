import type { ts } from "ts-morph";
import { capitalize } from "../../../base/text.ts";
import { AUTHORED_STYLE } from "../../../dialects/portable-style.ts";
import type { StyleName } from "../../../dialects/surface.ts";
import { loadCompiler } from "../../../operations/code-syntax.ts";
import type { Attempt } from "../attempt.ts";
import type { PlannedOperation } from "../plan-port.ts";
import type { CodeModule } from "../read-code.ts";
import type { Reference, ReferenceFinder } from "./find-references.ts";
import { type DocumentCall, readCall, readMembers } from "./read-call.ts";

/**
 * How a document is rewritten: its calls become `run`, also with types of addresses asserted; or it becomes the typed
 * document of its style; or it stays.
 */
export type Level = (typeof LEVELS)[number];

/** Every level, the best first. */
export const LEVELS = ["run", "cast", "document", "none"] as const;

/** A document in code that became an operation. */
export type Target = {
  readonly planned: PlannedOperation;
  readonly attempt: Attempt;
  /** The variables of the compiled multichain document by those of the document. */
  readonly variables: ReadonlyMap<string, string>;
};

/** A change of a file. */
export type Edit = {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
};

/** An import that edits need. */
export type NeededImport = {
  readonly path: string;
  /** The generated module, from the output folder: `lockup/portable`. */
  readonly module: string;
  readonly name: string;
  /** The name in the file. */
  readonly local: string;
  readonly isType?: boolean;
};

/** The edits of a document. */
export type DocumentEdits = { readonly edits: readonly Edit[]; readonly imports: readonly NeededImport[] };

type Found = NonNullable<ReturnType<ReferenceFinder>>;

/** Rewrites a document at a level; null if the level does not fit it. */
export function editDocument(target: Target, found: Found, level: Level): DocumentEdits | null {
  const { planned, attempt } = target;
  if (level === "none" || attempt.found.siblings !== 1) return null;
  const names = renamesOf(target);
  if (level === "document") return editAsDocument(target, found, names);
  if (!planned.isPortable) return null;
  const edits: Edit[] = [];
  const imports: NeededImport[] = [];
  for (const reference of found.references) {
    const call = readCall(reference);
    const edited = call === null ? null : editCall({ target, call, names, level }, reference.module);
    if (edited === null) return null;
    edits.push(...edited.edits);
    imports.push(...edited.imports);
  }
  if (found.references.length === 0) return null;
  const removal = found.references.some(({ node }) => node === found.holder) ? null : removeConstant(found);
  return { edits: removal === null ? edits : [...edits, removal], imports };
}

/** What a document is called otherwise in the operation that it became. */
type Renames = {
  /** The variables of the portable operation by those of the document. */
  readonly variables: ReadonlyMap<string, string>;
  /** The response keys of root fields that differ. */
  readonly keys: ReadonlyMap<string, string>;
  /** The variable of the chain, or its literal value. */
  readonly chain: { readonly variable: string } | { readonly literal: string } | null;
};

function renamesOf({ planned, attempt, variables }: Target): Renames {
  const { kept } = planned.group;
  const compiled = kept.portable?.compiled;
  const style = attempt.match.surface.style;
  const declared = (attempt.found.node.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
  const own = declared.map((name) => {
    const sent = variables.get(name) ?? name;
    const portable = compiled?.variables.find((one) => one.becomes[style].includes(sent))?.name;
    return [name, attempt === kept || portable === undefined ? name : portable] as const;
  });
  const chain = attempt.match.surface.style === AUTHORED_STYLE ? null : (attempt.question?.chain ?? null);
  const [, name] = /^\[?\$(\w+)\]?$/.exec(chain ?? "") ?? [];
  const [, literal] = /^\[?(\d+)\]?$/.exec(chain ?? "") ?? [];
  return {
    variables: new Map(own),
    keys: renamedKeys(attempt, kept),
    chain: name !== undefined ? { variable: name } : literal !== undefined ? { literal } : null,
  };
}

function renamedKeys({ question }: Attempt, kept: Attempt): ReadonlyMap<string, string> {
  if (question === null || kept.question === null || question === kept.question) return new Map();
  const byPath = new Map([...kept.question.keys].map(([key, path]) => [path, key]));
  return new Map(
    [...question.keys].flatMap(([key, path]) => {
      const other = byPath.get(path);
      return other === undefined || other === key ? [] : [[key, other] as const];
    }),
  );
}

type CallEdit = {
  readonly target: Target;
  readonly call: DocumentCall;
  readonly names: Renames;
  readonly level: Level;
};

function editCall({ target, call, names, level }: CallEdit, module: CodeModule): DocumentEdits | null {
  const { planned, attempt } = target;
  const { protocol } = attempt.match.surface;
  const chain = chainOf(call, names, module);
  const variables = variablesOf({ target, call, names, level }, module);
  if (chain === null || variables === null) return null;
  const { path, text, file } = module;
  const isLiteral = /^\d+$|^["']/.test(chain);
  const local = (name: string) => localName(name, module);
  const shown = isLiteral
    ? chain
    : `${local("resolveChain")}(${chain}) as ${local("ChainRef")}<"${protocol}">`;
  const operation = local(planned.placed.name);
  const run = `${local("run")}(${local("indexers")}, ${operation}, ${variables}, { chain: ${shown} })`;
  const whole = call.isAwaited
    ? call.isBare
      ? `(await ${run}).data`
      : `await ${run}`
    : call.isBare
      ? `${run}.then(({ data }) => data)`
      : run;
  const start = call.node.getStart(file);
  const need = (from: string, name: string) => ({ path, module: from, name, local: local(name) });
  const keys = call.isAwaited ? renameKeys(call, names.keys, module) : [];
  if (keys === null || (names.keys.size > 0 && !call.isAwaited)) return null;
  return {
    edits: [{ path, start, end: call.node.end, text: reindent(whole, text, start) }, ...keys],
    imports: [
      need("client", "createClient"),
      need("client", "run"),
      need(`${protocol}/portable`, planned.placed.name),
      ...(isLiteral
        ? []
        : [need("manifest", "resolveChain"), { ...need("client", "ChainRef"), isType: true }]),
    ],
  };
}

/** Returns a name that a file does not use yet: an import is renamed if it does. */
export function localName(name: string, { text }: Pick<CodeModule, "text">): string {
  return new RegExp(`(?<![\\w$.])${name}(?![\\w$])`).test(text.replaceAll(/`[^`]*`/g, ""))
    ? `lockflow${capitalize(name)}`
    : name;
}

function reindent(whole: string, text: string, start: number): string {
  // A line that begins with a parenthesis would continue the one before it.
  const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  return whole.startsWith("(") && before.trim() === "" ? `;${whole}` : whole;
}

function chainOf(
  { variables, chain }: DocumentCall,
  names: Renames,
  { text, file }: CodeModule,
): string | null {
  if (names.chain === null) return chain === null ? null : text.slice(chain.getStart(file), chain.end);
  if ("literal" in names.chain) return names.chain.literal;
  const { variable } = names.chain;
  const member = readMembers(variables, text)?.find(({ name }) => name === variable);
  if (member === undefined) return null;
  const [, only] = /^\[([^,\]]+)\]$/.exec(member.value) ?? [];
  if (only !== undefined) return only;
  const [, digits] = /^["'](\d+)["']$/.exec(member.value) ?? [];
  return digits ?? member.value;
}

function variablesOf({ target, call, names, level }: CallEdit, { text }: CodeModule): string | null {
  const { variables } = call;
  const compiled = target.planned.group.kept.portable?.compiled.variables ?? [];
  const members = readMembers(variables, text);
  const isPlain = names.chain === null || "literal" in names.chain;
  const isRenamed = [...names.variables].some(([name, other]) => name !== other);
  if (members === null) {
    return isPlain && !isRenamed && level === "run" && variables !== null
      ? text.slice(variables.getStart(), variables.end)
      : null;
  }
  const kept = members.flatMap(({ name, value }) => {
    if (names.chain !== null && "variable" in names.chain && name === names.chain.variable) return [];
    const other = names.variables.get(name) ?? name;
    const type = compiled.find((one) => one.name === other)?.type ?? "";
    const shown = level === "cast" ? cast(value, type) : value;
    return [other === shown ? other : `${other}: ${shown}`];
  });
  return kept.length === 0 ? "{}" : `{ ${kept.join(", ")} }`;
}

/** Asserts that a text is an address: the client checks it. */
function cast(value: string, type: string): string {
  if (!/\bBytes\b/.test(type)) return value;
  const own = /^[\w.?"'`\d]+$/.test(value) ? value : `(${value})`;
  return type.startsWith("[") ? `${own} as readonly \`0x\${string}\`[]` : `${own} as \`0x\${string}\``;
}

/** Renames the keys that an answer is read by; null if they are read in another way. */
function renameKeys(
  { node, isBare }: DocumentCall,
  keys: ReadonlyMap<string, string>,
  { path, file }: CodeModule,
): Edit[] | null {
  if (keys.size === 0) return [];
  const compiler = loadCompiler();
  if (!isBare) return null;
  let value: ts.Node = node;
  while (compiler.isParenthesizedExpression(value.parent)) value = value.parent;
  const { parent } = value;
  if (compiler.isPropertyAccessExpression(parent)) return renameName(parent.name);
  if (!compiler.isVariableDeclaration(parent) || parent.type) return null;
  const { name } = parent;
  if (compiler.isObjectBindingPattern(name)) {
    return name.elements.flatMap((element) => {
      const own = element.propertyName ?? element.name;
      const other = compiler.isIdentifier(own) ? keys.get(own.text) : undefined;
      if (other === undefined) return [];
      const text = element.propertyName ? other : `${other}: ${own.getText(file)}`;
      return [{ path, start: own.getStart(file), end: own.end, text }];
    });
  }
  if (!compiler.isIdentifier(name)) return null;
  const edits: Edit[] = [];
  const pending: ts.Node[] = [parent.parent.parent.parent];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    const isRead =
      compiler.isPropertyAccessExpression(one) &&
      compiler.isIdentifier(one.expression) &&
      one.expression.text === name.text;
    if (isRead && compiler.isPropertyAccessExpression(one)) edits.push(...renameName(one.name));
    compiler.forEachChild(one, (child) => {
      pending.push(child);
    });
  }
  return edits;

  function renameName(member: ts.MemberName): Edit[] {
    const other = keys.get(member.text);
    return other === undefined ? [] : [{ path, start: member.getStart(file), end: member.end, text: other }];
  }
}

/** Replaces the document by the typed document of its style. */
function editAsDocument({ planned, attempt }: Target, found: Found, names: Renames): DocumentEdits | null {
  const { holder, module, references } = found;
  const { path, file } = module;
  const { protocol, style } = attempt.match.surface;
  const compiler = loadCompiler();
  const name = `${planned.placed.name}Document`;
  const isText = compiler.isStringLiteral(holder) || compiler.isTemplateLiteral(holder);
  const source = `${protocol}/${style}${isText ? ".strings" : ""}`;
  const local = localName(name, module);
  const at = holder.getStart(file);
  const comment = /\/\*\s*GraphQL\s*\*\/\s*$/i.exec(module.text.slice(0, at))?.[0].length ?? 0;
  const edits: Edit[] = [{ path, start: at - comment, end: holder.end, text: local }];
  if (planned.isPortable) {
    for (const reference of references) {
      const edited = editVariables(reference, names, style);
      if (edited === null) return null;
      edits.push(...edited);
    }
  }
  return { edits, imports: [{ path, module: source, name, local }] };
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
    const isChain = names.chain !== null && "variable" in names.chain && names.chain.variable === name;
    const list = value.startsWith("[") ? value : `[${value}]`;
    const other = isChain ? `chainIds: ${list}` : `${names.variables.get(name) ?? name}: ${value}`;
    if (!isChain && (names.variables.get(name) ?? name) === name) return [];
    return [{ path, start: node.getStart(file), end: node.end, text: other }];
  });
  return edits;
}

/** Removes the statement of a constant that is not used any more; null if it declares others too. */
function removeConstant({ holder, module }: Found): Edit | null {
  const compiler = loadCompiler();
  const { path, text, file } = module;
  let node: ts.Node = holder;
  while (!compiler.isVariableDeclaration(node)) {
    if (!node.parent || compiler.isSourceFile(node.parent)) return null;
    node = node.parent;
  }
  const statement = node.parent.parent;
  if (!compiler.isVariableStatement(statement) || statement.declarationList.declarations.length !== 1)
    return null;
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
