import { type ConstDirectiveNode, type ConstValueNode, Kind } from "graphql";
import { rootFieldNames } from "../names.ts";
import { type AuthoredTypes, argumentOf, baseTypeOf, fieldOf, lineOf } from "./authored-types.ts";
import type { EntityProblem } from "./entity-problem.ts";

/** Checks that the type `_Schema_` has nothing but searches (A.2). */
export function checkSearchType({ searches }: AuthoredTypes): EntityProblem[] {
  if (searches === undefined) return [];
  const problems: EntityProblem[] = [];
  const line = lineOf(searches);
  if (searches.fields?.length) {
    problems.push({
      reason: "_Schema_ type is only for @fulltext and must not have any fields",
      line,
    });
  }
  if (searches.directives?.some((directive) => directive.name.value !== "fulltext")) {
    problems.push({ reason: "The _Schema_ type only allows @fulltext directives", line });
  }
  return problems;
}

/** Checks the searches that the type `_Schema_` declares (A.2). */
export function checkFulltext(types: AuthoredTypes): EntityProblem[] {
  const problems: EntityProblem[] = [];
  const directives = (types.searches?.directives ?? []).filter(
    (directive) => directive.name.value === "fulltext",
  );
  for (const directive of directives) {
    const reasons = [
      findNameProblem(directive, directives, types),
      findChoiceProblem(directive, "language", LANGUAGES),
      findChoiceProblem(directive, "algorithm", ALGORITHMS),
      findIncludeProblem(directive, types),
    ];
    for (const reason of reasons) if (reason !== null) problems.push({ reason, line: lineOf(directive) });
  }
  return problems;
}

function findNameProblem(
  directive: ConstDirectiveNode,
  all: readonly ConstDirectiveNode[],
  { entities }: AuthoredTypes,
): string | null {
  const name = stringArgument(directive, "name");
  if (name === null) return "Fulltext directive name undefined";
  const taken = entities.some((entity) =>
    entity.fields?.some((field) => {
      const { singular, plural } = rootFieldNames(field.name.value, { collectionSuffix: true });
      return [field.name.value, singular, plural].includes(name);
    }),
  );
  if (taken) {
    return `Fulltext directive name overlaps with an existing entity field or a top-level query field: ${name}`;
  }
  if (all.filter((other) => stringArgument(other, "name") === name).length > 1) {
    return `Fulltext directive name overlaps with type: ${name}`;
  }
  return null;
}

function findChoiceProblem(
  directive: ConstDirectiveNode,
  argument: "language" | "algorithm",
  choices: ReadonlySet<string>,
): string | null {
  const value = argumentOf(directive, argument);
  if (value?.kind !== Kind.ENUM) return `Fulltext ${argument} is undefined`;
  return choices.has(value.value) ? null : `Fulltext ${argument} is invalid: ${value.value}`;
}

function findIncludeProblem(directive: ConstDirectiveNode, { entities }: AuthoredTypes): string | null {
  const includes = argumentOf(directive, "include");
  if (includes?.kind !== Kind.LIST || includes.values.length === 0) {
    return "Fulltext directive requires an 'include' list";
  }
  for (const include of includes.values) {
    if (include.kind !== Kind.OBJECT) return "Fulltext 'include' list must contain an object";
    const entityName = member(include, "entity");
    const fields = member(include, "fields");
    if (entityName?.kind !== Kind.STRING || fields?.kind !== Kind.LIST) return BAD_INCLUDE;
    const entity = entities.find((node) => node.name.value === entityName.value);
    if (entity === undefined) {
      return "Fulltext directive includes an entity not found on the subgraph schema";
    }
    for (const entry of fields.values) {
      if (entry.kind !== Kind.OBJECT) return BAD_INCLUDE;
      const name = member(entry, "name");
      if (name?.kind !== Kind.STRING) return "Fulltext include field must have a 'name' attribute";
      const field = fieldOf(entity, name.value);
      if (field === undefined || !["String", "ID"].includes(baseTypeOf(field))) {
        return `Fulltext entity field, ${name.value}, not found or not a string`;
      }
    }
  }
  return null;
}

function stringArgument(directive: ConstDirectiveNode, name: string): string | null {
  const value = argumentOf(directive, name);
  return value?.kind === Kind.STRING ? value.value : null;
}

function member(
  object: Extract<ConstValueNode, { readonly kind: Kind.OBJECT }>,
  name: string,
): ConstValueNode | undefined {
  return object.fields.find((field) => field.name.value === name)?.value;
}

const BAD_INCLUDE = "Fulltext 'include' object must contain 'entity' (String) and 'fields' (List) attributes";

const ALGORITHMS: ReadonlySet<string> = new Set(["rank", "proximityRank"]);

const LANGUAGES: ReadonlySet<string> = new Set([
  ...["simple", "da", "nl", "en", "fi", "fr", "de", "hu"],
  ...["it", "no", "pt", "ro", "ru", "es", "sv", "tr"],
]);
