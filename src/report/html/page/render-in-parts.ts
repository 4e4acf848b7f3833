import { el } from "./el.ts";

/** What fits on a few screens. */
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
