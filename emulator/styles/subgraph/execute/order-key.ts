/** By what a collection is ordered, ascending; ties are by `id`. */
export type OrderKey = {
  readonly field: string;
  /** For `ref__f`, the field of the referred entity. */
  readonly child: string | null;
  /** The scalar of the values. */
  readonly valueType: string;
};
