import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import type {
  ClassDeclaration,
  FunctionDeclaration,
  JSDocableNode,
  Node as MorphNode,
  PropertySignature,
  SourceFile,
  TypeAliasDeclaration,
  TypeNode,
} from "ts-morph";
import { parseTsdoc, type Tsdoc } from "./parse-tsdoc.ts";

// An import would first search nine megabytes of compiler for export names.
const { Node, Project, SyntaxKind }: typeof import("ts-morph") = createRequire(import.meta.url)("ts-morph");

/** The public declarations of one entry of the package. */
export type Page = {
  /** The import path: `lockflow/emulator`. */
  readonly entry: string;
  /** The page's file name: `emulator.md`. */
  readonly file: string;
  /** What its `@packageDocumentation` says. */
  readonly doc: Tsdoc;
  /** The described declarations: exports first, then the types that they name. */
  readonly items: readonly Item[];
  /** Exports that are described on another page. */
  readonly elsewhere: readonly string[];
};

export type Item = {
  readonly name: string;
  readonly exported: boolean;
  readonly doc: Tsdoc;
} & (
  | { readonly kind: "function"; readonly parameters: readonly Member[]; readonly returns: TypeText }
  | { readonly kind: "object"; readonly bases: readonly TypeText[]; readonly members: readonly Member[] }
  | { readonly kind: "variants"; readonly bases: readonly TypeText[]; readonly variants: readonly Variant[] }
  | { readonly kind: "alias"; readonly type: TypeText }
  | { readonly kind: "errors"; readonly members: readonly Member[]; readonly errors: readonly ErrorClass[] }
);

export type Member = {
  readonly name: string;
  readonly optional: boolean;
  readonly type: TypeText;
  readonly doc: Tsdoc;
};

/** One type of a union with its own `kind`. */
export type Variant = { readonly kind: string; readonly members: readonly Member[]; readonly doc: Tsdoc };

/** A class of errors, and the codes its errors have. */
export type ErrorClass = { readonly name: string; readonly codes: readonly string[]; readonly doc: Tsdoc };

/** A type as it is written, and the described declarations it names. */
export type TypeText = { readonly text: string; readonly names: readonly string[] };

/**
 * Reads what the package exports, out of its sources.
 *
 * @param root the folder of the repository.
 * @param entries the source of each entry: `{ "lockflow/emulator": "emulator/index.ts" }`.
 */
export function readReference(root: string, entries: Readonly<Record<string, string>>): Page[] {
  // Names are looked up in what is written: asking the compiler would take all of the sources, and seconds.
  const project = new Project({ skipAddingFilesFromTsConfig: true, skipFileDependencyResolution: true });
  const sources = Object.entries(entries).map(([entry, path]) => {
    const file = project.addSourceFileAtPath(join(root, path));
    return { entry, doc: docOfModule(file), exports: exportsOf(file) };
  });
  const errors = project.addSourceFilesAtPaths(join(root, "src/base/errors/*.ts"));
  const described = new Set<MorphNode>();
  // The entries for one purpose come before the one for everybody, which has some of their exports too.
  const pages = sources.reverse().map(({ exports, ...source }) => {
    const here = exports.filter((declaration) => !described.has(declaration));
    for (const declaration of here) described.add(declaration);
    return { ...source, exports, here };
  });
  return pages.reverse().map(({ entry, doc, exports, here }) => {
    const queue = [...here];
    const items: Item[] = [];
    // The list grows while it is read: by what its declarations name.
    for (const [index, declaration] of queue.entries()) {
      const variants = variantsOf(declaration);
      items.push(readItem(declaration, index < here.length, variants, errors));
      for (const named of (variants.length > 0 ? variants : [declaration]).flatMap(namesIn)) {
        if (described.has(named)) continue;
        described.add(named);
        queue.push(named);
      }
    }
    return {
      entry,
      file: `${basename(entry)}.md`,
      doc,
      items,
      elsewhere: exports
        .filter((declaration) => !here.includes(declaration))
        .map((declaration) => nameOf(declaration)),
    };
  });
}

type Declaration = FunctionDeclaration | ClassDeclaration | TypeAliasDeclaration;

