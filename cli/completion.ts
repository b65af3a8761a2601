/** Scripts for shell completion of commands and options, generated from the commands. */
import type { Argument, Command, Option } from 'commander';

/** Completions after a command. */
interface Place {
  /** The command's words: `[]`, `['keys']`, `['keys', 'create']`. */
  readonly path: readonly string[];
  readonly words: readonly Word[];
}

interface Word {
  readonly text: string;
  readonly description: string;
  /** Options with a value. */
  readonly takesValue: boolean;
}

export const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
export type Shell = keyof typeof SHELLS;

/** The completion script for a shell, to load at its start. */
export function completionScript(program: Command, shell: Shell): string {
  return SHELLS[shell](program.name(), placesIn(program, []));
}

/** The longest commands first, so that a shell can use the first match. */
function placesIn(command: Command, path: readonly string[]): Place[] {
  const commands = command.commands.map((child) => word(child.name(), child.description()));
  const choices = command.registeredArguments.flatMap((argument: Argument) =>
    (argument.argChoices ?? []).map((choice) => word(choice, argument.description)),
  );
  const options = command.options
    .filter(({ hidden }) => !hidden)
    .map((option: Option) =>
      word(option.long ?? option.flags, option.description, option.required || option.optional),
    );
  const help = word('--help', 'show help');
  return [
    ...command.commands.flatMap((child) => placesIn(child, [...path, child.name()])),
    { path, words: [...commands, ...choices, ...options, help] },
  ];
}

function word(text: string, description: string, takesValue = false): Word {
  return { text, description, takesValue };
}

function bashScript(name: string, places: readonly Place[]): string {
  return `_${name}() {
  local words
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1} " in
${cases(places, (words) => `words='${words.join(' ')}'`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${name} ${name}
`;
}

function zshScript(name: string, places: readonly Place[]): string {
  return `#compdef ${name}
_${name}() {
  local -a choices
  case "\${words[2,CURRENT-1]} " in
${cases(places, (words) => `choices=(${words.join(' ')})`)}
  esac
  compadd -a choices
  _files
}
compdef _${name} ${name}
`;
}

function cases(places: readonly Place[], assign: (words: readonly string[]) => string): string {
  return places
    .map(({ path, words }) => {
      const start = path.length === 0 ? '' : `'${path.join(' ')} '`;
      return `    ${start}*) ${assign(words.map(({ text }) => text))} ;;`;
    })
    .join('\n');
}

function fishScript(name: string, places: readonly Place[]): string {
  const lines = places.flatMap(({ path, words }) => {
    const deeper = places.flatMap((place) =>
      place.path.length === path.length + 1 && path.every((part, i) => place.path[i] === part)
        ? (place.path.at(-1) ?? [])
        : [],
    );
    const conditions = [
      ...path.map((part) => `__fish_seen_subcommand_from ${part}`),
      ...(deeper.length === 0 ? [] : [`not __fish_seen_subcommand_from ${deeper.join(' ')}`]),
    ];
    const when = conditions.length === 0 ? '' : ` -n '${conditions.join('; and ')}'`;
    return words.map(({ text, description, takesValue }) => {
      const what = text.startsWith('--') ? `-l ${text.slice(2)}` : `-a ${text}`;
      const wants = takesValue ? ' -r' : '';
      return `complete -c ${name}${when} ${what}${wants} -d '${description.replace(/[\\']/g, '\\$&')}'`;
    });
  });
  return `${lines.join('\n')}\n`;
}
