/** `parley completion`: scripts for shells, which ask the hidden command `__complete` for what may follow. */
import { Argument, type Command } from 'commander';
import type { CommandTools } from '../command-tools';

const shells = ['bash', 'zsh', 'fish'] as const;

const scripts: Readonly<Record<string, string>> = {
  bash: `_parley() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(parley __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _parley parley
`,
  zsh: `#compdef parley
_parley() {
  local -a words_that_fit
  words_that_fit=(\${(f)"$(parley __complete -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null)"})
  compadd -a words_that_fit
  _files
}
compdef _parley parley
`,
  fish: `complete -c parley -a '(parley __complete -- (commandline -opc)[2..-1] 2>/dev/null)'
`,
};

export const addCompletionCommands = (program: Command, { console }: CommandTools): void => {
  program
    .command('completion')
    .summary('print the completion of a shell')
    .description('print the completion of a shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .addHelpText(
      'after',
      `
Examples:
  # bash, in ~/.bashrc
  source <(parley completion bash)

  # zsh, in ~/.zshrc after compinit
  source <(parley completion zsh)

  # fish
  parley completion fish >~/.config/fish/completions/parley.fish`,
    )
    .action((shell: string) => console.out(scripts[shell] ?? ''));
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action((words: readonly string[]) =>
      console.out(
        fitting(program, words)
          .map((word) => `${word}\n`)
          .join(''),
      ),
    );
};

const serviceCommands = ['demo', 'up', 'fleet', 'simulate', 'trace'];

/** @param words the whole ones before the one that is typed */
export const fitting = (program: Command, words: readonly string[]): string[] => {
  let command = program;
  for (const word of words) command = command.commands.find((one) => one.name() === word) ?? command;
  const last = command.options.find(({ long, short }) => [long, short].includes(words.at(-1) ?? ''));
  if (last?.argChoices !== undefined) return last.argChoices;
  if (last?.required === true) return [];
  const names = command.commands.map((one) => one.name()).filter((name) => !name.startsWith('__'));
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const options = command.options.flatMap(({ long }) => long ?? []);
  return [...names, ...(command === program ? serviceCommands : []), ...choices, ...options, '--help'];
};