function exportsOf(file: SourceFile): Declaration[] {
  const own = [...file.getFunctions(), ...file.getClasses(), ...file.getTypeAliases()];
  const declarations = [
    ...own.filter((declaration) => declaration.hasExportKeyword()),
    ...file.getExportDeclarations().flatMap((link) =>
      link.getNamedExports().map((name) => {
        const found = findDeclaration(name.getName(), file);
        if (found) return found;
        throw new Error(`The reference does not know how to describe ${name.getName()}.`);
      }),
    ),
  ];
  const values = declarations.filter((declaration) => !Node.isTypeAliasDeclaration(declaration));
  return [...values, ...declarations.filter((declaration) => !values.includes(declaration))];
}

/** What a name stands for in a file of ours, wherever it is declared. */
function findDeclaration(name: string, file: SourceFile): Declaration | undefined {
  const own = file.getFunction(name) ?? file.getClass(name) ?? file.getTypeAlias(name);
  if (own) return own;
  const links = [
    ...file.getImportDeclarations().map((link) => ({ link, names: link.getNamedImports() })),
    ...file.getExportDeclarations().map((link) => ({ link, names: link.getNamedExports() })),
  ];
  const named = links.filter(({ names }) => names.some((each) => each.getName() === name)).slice(0, 1);
  const all = file.getExportDeclarations().filter((link) => link.isNamespaceExport());
  for (const link of [...named.map((one) => one.link), ...all]) {
    const path = link.getModuleSpecifierValue();
    if (!path?.startsWith(".")) continue;
    const target = file.getProject().addSourceFileAtPath(join(dirname(file.getFilePath()), path));
    const found = findDeclaration(name, target);
    if (found) return found;
  }
  return undefined;
}

function nameOf(declaration: Declaration): string {
  return declaration.getName() ?? "default";
}

function readItem(
  declaration: Declaration,
  exported: boolean,
  variants: readonly TypeAliasDeclaration[],
  errors: readonly SourceFile[],
): Item {
  const common = { name: nameOf(declaration), exported, doc: docOf(declaration) };
  if (Node.isFunctionDeclaration(declaration)) {
    const parameters = declaration.getParameters().map((parameter) => ({
      name: parameter.getName(),
      optional: parameter.isOptional(),
      type: typeText(parameter.getTypeNodeOrThrow()),
      doc: parseTsdoc(common.doc.parameters.get(parameter.getName()) ?? ""),
    }));
    return {
      ...common,
      kind: "function",
      parameters,
      returns: typeText(declaration.getReturnTypeNodeOrThrow()),
    };
  }
  if (Node.isClassDeclaration(declaration)) {
    const members = declaration.getProperties().map((property) => ({
      name: property.getName(),
      optional: property.hasQuestionToken(),
      type: typeText(constraintOf(property.getTypeNodeOrThrow(), declaration)),
      doc: docOf(property),
    }));
    return { ...common, kind: "errors", members, errors: errorsOf(common.name, errors) };
  }
  if (variants.length > 0) {
    const [first] = variants;
    const bases = first === undefined ? [] : partsOf(first).bases;
    return { ...common, kind: "variants", bases: bases.map(typeText), variants: variants.map(readVariant) };
  }
  const { bases, members } = partsOf(declaration);
  if (members.length === 0)
    return { ...common, kind: "alias", type: typeText(declaration.getTypeNodeOrThrow()) };
  return { ...common, kind: "object", bases: bases.map(typeText), members: members.map(readMember) };
}

/** The types of a union whose members all have a `kind`. */
function variantsOf(declaration: Declaration): TypeAliasDeclaration[] {
  if (!Node.isTypeAliasDeclaration(declaration)) return [];
  const union = declaration.getTypeNode();
  if (!Node.isUnionTypeNode(union)) return [];
  const types = union.getTypeNodes();
  const aliases = types.flatMap((type) => (Node.isTypeReference(type) ? namesOf(type) : []));
  const variants = aliases
    .filter((alias) => Node.isTypeAliasDeclaration(alias))
    .filter((alias) => partsOf(alias).members.some((member) => member.getName() === "kind"));
  return variants.length === types.length ? variants : [];
}

