import type { DerivedNames } from "../style.ts";

/** Names root fields as graph-node does. Since 0.35, a plural that equals its singular ends in `_collection`. */
export function rootFieldNames(
  typeName: string,
  { collectionSuffix }: { readonly collectionSuffix: boolean },
): { readonly singular: string; readonly plural: string } {
  const singular = camelCase(typeName);
  const plural = camelCase(pluralize(typeName));
  if (plural === singular && collectionSuffix) return { singular, plural: `${singular}_collection` };
  return { singular, plural };
}

/** Converts a name to the camel case of graph-node: `UniswapV3s` gives `uniswapV3S`, `LPToken` gives `lptoken`. */
function camelCase(name: string): string {
  let result = "";
  let newWord = false;
  let last = "";
  for (const character of name) {
    if (!/[A-Za-z0-9]/.test(character)) {
      newWord = result !== "";
    } else if (/[0-9]/.test(character)) {
      result += character;
      newWord = true;
    } else if (newWord || (/[a-z]/.test(last) && /[A-Z]/.test(character))) {
      result += character.toUpperCase();
      newWord = false;
    } else {
      result += character.toLowerCase();
      last = character;
    }
  }
  return result;
}

/** Forms the plural like graph-node's library, including its mistakes: `Person` is regular, `Salesperson` is not. */
export function pluralize(name: string): string {
  if (UNCOUNTABLE_WORDS.has(name)) return name;
  const irregular = IRREGULAR.get(name);
  if (irregular !== undefined) return irregular;
  for (const [ending, plural] of ENDINGS) {
    if (ending.test(name)) return name.replace(ending, plural);
  }
  return `${name}s`;
}

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ["ox", "oxen"],
  ["man", "men"],
  ["woman", "women"],
  ["die", "dice"],
  ["yes", "yeses"],
  ["foot", "feet"],
  ["eave", "eaves"],
  ["goose", "geese"],
  ["tooth", "teeth"],
  ["quiz", "quizzes"],
]);

/** The plurals by ending. The first match wins; `$1` is the part of the ending that stays. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/(eaux)$/, "$1"],
  [/(child)(?:ren)?$/, "$1ren"],
  // The library keeps the whole word here and in the next row: `Salespersonople`, `Sliceice`.
  [/(person|people)$/, "$1ople"],
  [/((?:m|l)(?:ice|ouse))$/, "$1ice"],
  [/(matr|cod|mur|sil|vert|ind|append)(?:ix|ex)$/, "$1ices"],
  [/(x|ch|ss|sh|zz)$/, "$1es"],
  [/((?:x|ch|ss|sh|zz)es)$/, "$1"],
  [/([^ch][ieo][ln])ey$/, "$1ies"],
  [/([^aeiouy]|qu)y$/, "$1ies"],
  [/(ar|l|ea|eo|oa|hoo)f$/, "$1ves"],
  [/(kni|wi|li)fe$/, "$1ves"],
  [/()sis$/, "$1ses"],
  [
    /(apheli|hyperbat|periheli|asyndet|noumen|phenomen|criteri|organ|prolegomen|hedr|automat)(?:a|on)$/,
    "$1a",
  ],
  [
    /(agend|addend|millenni|dat|extrem|bacteri|desiderat|strat|candelabr|errat|ov|symposi|curricul|automat|quor)(?:a|um)$/,
    "$1a",
  ],
  [/((?:her|at|gr)o)$/, "$1es"],
  [/(seraph|cherub)(?:im)?$/, "$1im"],
  [/(alumn|alg|vertebr)(?:a|ae)$/, "$1ae"],
  [/(alumn|syllab|octop|vir|radi|nucle|fung|cact|stimul|termin|bacill|foc|uter|loc|strat)(?:us|i)$/, "$1i"],
  [/([^l]ias|[aeiou]las|[emjzr]as|[iu]am)$/, "$1"],
  [/(e[mn]u)s?$/, "$1s"],
  [/(alias|[^aou]us|tlas|gas|ris)$/, "$1es"],
  [/(ax|test)is$/, "$1es"],
  [/([^aeiou]ese)$/, "$1"],
  [/(s)$/, "$1"],
];

/** Words without a plural in the library. They are case-sensitive, so capitalised type names never match. */
const UNCOUNTABLE_WORDS: ReadonlySet<string> = new Set(
  `
  accommodation adulthood advertising advice aggression aid air aircraft alcohol anger applause arithmetic assistance
  athletics bacon baggage beef biology blood botany bread butter carbon cardboard cash chalk chaos chess crossroads
  countryside dancing deer dignity dirt dust economics education electricity engineering enjoyment envy equipment ethics
  evidence evolution fame fiction flour flu food fuel fun furniture gallows garbage garlic genetics gold golf gossip
  grammar gratitude grief guilt gymnastics happiness hardware harm hate hatred health heat help homework honesty honey
  hospitality housework humour hunger hydrogen ice importance inflation information innocence iron irony jam jewelry
  judo karate knowledge lack laughter lava leather leisure lightning linguine linguini linguistics literature litter
  livestock logic loneliness luck luggage macaroni machinery magic management mankind marble mathematics mayonnaise
  measles methane milk money mud music mumps nature news nitrogen nonsense nurture nutrition obedience obesity oxygen
  pasta patience physics poetry pollution poverty pride psychology publicity punctuation quartz racism relaxation
  reliability research respect revenge rice rubbish rum safety scenery seafood seaside series shame sheep shopping sleep
  smoke smoking snow soap software soil spaghetti species steam stuff stupidity sunshine symmetry tennis thirst thunder
  timber traffic transportation trust underwear unemployment unity validity veal vegetation vegetarianism vengeance
  violence vitality warmth wealth weather welfare wheat wildlife wisdom yoga zinc zoology
`
    .trim()
    .split(/\s+/),
);

/** Renames the filter, the order and the two root fields of an entity. */
export const renameSubgraph: DerivedNames = (from, to) => {
  const types = new Map(["", "_filter", "_orderBy"].map((suffix) => [from + suffix, to + suffix]));
  const fields = new Map<string, string>();
  for (const collectionSuffix of [false, true]) {
    const [was, is] = [from, to].map((name) => rootFieldNames(name, { collectionSuffix }));
    if (was === undefined || is === undefined) continue;
    fields.set(was.plural, is.plural);
    fields.set(was.singular, is.singular);
  }
  return { type: (name) => types.get(name) ?? null, rootField: (name) => fields.get(name) ?? null };
};
