import { wellFormed } from "../../../src/base/clean-text.ts";

type Child = Node | string | null | false | undefined;

type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * Creates an element. Text stays text: nothing here, or anywhere on the page, parses markup. Every text and attribute is
 * cleaned of invisible characters and those that turn the writing direction.
 */
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
      element.setAttribute(name, clean(String(value)));
  }
  for (const child of children) {
    if (child === null || child === false || child === undefined) continue;
    element.append(typeof child === "string" ? clean(child) : child);
  }
  return element;
}

function clean(text: string): string {
  return wellFormed(text.replaceAll(UNSEEN, " "));
}

/** Control and format characters but ends of lines, which a title and the text of an operation have. */
const UNSEEN = /(?:(?!\n)[\p{Cc}\p{Cf}\u2028\u2029])+/gu;

/** Words for screen readers only. */
export function hidden(text: string): HTMLElement {
  return el("span", { class: "sr" }, text);
}

/** Plural words for a number: `1 finding`, `2 findings`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${group(number)} ${number === 1 ? one : many}`;
}

/** Formats a number in groups of three digits, independent of the language of the browser. */
export function group(number: number): string {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

/** A mark, its meaning and its number. */
export type LegendItem = {
  readonly name: string;
  readonly mark: string;
  readonly words: string;
  readonly count: number;
};

/** Renders the meanings of the marks that occur in a grid, with their numbers. */
export function renderLegend(items: readonly LegendItem[], more: readonly Node[] = []): HTMLElement {
  return el(
    "ul",
    { class: "legend", "aria-label": "Legend" },
    ...items
      .filter(({ count }) => count > 0)
      .map(({ name, mark, words, count }) =>
        el(
          "li",
          {},
          el("span", { class: `mark ${name}`, "aria-hidden": "true" }, mark),
          el("span", {}, `${words} `),
          el("b", {}, String(count)),
        ),
      ),
    ...more,
  );
}

/** Renders a command with a button that copies it. If the browser forbids that, the command is selected. */
export function renderCommand(command: string): HTMLElement {
  const code = el("code", {}, command);
  const button = el("button", { type: "button", class: "copy", "aria-label": `Copy ${command}` }, "Copy");
  button.addEventListener("click", async () => {
    const isCopied = await copy(command);
    if (!isCopied) getSelection()?.selectAllChildren(code);
    button.textContent = isCopied ? "Copied" : "Selected";
    announced.textContent = isCopied ? "Copied" : "Selected, to be copied by hand";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1500);
  });
  return el("span", { class: "command" }, code, button);
}

/** For screen readers, which do not read the changing text of a button that has a label. */
const announced = el("p", { class: "sr", role: "status" });
document.body.append(announced);

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** About as many as fit on a few screens. */
const PART = 40;

/**
 * Renders a long list part by part, as it is scrolled to, and all of it at once for printing and for a search: the
 * parent gets a `fill` event then.
 */
export function renderInParts(parent: HTMLElement, items: readonly (() => HTMLElement)[]): void {
  let done = 0;
  const end = el("p", { class: "more" });
  const button = el("button", { type: "button" });
  const add = (most: number) => {
    const part = items.slice(done, done + most).map((render) => render());
    done += part.length;
    end.before(...part);
    if (done < items.length) button.textContent = `Show ${items.length - done} more`;
    else {
      observer.disconnect();
      end.remove();
    }
  };
  const observer = new IntersectionObserver(
    (entries) => entries.some(({ isIntersecting }) => isIntersecting) && add(PART),
    { rootMargin: "600px" },
  );
  end.append(button);
  parent.append(end);
  button.addEventListener("click", () => add(PART));
  parent.addEventListener("fill", () => add(items.length));
  add(PART);
  if (done < items.length) observer.observe(end);
}
