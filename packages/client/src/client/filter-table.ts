/** What the columns of an entity hold, by name: see `readValue`, and besides them `e` enums and `t` timestamps. */
// `>` is a reference, `[` a list of what follows; `?` says that the name itself reads as an operator.
export type Columns = Readonly<Record<string, string>>;

/** What rows of an entity can be filtered and ordered by in both styles. */
export type FilterTable<Where = never, Mapped = unknown> = {
  readonly columns: Columns;
  /** The columns of related entities, by the field that leads to them. */
  readonly related: Readonly<Record<string, Columns>>;
  /** A table with ids that the styles write differently is for `mapIdFilter`. */
  readonly ids?: undefined;
  /** Is never there: it only holds the types. */
  readonly __types?: (where: Where) => Mapped;
};
