import {
  type DirectiveLocation,
  GraphQLDirective,
  GraphQLEnumType,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLNullableType,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
  GraphQLSchema,
  type GraphQLType,
  GraphQLUnionType,
  isObjectType,
  parseValue,
  specifiedDirectives,
  specifiedScalarTypes,
  valueFromASTUntyped,
} from "graphql";
import { cached, once } from "../base/collections.ts";
import {
  type ApiInputValue,
  type ApiSchema,
  type ApiType,
  indexTypes,
  isList,
  isRequired,
  itemType,
  nullableType,
} from "./api-schema.ts";

/** Creates a schema for graphql-js, lazily, because an operation uses few of thousands of types. */
export function toGraphqlSchema(schema: ApiSchema, { repeatable = true } = {}): GraphQLSchema {
  return new LazySchema(schema, repeatable);
}

type TypeMap = ReturnType<GraphQLSchema["getTypeMap"]>;
type Implementations = ReturnType<GraphQLSchema["getImplementations"]>;

/** The schema of graphql-js creates all types at once. This one creates each type on first use. */
class LazySchema extends GraphQLSchema {
  readonly #api: ApiSchema;
  readonly #repeatable: boolean;
  readonly #apiTypes: ReadonlyMap<string, ApiType>;
  readonly #types: TypeMap;
  #hasAllTypes = false;
  readonly #expressions = new Map<string, GraphQLType>();
  /** Default values by text. All lists of a platform have the same few defaults. */
  readonly #defaults = new Map<string, unknown>();
  readonly #implementations = once(() => this.#findImplementations());
  #directives: readonly GraphQLDirective[] | undefined;

  constructor(api: ApiSchema, repeatable: boolean) {
    super({ assumeValid: true });
    this.#api = api;
    this.#repeatable = repeatable;
    // The base class has created the types of introspection.
    this.#types = { ...super.getTypeMap() };
    Object.setPrototypeOf(this.#types, null);
    for (const type of specifiedScalarTypes) this.#types[type.name] = type;
    this.#apiTypes = indexTypes(api);
  }

  override getTypeMap(): TypeMap {
    if (!this.#hasAllTypes) {
      this.#hasAllTypes = true;
      for (const name of this.#apiTypes.keys()) this.getType(name);
    }
    return this.#types;
  }

  override getType(name: string): GraphQLNamedType | undefined {
    const type = this.#apiTypes.get(name);
    if (type !== undefined) this.#types[name] ??= this.#makeType(type);
    return this.#types[name];
  }

  override getQueryType(): GraphQLObjectType | undefined {
    return this.#root(this.#api.queryType);
  }

  override getMutationType(): GraphQLObjectType | undefined {
    return this.#root(this.#api.mutationType);
  }

  override getSubscriptionType(): GraphQLObjectType | undefined {
    return this.#root(this.#api.subscriptionType);
  }

  override getImplementations(type: GraphQLInterfaceType): Implementations {
    return this.#implementations().get(type.name) ?? { objects: [], interfaces: [] };
  }

  override getDirectives(): readonly GraphQLDirective[] {
    this.#directives ??= [
      ...specifiedDirectives,
      ...this.#api.directives.map(
        ({ name, description, locations, args }) =>
          new GraphQLDirective({
            name,
            description,
            // A server may have locations that this graphql-js does not know. Operations never use them.
            locations: locations as DirectiveLocation[],
            args: this.#inputs(args),
            isRepeatable: this.#repeatable,
          }),
      ),
    ];
    return this.#directives;
  }

  #root(name: string | null): GraphQLObjectType | undefined {
    const type = name === null ? undefined : this.getType(name);
    return isObjectType(type) ? type : undefined;
  }

  #findImplementations(): ReadonlyMap<string, Implementations> {
    const implementations = new Map<
      string,
      { objects: GraphQLObjectType[]; interfaces: GraphQLInterfaceType[] }
    >();
    for (const type of this.#api.types) {
      if (!("interfaces" in type)) continue;
      for (const parent of type.interfaces) {
        const implementers = cached(implementations, parent, () => ({ objects: [], interfaces: [] }));
        if (type.kind === "OBJECT") implementers.objects.push(this.#named(type.name));
        else implementers.interfaces.push(this.#named(type.name));
      }
    }
    return implementations;
  }

  #makeType(type: ApiType): GraphQLNamedType {
    const { name, description } = type;
    switch (type.kind) {
      case "SCALAR":
        return new GraphQLScalarType({ name, description });
      case "OBJECT":
      case "INTERFACE": {
        const config = {
          name,
          description,
          interfaces: () => type.interfaces.map((parent) => this.#named<GraphQLInterfaceType>(parent)),
          fields: (): GraphQLFieldConfigMap<unknown, unknown> =>
            Object.fromEntries(
              type.fields.map((field) => [
                field.name,
                {
                  type: this.#typeOf<GraphQLOutputType>(field.type),
                  description: field.description,
                  args: this.#inputs(field.args),
                  deprecationReason: field.deprecationReason,
                },
              ]),
            ),
        };
        return type.kind === "OBJECT" ? new GraphQLObjectType(config) : new GraphQLInterfaceType(config);
      }
      case "UNION":
        return new GraphQLUnionType({
          name,
          description,
          types: () => type.possibleTypes.map((member) => this.#named<GraphQLObjectType>(member)),
        });
      case "ENUM":
        return new GraphQLEnumType({
          name,
          description,
          values: () =>
            Object.fromEntries(
              type.values.map(({ name: value, description, deprecationReason }) => [
                value,
                { description, deprecationReason },
              ]),
            ),
        });
      case "INPUT_OBJECT":
        return new GraphQLInputObjectType({
          name,
          description,
          fields: () => this.#inputs(type.fields),
          isOneOf: type.oneOf === true,
        });
    }
  }

  #inputs(values: readonly ApiInputValue[]): GraphQLFieldConfigArgumentMap & GraphQLInputFieldConfigMap {
    return Object.fromEntries(
      values.map(({ name, description, type, defaultValue, deprecationReason }) => [
        name,
        {
          type: this.#typeOf<GraphQLInputType>(type),
          description,
          deprecationReason,
          defaultValue:
            defaultValue === null
              ? undefined
              : cached(this.#defaults, defaultValue, (text) => valueFromASTUntyped(parseValue(text))),
        },
      ]),
    );
  }

  /** Returns the type of an expression. Members with the same expression share one object. */
  #typeOf<T extends GraphQLType>(expression: string): T {
    return cached(this.#expressions, expression, () => {
      if (isRequired(expression)) {
        return new GraphQLNonNull(this.#typeOf<GraphQLNullableType>(nullableType(expression)));
      }
      if (isList(expression)) return new GraphQLList(this.#typeOf(itemType(expression)));
      return this.#named(expression);
    }) as T;
  }

  #named<T extends GraphQLNamedType>(name: string): T {
    const type = this.getType(name);
    // Schemas are validated when they are parsed.
    if (type === undefined) throw new TypeError(`The schema has no type "${name}".`);
    return type as T;
  }
}
