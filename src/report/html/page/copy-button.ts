import { el } from "./el.ts";

/** A command and a button that copies it. Where a browser forbids that, the command is selected to be copied by hand. */
export function renderCommand(command: string): HTMLElement {
  const code = el("code", {}, command);
  const button = el("button", { type: "button", class: "copy", "aria-label": `Copy ${command}` }, "Copy");
  button.addEventListener("click", async () => {
    const isCopied = await copy(command);
    if (!isCopied) getSelection()?.selectAllChildren(code);
    button.textContent = isCopied ? "Copied" : "Selected";
    told.textContent = isCopied ? "Copied" : "Selected, to be copied by hand";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1500);
  });
  return el("span", { class: "command" }, code, button);
}

/** Tells screen readers, which hear nothing of the text of a button that has a name. */
const told = el("p", { class: "sr", role: "status" });
document.body.append(told);

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
