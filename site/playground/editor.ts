import {
  autocompletion,
  type CompletionContext,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { setDiagnostics } from "@codemirror/lint";
import { Decoration, EditorView, keymap, lineNumbers, MatchDecorator, ViewPlugin } from "@codemirror/view";
import type { Note, Tasks } from "./protocol.ts";

const tokens = new MatchDecorator({
  regexp: /(?<comment>#.*)|(?<text>"(?:[^"\\]|\\.)*"?)|\b(?<keyword>query|fragment|on)\b/g,
  decoration: ({ groups = {} }) =>
    Decoration.mark({ class: `token-${Object.keys(groups).find((name) => groups[name] !== undefined)}` }),
});

const colors = ViewPlugin.define(
  (view) => ({
    decorations: tokens.createDeco(view),
    update(update) {
      this.decorations = tokens.updateDeco(update, this.decorations);
    },
  }),
  { decorations: (plugin) => plugin.decorations },
);

export type Editor = ReturnType<typeof createEditor>;

type Events = {
  readonly onChange: (text: string) => void;
  readonly onRun: () => void;
  readonly complete: (text: string, offset: number) => Promise<ReturnType<Tasks["complete"]>>;
};

/** Creates an editor of an operation. Tab leaves it. */
export function createEditor(parent: Element, doc: string, { onChange, onRun, complete }: Events) {
  async function findCompletions(context: CompletionContext) {
    const word = context.matchBefore(/[\w$@]+/);
    if (word === null && !context.explicit) return null;
    const found = await complete(context.state.doc.toString(), context.pos);
    return { from: word?.from ?? context.pos, options: [...found], validFor: /^[\w$@]*$/ };
  }
  const view = new EditorView({
    parent,
    doc,
    extensions: [
      ...[lineNumbers(), history(), closeBrackets(), colors, EditorView.lineWrapping],
      autocompletion({ override: [findCompletions] }),
      keymap.of([{ key: "Mod-Enter", run: () => onRun() ?? true }]),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap]),
      EditorView.contentAttributes.of({ "aria-label": "Operation" }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) onChange(state.doc.toString());
      }),
    ],
  });

  function offsetOf({ line, column }: Pick<Note, "line" | "column">): number {
    const { from, to } = view.state.doc.line(Math.min(line ?? 1, view.state.doc.lines));
    return Math.min(from + (column ?? 1) - 1, to);
  }

  return {
    destroy: () => view.destroy(),
    setText: (next: string) => {
      const { doc } = view.state;
      if (next !== doc.toString()) view.dispatch({ changes: { from: 0, to: doc.length, insert: next } });
    },
    /** Underlines the places of notes. */
    showNotes: (notes: readonly Note[]) => {
      const diagnostics = notes.map((note) => {
        const from = offsetOf(note);
        const to = view.state.wordAt(from)?.to ?? from;
        return { from, to, severity: note.severity, message: note.message };
      });
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    /** Moves the cursor to a note. */
    goTo: (note: Note) => {
      view.dispatch({ selection: { anchor: offsetOf(note) }, scrollIntoView: true });
      view.focus();
    },
  };
}