function readVariant(declaration: TypeAliasDeclaration): Variant {
  const { members } = partsOf(declaration);
  const kind = members.find((member) => member.getName() === "kind");
  return {
    kind: kind?.getTypeNodeOrThrow().getText() ?? "",
    members: members.filter((member) => member !== kind).map(readMember),
    doc: docOf(declaration),
  };
}

/** An object type and those it adds to: `Base & { … }`. */
function partsOf(declaration: TypeAliasDeclaration): {
  readonly bases: readonly TypeNode[];
  readonly members: readonly PropertySignature[];
} {
  const node = declaration.getTypeNodeOrThrow();
  const parts = Node.isIntersectionTypeNode(node) ? node.getTypeNodes() : [node];
  return {
    bases: parts.filter((part) => !Node.isTypeLiteral(part)),
    members: parts.flatMap((part) => (Node.isTypeLiteral(part) ? part.getProperties() : [])),
  };
}

function readMember(member: PropertySignature): Member {
  return {
    name: member.getName(),
    optional: member.hasQuestionToken(),
    type: typeText(member.getTypeNodeOrThrow()),
    doc: docOfMember(member),
  };
}

/** A member that has nothing to add says what its type says first. */
function docOfMember(member: PropertySignature): Tsdoc {
  const own = docOf(member);
  const type = member.getTypeNodeOrThrow();
  const [named] = Node.isTypeReference(type) ? namesOf(type) : [];
  if (own.text !== "" || named === undefined) return own;
  return { ...own, text: /^[\s\S]*?\.(?=\s|$)/.exec(docOf(named).text)?.[0] ?? "" };
}

/** A type, or what a parameter of a class that it names extends. */
function constraintOf(type: TypeNode, declaration: ClassDeclaration): TypeNode {
  return declaration.getTypeParameter(type.getText())?.getConstraint() ?? type;
}

function errorsOf(base: string, files: readonly SourceFile[]): ErrorClass[] {
  return files
    .flatMap((file) => file.getClasses())
    .filter((declaration) => declaration.getExtends()?.getExpression().getText() === base)
    .map((declaration) => ({
      name: declaration.getNameOrThrow(),
      codes: declaration
        .getSourceFile()
        .getDescendantsOfKind(SyntaxKind.StringLiteral)
        .map((literal) => literal.getLiteralText())
        .filter((text) => /^[A-Z_]+$/.test(text)),
      doc: docOf(declaration),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function docOfModule(file: SourceFile): Tsdoc {
  const comment = file.getFullText().match(/^\/\*\*([\s\S]*?)@packageDocumentation\s*\*\//)?.[1] ?? "";
  return parseTsdoc(comment.replaceAll(/^ *\* ?/gm, "").trim());
}

function docOf(node: JSDocableNode): Tsdoc {
  return parseTsdoc(node.getJsDocs().at(-1)?.getInnerText() ?? "");
}

function typeText(node: TypeNode): TypeText {
  const text = node
    .getText()
    .replace(/\s+/g, " ")
    // What may be left out may be undefined.
    .replace(/ \| undefined\b/g, "")
    .replace(/^\| /, "")
    .replace(/^\((\(.*\) => \w+)\)$/, "$1");
  return { text, names: namesOf(node).map(nameOf) };
}

/** The declarations that a signature names; bodies are not read. */
function namesIn(declaration: Declaration): Declaration[] {
  if (Node.isTypeAliasDeclaration(declaration)) return namesOf(declaration.getTypeNodeOrThrow());
  if (Node.isClassDeclaration(declaration))
    return declaration.getProperties().flatMap((property) => namesOf(property.getTypeNodeOrThrow()));
  const parameters = declaration.getParameters().map((parameter) => parameter.getTypeNodeOrThrow());
  return [...parameters, declaration.getReturnTypeNodeOrThrow()].flatMap(namesOf);
}

/** The declarations of ours that the types below a node name, each once. */
function namesOf(node: MorphNode): Declaration[] {
  const found = node.getDescendantsOfKind(SyntaxKind.TypeReference);
  const types = Node.isTypeReference(node) ? [node, ...found] : found;
  const file = node.getSourceFile();
  const declarations = types.map((type) => findDeclaration(type.getTypeName().getText(), file));
  return [...new Set(declarations.filter((each) => each !== undefined))];
}
