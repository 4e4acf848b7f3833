/** A number of a JSON text that no JavaScript number stands for, as it was written: `1e400`, or thirty digits. */
export class JsonNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
