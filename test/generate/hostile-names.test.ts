import { transform } from "esbuild";
import fc from "fast-check";
import { buildSchema, parse, validate } from "graphql";
import { expect, it } from "vitest";
import { emitJavaScript } from "../../src/generate/format-files.ts";
import { generateFrom } from "../support/generate-from.ts";
import { COMPILERS, IS_THOROUGH } from "../support/is-thorough.ts";
import { tempProject } from "../support/temp-project.ts";
import { STRICT, typeErrors } from "../support/type-errors.ts";

const SCHEMAS = IS_THOROUGH ? 200 : 8;

/** Names with a meaning in TypeScript, on JavaScript objects, or in generated code. */
const NAMES = `
  any as async await bigint boolean break case catch class const constructor continue debugger default
  delete do else enum export extends false finally for from function get if implements import in infer
  instanceof interface intrinsic is keyof let module namespace never new null number object of out package
  private protected public readonly require return satisfies set static string super switch symbol this
  throw true try type typeof undefined unique unknown using var void while with yield abstract accessor
  arguments asserts declare defer eval exports global override Array ArrayLike Boolean Date Function Map
  Number Object Partial Promise Record Set String Symbol OptionalVariables TypedDocumentNode TypedString
  OptionalVariables_ string_ _ _a a A A_ B hasOwnProperty isPrototypeOf prototype toString valueOf
  __proto__ __typename __defineGetter__ AQuery AQueryVariables ADocument ARow AFragment AFragmentDoc
  AAllRow AnyDocument AnyQuery
`
  .trim()
  .split(/\s+/);
/** Without names that begin with two underscores, which are invalid, and those of standard scalars. */
const TYPE_NAMES = NAMES.filter((name) => !/^(__.*|Boolean|String|Int|Float|ID)$/.test(name));

it("any names in schemas and operations give TypeScript that compiles, and equal JavaScript", async () => {
  const project = tempProject({
    "package.json": '{ "type": "module" }',
    "tsconfig.json": JSON.stringify({ compilerOptions: STRICT, include: ["**/*.ts"] }),
  });
  const given = [...allNames(), ...fc.sample(hostileSets(), SCHEMAS)];
  for (const [index, set] of given.entries()) {
    const { types, documents, strings } = await generateFrom(set);
    const modules = { subgraph: types, "subgraph.documents": documents, "subgraph.strings": strings };
    for (const [name, text] of Object.entries(modules)) {
      project.write(`${index}/${name}.ts`, text);
      const [module, declarations] = emitJavaScript(`${index}/js/${name}`, text);
      for (const file of [module, declarations]) project.write(file?.path ?? "", file?.content ?? "");
      expect(await minify(module?.content ?? "", "js")).toBe(await minify(text, "ts"));
    }
    project.write(`${index}/set.graphql`, `${set.sdl}\n${set.operations}`);
  }
  for (const compiler of COMPILERS) {
    expect(await typeErrors(project.root, { compiler }), compiler).toBe("");
  }
}, 300_000);

/** Minifies a module, without its types. */
async function minify(text: string, loader: "js" | "ts"): Promise<string> {
  const { code } = await transform(text, {
    loader,
    minifyWhitespace: true,
    minifySyntax: true,
    format: "esm",
  });
  return code;
}

type NamedSet = { readonly sdl: string; readonly operations: string };

/** Every name, once as an enum and once as an input type, used in every place of a type. */
function allNames(): NamedSet[] {
  const names = TYPE_NAMES.filter((name) => name !== "B");
  const operations = names
    .map((name, at) => `query A${at}($a: ${name}, $b: [${name}!]!) { all: b${at}(a: $a, b: $b) { a${at} } }`)
    .join("\n");
  const query = `type Query { ${names.map((name, at) => `b${at}(a: ${name}, b: [${name}!]): [B!]!`).join(" ")} }`;
  const results = (type: (name: string) => string) =>
    `type B { ${names.map((name, at) => `a${at}: ${type(name)}`).join(" ")} }`;
  const enums = names.map((name) => `enum ${name} { a b }`).join(" ");
  const inputs = names.map((name) => `input ${name} { ${name}: [${name}!] b: Int = 1 }`).join(" ");
  return [
    { sdl: `${enums} ${results((name) => name)} ${query}`, operations },
    { sdl: `${inputs} ${results(() => "Int")} ${query}`, operations },
  ];
}

/** A schema of enums, input types, objects and fields with hostile names, and operations that use all of them. */
function hostileSets(): fc.Arbitrary<NamedSet> {
  const names = (from: readonly string[], count: number) =>
    fc.uniqueArray(fc.constantFrom(...from), { minLength: count, maxLength: count });
  return fc
    .record({
      types: names(TYPE_NAMES, 8),
      members: names(NAMES, 6),
      operations: names([...NAMES, "A", "Any", "AAll", "B"], 4),
      fragments: names([...NAMES, "A"], 2),
      values: names(
        NAMES.filter((name) => !/^(true|false|null)$/.test(name)),
        3,
      ),
    })
    .map(({ types, members, operations, fragments, values }) => {
      const [enumA, enumB, inputA, inputB, objectA, objectB, union, face] = types;
      const [a, b, c, d, e, f] = members;
      const [one, two, three, four] = operations;
      const [first, second] = fragments;
      const sdl = `
        type Query { ${a}(${b}: ${inputA}, ${c}: [${enumA}!], ${d}: ${inputB}): [${objectA}!]! ${b}: ${union} ${c}: ${face} ${d}: [${enumB}] }
        enum ${enumA} { ${values.join(" ")} }
        enum ${enumB} { ${values[0]} }
        input ${inputA} { ${a}: ${enumA}! ${b}: ${inputB} ${c}: [${inputA}!] ${d}: Int! = 1 }
        input ${inputB} { ${a}: ${enumB} ${e}: ${inputA} }
        interface ${face} { ${f}: ID }
        type ${objectA} implements ${face} { ${a}: ${enumA} ${b}: ${objectB} ${f}: ID }
        type ${objectB} implements ${face} { ${a}: ${enumB} ${f}: ID ${e}: [${objectA}] }
        union ${union} = ${objectA} | ${objectB}`;
      const text = `
        query ${one}($a: ${inputA}, $${b}: [${enumA}!], $${c}: ${inputB}!) { ${a}(${b}: $a, ${c}: $${b}, ${d}: $${c}) { ...${first} } }
        query ${two}($${e}: ${inputB} = {}) { all: ${a}(${d}: $${e}) { ${f} ${a} } ${b} { ... on ${objectA} { ${b} { ${e} { ${a} } } } ...${second} } }
        query ${three} { ${d} ${c} { __typename ${f} } }
        query ${four} { ${a} { ${a} } all: ${a} { ${f} } }
        fragment ${first} on ${objectA} { ${b} { ${a} ${f} } }
        fragment ${second} on ${face} { ${f} }`;
      return { sdl, operations: text };
    })
    .filter(({ sdl, operations }) => {
      try {
        return (
          validate(buildSchema(sdl, { assumeValidSDL: true, assumeValid: true }), parse(operations))
            .length === 0
        );
      } catch {
        // `fragment on`, an enum value `true`, …
        return false;
      }
    });
}
