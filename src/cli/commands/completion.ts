import { UsageError } from "../../base/errors.ts";
import { displayText } from "../../base/text.ts";
import type { CommandContext, ExitCode } from "../context.ts";
import { flagOf, type OptionTable } from "../option.ts";

/** `lockflow completion`: prints a script that completes commands, options and values in a shell. Needs no project. */
export async function runCompletion(
  { positionals: [name = ""], out }: CommandContext,
  commands: Commands,
): Promise<ExitCode> {
  const render = Object.hasOwn(SHELLS, name) ? SHELLS[name] : undefined;
  if (render === undefined) {
    throw new UsageError({
      sentence: `The shell must be bash, zsh or fish; got "${displayText(name, [])}".`,
    });
  }
  out(render(commands));
  return 0;
}

const SHELLS: Readonly<Record<string, (commands: Commands) => string>> = {
  bash: renderBash,
  zsh: renderZsh,
  fish: renderFish,
};

/** The commands of the program. */
type Commands = readonly {
  readonly name: string;
  readonly summary: string;
  readonly options: OptionTable;
}[];

type Word = { readonly name: string; readonly description: string };

/** An option as a shell sees it. */
type Completed = Word & {
  readonly takesValue: boolean;
  /** The words that it takes; empty for any text, such as a path. */
  readonly choices: readonly string[];
};

function commandWords(commands: Commands): Word[] {
  return commands.map(({ name, summary }) => ({ name, description: summary }));
}

function optionsOf({ options }: Commands[number]): Completed[] {
  const completed = Object.entries(options).map(([name, { value, description }]) => ({
    name: `--${flagOf(name)}`,
    description,
    takesValue: value !== null,
    choices: value !== null && /^[\w-]+(\|[\w-]+)+$/.test(value) ? value.split("|") : [],
  }));
  return [...completed, { name: "--help", description: "show this help", takesValue: false, choices: [] }];
}

/** Renders the branches of a `case` over "<word> <command> <word before>", as bash and zsh have it. */
function renderCases(
  commands: Commands,
  first: string,
  render: (kind: string, words: readonly Word[]) => string,
): string[] {
  return [
    `    "${first} "*) ${render("command", commandWords(commands))} ;;`,
    ...commands.flatMap((command) => {
      const options = optionsOf(command);
      const free = options.filter(({ takesValue, choices }) => takesValue && choices.length === 0);
      return [
        ...options
          .filter(({ choices }) => choices.length > 0)
          .map(({ name, choices }) => {
            const words = choices.map((choice) => ({ name: choice, description: "" }));
            return `    *" ${command.name} ${name}") ${render("value", words)} ;;`;
          }),
        ...(free.length === 0
          ? []
          : [
              `    ${free.map(({ name }) => `*" ${command.name} ${name}"`).join("|")}) ${render("value", [])} ;;`,
            ]),
        `    *" ${command.name} "*) ${render("option", options)} ;;`,
      ];
    }),
  ];
}

function renderBash(commands: Commands): string {
  const cases = renderCases(
    commands,
    "1",
    (_, words) => `words="${words.map(({ name }) => name).join(" ")}"`,
  );
  return `# Completion of lockflow. In ~/.bashrc: source <(lockflow completion bash)
_lockflow() {
  local words=
  case "$COMP_CWORD \${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _lockflow lockflow
`;
}

function renderZsh(commands: Commands): string {
  const cases = renderCases(commands, "2", (kind, words) => {
    const entries = words.map(({ name, description }) =>
      quote(description === "" ? name : `${name}:${description}`),
    );
    return entries.length === 0 ? "_files" : `words_=(${entries.join(" ")}); _describe ${kind} words_`;
  });
  return `#compdef lockflow
# Completion of lockflow. In ~/.zshrc, after compinit: source <(lockflow completion zsh)
_lockflow() {
  local -a words_
  case "$CURRENT $words[2] $words[CURRENT-1]" in
${cases.join("\n")}
  esac
}
compdef _lockflow lockflow
`;
}

function renderFish(commands: Commands): string {
  const names = commandWords(commands).map(
    ({ name, description }) =>
      `complete -c lockflow -f -n __fish_use_subcommand -a ${name} -d ${quote(description)}`,
  );
  const options = commands.flatMap((command) =>
    optionsOf(command).map(({ name, description, takesValue, choices }) => {
      const values = choices.length > 0 ? ` -x -a ${quote(choices.join(" "))}` : takesValue ? " -r" : "";
      const place = quote(`__fish_seen_subcommand_from ${command.name}`);
      return `complete -c lockflow -n ${place} -l ${name.slice(2)}${values} -d ${quote(description)}`;
    }),
  );
  const head = "# Completion of lockflow. In ~/.config/fish/config.fish: lockflow completion fish | source";
  return `${[head, ...names, ...options].join("\n")}\n`;
}

/** Quotes a text for all of these shells. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
