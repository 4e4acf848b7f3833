import { UsageError } from "../base/errors.ts";
import { nearestNames } from "../base/text.ts";
import { selectedSurfaces } from "../dialects/surface.ts";
import { openProject, type ProjectOptions } from "../project/load-project.ts";
import { openWorkspace, requireSnapshot, type Workspace } from "../workspace/workspace.ts";
import { describeProtocol } from "./describe/describe-protocol.ts";
import type {
  DescribedData,
  DescribedEntity,
  DescribedEnum,
  DescribedField,
  ProtocolData,
} from "./describe/described-data.ts";

/** Describes the data of a project: see `describe` of `src/index.ts`. */
export async function describe(options: DescribeOptions): Promise<DescribedData> {
  const { subject = null } = options;
  if (subject?.trim() === "") {
    throw new UsageError({
      sentence: "The name or word must not be empty.",
      hint: "leave it out for the list of entities.",
    });
  }
  const data = await describeProtocols(openWorkspace(await openProject(options)));
  return subject === null ? { match: "all", ...data, nearest: [] } : select(data, subject);
}

/** The options of `describe`. */
export type DescribeOptions = Pick<ProjectOptions, "cwd" | "config" | "protocols"> & {
  /** An entity, an enum, a field as `Stream.sender`, or a word to search names and descriptions for. @default all entities */
  readonly subject?: string | undefined;
};

/**
 * Describes all data of the selected protocols of a project.
 *
 * @throws SchemaError for a missing or unreadable snapshot.
 */
export async function describeProtocols(workspace: Workspace): Promise<ProtocolData> {
  const surfaces = selectedSurfaces(workspace.project);
  const protocols = [...new Set(surfaces.map(({ protocol }) => protocol))];
  const described: ProtocolData[] = [];
  for (const protocol of protocols) {
    const snapshots = surfaces
      .filter((surface) => surface.protocol === protocol)
      .map((surface) => requireSnapshot(workspace, surface));
    described.push(await describeProtocol(workspace, protocol, snapshots));
  }
  return {
    entities: described.flatMap(({ entities }) => entities),
    enums: described.flatMap(({ enums }) => enums),
  };
}

/** Selects the entities, fields and enums that a subject names, or that have it in their names and descriptions. */
function select(data: ProtocolData, subject: string): DescribedData {
  const entities = data.entities.filter(({ name }) => name === subject);
  if (entities.length > 0) return describeMatch("entity", data, { entities, enums: [] });
  const fields = pickFields(data, (field, entity) => `${entity.name}.${field.name}` === subject);
  if (fields.length > 0) return describeMatch("field", data, { entities: fields, enums: [] });
  const enums = data.enums.filter(({ name }) => name === subject);
  if (enums.length > 0) {
    const users = pickFields(data, (field, { protocol }) =>
      enums.some((enumeration) => enumeration.protocol === protocol && enumeration.name === field.enum),
    );
    return describeMatch("enum", data, { entities: users, enums });
  }
  const word = subject.toLowerCase();
  const isHit = (item: Named) =>
    [item.name, item.description].some((text) => text?.toLowerCase().includes(word));
  const hits = pickFields(data, isHit, isHit);
  const enumHits = data.enums.filter((enumeration) => isHit(enumeration) || enumeration.members?.some(isHit));
  const isFound = hits.length > 0 || enumHits.length > 0;
  return {
    match: "word",
    entities: hits,
    enums: enumHits,
    nearest: isFound ? [] : findNearest(data, subject),
  };
}

type Named = { readonly name: string; readonly description: string | null };

/** Returns the entities that are selected, or have selected fields, with only these fields. */
function pickFields(
  { entities }: ProtocolData,
  isField: (field: DescribedField, entity: DescribedEntity) => boolean,
  isEntity: (entity: DescribedEntity) => boolean = () => false,
): DescribedEntity[] {
  return entities
    .map((entity) => ({
      ...entity,
      isSelected: isEntity(entity),
      fields: entity.fields.filter((field) => isField(field, entity)),
    }))
    .filter(({ isSelected, fields }) => isSelected || fields.length > 0);
}

function describeMatch(
  match: DescribedData["match"],
  data: ProtocolData,
  { entities, enums }: ProtocolData,
): DescribedData {
  const isUsed = ({ protocol, name }: DescribedEnum) =>
    entities.some(
      (entity) => entity.protocol === protocol && entity.fields.some((field) => field.enum === name),
    );
  return {
    match,
    entities,
    enums: data.enums.filter((enumeration) => enums.includes(enumeration) || isUsed(enumeration)),
    nearest: [],
  };
}

/** Finds similar names: fields of an entity for `Stream.sendr`, fields of any entity for `Stram.sender`, else any names. */
function findNearest({ entities, enums }: ProtocolData, subject: string): string[] {
  const [start = "", field] = subject.split(".");
  const nearest = (text: string, names: readonly string[]) =>
    nearestNames(text, new Set(names), MOST_NEAREST);
  const fieldNames = ({ fields }: DescribedEntity) => fields.map(({ name }) => name);
  const ofName = entities.filter(({ name }) => name === start);
  if (field !== undefined && ofName.length > 0) {
    return nearest(field, ofName.flatMap(fieldNames)).map((name) => `${start}.${name}`);
  }
  const names =
    field === undefined
      ? [
          ...entities.flatMap((entity) => [entity.name, ...fieldNames(entity)]),
          ...enums.map(({ name }) => name),
        ]
      : entities.flatMap((entity) => fieldNames(entity).map((name) => `${entity.name}.${name}`));
  return nearest(subject, names);
}

const MOST_NEAREST = 5;
