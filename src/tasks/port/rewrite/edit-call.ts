import type { ts } from "ts-morph";
import { loadCompiler, visitNodes } from "../../../operations/code-syntax.ts";
import { type DocumentCall, readMembers } from "./read-call.ts";
import {
  type DocumentEdits,
  type Edit,
  isTyped,
  type Level,
  localName,
  type NeededImport,
  type Renames,
  type Target,
} from "./target.ts";

/** A call, and the operation that its document became. */
export type CallEdit = {
  readonly target: Target;
  readonly call: DocumentCall;
  readonly names: Renames;
  readonly level: Level;
};

/** Rewrites a call to `run` or `query`; null if it cannot be. */
export function editCall(edit: CallEdit): DocumentEdits | null {
  const { target, call, names } = edit;
  const { planned, attempt } = target;
  const { protocol } = attempt.match.surface;
  const { cached, isBare, isAwaited, module } = call;
  const { path, text, file } = module;
  const chain = chainOf(call, names);
  const variables = variablesOf(edit);
  if (chain === null || variables === null) return null;
  const local = (name: string) => localName(name, module);
  const need = (from: string, name: string) => ({ path, module: from, name, local: local(name) });
  const isLiteral = /^\d+$|^["']/.test(chain);
  const isResolved = !isLiteral && cached === null;
  const isAsserted = !isLiteral && isTyped(module);
  const given = isResolved ? `${local("resolveChain")}(${chain})` : isLiteral ? chain : parenthesize(chain);
  const option =
    given === "chain" && !isAsserted
      ? "{ chain }"
      : `{ chain: ${given}${isAsserted ? ` as ${local("ChainRef")}<"${protocol}">` : ""} }`;
  const operation = local(target.local);
  const send = (name: string) =>
    `${local(name)}(${local("indexers")}, ${operation}, ${variables}, ${option})`;
  const imports: NeededImport[] = [
    need("client", "createClient"),
    need("client", cached === null ? "run" : "query"),
    { path, module: `${protocol}/portable`, name: planned.placed.name, local: operation },
    ...(isAsserted ? [{ ...need("client", "ChainRef"), isType: true }] : []),
    ...(isResolved ? [need("manifest", "resolveChain")] : []),
  ];
  // The data under the keys of the document, because the code reads those.
  const renamed = [...names.keys].map(([own, other]) => `${own}: data.${other}`);
  const shape = renamed.length === 0 ? "data" : `({ ${renamed.join(", ")} })`;
  if (!isBare && renamed.length > 0) return null;
  if (cached !== null) {
    const { options, others } = cached;
    const members = [
      ...(isBare ? [`select: ({ data }) => ${shape}`] : []),
      ...others.map((one) => one.getText(file)),
    ];
    const whole =
      members.length === 0 ? send("query") : `{ ${[`...${send("query")}`, ...members].join(", ")} }`;
    return { edits: [{ path, start: options.getStart(file), end: options.end, text: whole }], imports };
  }
  const keys = isAwaited ? renameKeys(call, names.keys) : null;
  const run = send("run");
  const whole = !isBare
    ? `${isAwaited ? "await " : ""}${run}`
    : keys === null
      ? `${isAwaited ? "await " : ""}${run}.then(({ data }) => ${shape})`
      : `(await ${run}).data`;
  const start = call.node.getStart(file);
  const edited = { path, start, end: call.node.end, text: protectStart(whole, text, start) };
  return { edits: [edited, ...(keys ?? [])], imports };
}

function protectStart(whole: string, text: string, start: number): string {
  // A line that begins with a parenthesis would continue the one before it.
  const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  return whole.startsWith("(") && before.trim() === "" ? `;${whole}` : whole;
}

function chainOf({ variables, chain, module: { text, file } }: DocumentCall, names: Renames): string | null {
  if (names.chain === null) return chain === null ? null : text.slice(chain.getStart(file), chain.end);
  if ("literal" in names.chain) return names.chain.literal;
  const { variable, isList } = names.chain;
  const member = readMembers(variables, text)?.find(({ name }) => name === variable);
  if (member === undefined) return null;
  const [, only] = /^\[([^,\]]+)\]$/.exec(member.value) ?? [];
  // A list may have several chains.
  if (only !== undefined || isList) return only ?? null;
  const [, digits] = /^["'](\d+)["']$/.exec(member.value) ?? [];
  return digits ?? member.value;
}

function variablesOf({ target, call, names, level }: CallEdit): string | null {
  const {
    variables,
    module: { text },
  } = call;
  const compiled = target.planned.group.kept.portable?.compiled.variables ?? [];
  const members = readMembers(variables, text);
  const isPlain = names.chain === null || "literal" in names.chain;
  const isRenamed = [...names.variables].some(([name, other]) => name !== other);
  if (members === null) {
    return isPlain && !isRenamed && level !== "cast" && variables !== null
      ? text.slice(variables.getStart(), variables.end)
      : null;
  }
  const kept = members.flatMap(({ name, value }) => {
    if (names.chain !== null && "variable" in names.chain && name === names.chain.variable) return [];
    const other = names.variables.get(name) ?? name;
    const type = compiled.find((one) => one.name === other)?.type ?? "";
    const shown = level === "call" || !isTyped(call.module) ? value : cast(value, type);
    return [other === shown ? other : `${other}: ${shown}`];
  });
  return kept.length === 0 ? "{}" : `{ ${kept.join(", ")} }`;
}

/** Asserts that a text is an address: the client checks it. */
function cast(value: string, type: string): string {
  if (!/\bBytes\b/.test(type)) return value;
  const own = parenthesize(value);
  return type.startsWith("[") ? `${own} as readonly \`0x\${string}\`[]` : `${own} as \`0x\${string}\``;
}

function parenthesize(value: string): string {
  return /^[\w.?"'`\d]+$/.test(value) ? value : `(${value})`;
}

/** Renames the keys with which the code reads an answer; null if it reads them in another way. */
function renameKeys(
  { node, isBare, module: { path, file } }: DocumentCall,
  keys: ReadonlyMap<string, string>,
): Edit[] | null {
  if (keys.size === 0 || !isBare) return [];
  const compiler = loadCompiler();
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
  visitNodes(compiler, parent.parent.parent.parent, (one) => {
    if (!compiler.isPropertyAccessExpression(one) || !compiler.isIdentifier(one.expression)) return;
    if (one.expression.text === name.text) edits.push(...renameName(one.name));
  });
  return edits;

  function renameName(member: ts.MemberName): Edit[] {
    const other = keys.get(member.text);
    return other === undefined ? [] : [{ path, start: member.getStart(file), end: member.end, text: other }];
  }
}
