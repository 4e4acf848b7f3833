type Child = Node | string | null | false | undefined;

type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Creates an element. What is text stays text: nothing here, or anywhere on the page, parses markup. */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  return fill(document.createElement(name), attributes, children);
}

/** Creates an element of a drawing. */
export function svg(name: "svg" | "polyline", attributes: Attributes, ...children: readonly Child[]) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== false && child !== undefined));
  return element;
}

/** Words that only screen readers tell. */
export function hidden(text: string): HTMLElement {
  return el("span", { class: "sr" }, text);
}

/** Plural words for a number: `1 finding`, `2 findings`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${group(number)} ${number === 1 ? one : many}`;
}

/** A number in groups of three digits, whatever the language of the browser is. */
export function group(number: number): string {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}
