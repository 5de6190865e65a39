/**
 * `sojourn completion`: the scripts with which a shell completes commands and options, made from the commands
 * themselves.
 */
import { Argument, Command } from 'commander'
import { type CommandContext, print } from '../core/command-line/context.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

export function completionCommand(
  context: CommandContext,
  { program }: { readonly program: Command },
): Command {
  return new Command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  $ sojourn completion bash > ~/.local/share/bash-completion/completions/sojourn
  $ sojourn completion zsh > ~/.zfunc/_sojourn
  $ sojourn completion fish > ~/.config/fish/completions/sojourn.fish
`,
    )
    .action((shell: Shell) => print(context, SCRIPTS[shell](nodesOf(program))))
}

/** A command, with what can be completed after it. */
interface Node {
  /** the words that name it, without the name of the program */
  readonly path: string
  readonly commands: readonly { readonly name: string; readonly about: string }[]
  readonly options: readonly { readonly flag: string; readonly about: string; readonly takesValue: boolean }[]
}

function nodesOf(command: Command, path: readonly string[] = []): Node[] {
  const here: Node = {
    path: path.join(' '),
    commands: command.commands.map((child) => ({ name: child.name(), about: child.description() })),
    options: [...command.options, ...helpOf(command)].map((option) => ({
      flag: option.long ?? option.short ?? '',
      about: option.description,
      takesValue: option.required || option.optional,
    })),
  }
  return [here, ...command.commands.flatMap((child) => nodesOf(child, [...path, child.name()]))]
}

const helpOf = (command: Command) =>
  command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long === '--help')

const words = ({ commands, options }: Node) =>
  [...commands.map(({ name }) => name), ...options.map(({ flag }) => flag)].join(' ')

/** Options that are followed by a value. For these, the shell offers files. */
const withValues = (nodes: readonly Node[]) => [
  ...new Set(nodes.flatMap(({ options }) => options.filter((one) => one.takesValue)).map(({ flag }) => flag)),
]

/** Part of a loop over the typed words: the words that name a command form its path. */
const pathStep = (nodes: readonly Node[]) => `    case "\${path:+$path }$word" in
      ${paths(nodes)
        .map((path) => `"${path}"`)
        .join('|')}) path="\${path:+$path }$word" ;;
    esac`

const SCRIPTS: Readonly<Record<Shell, (nodes: readonly Node[]) => string>> = { bash, zsh, fish }

function bash(nodes: readonly Node[]): string {
  return `# Completes the sojourn command in bash.
_sojourn() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path= word
  case "$prev" in ${withValues(nodes).join('|')}) COMPREPLY=($(compgen -f -- "$cur")); return ;; esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
${pathStep(nodes)}
  done
  case "$path" in
${nodes.map((node) => `    "${node.path}") COMPREPLY=($(compgen -W "${words(node)}" -- "$cur")) ;;`).join('\n')}
  esac
  [[ \${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "$cur"))
}
complete -o filenames -F _sojourn sojourn
`
}

function zsh(nodes: readonly Node[]): string {
  const entries = (node: Node) =>
    [
      ...node.commands.map(({ name, about }) => [name, about]),
      ...node.options.map((one) => [one.flag, one.about]),
    ]
      .map(([name = '', about = '']) => quoted(`${name.replaceAll(':', '\\:')}:${about}`))
      .join(' ')
  return `#compdef sojourn
# Completes the sojourn command in zsh.
_sojourn() {
  local path= word
  local -a entries
  case "$words[CURRENT-1]" in ${withValues(nodes).join('|')}) _files; return ;; esac
  for word in "\${(@)words[2,CURRENT-1]}"; do
${pathStep(nodes)}
  done
  case "$path" in
${nodes.map((node) => `    "${node.path}") entries=(${entries(node)}) ;;`).join('\n')}
  esac
  _describe 'sojourn' entries || _files
}
compdef _sojourn sojourn
`
}

function fish(nodes: readonly Node[]): string {
  const lines = nodes.flatMap((node) => {
    const is = `-n '__sojourn_at "${node.path}"'`
    return [
      ...node.commands.map(
        ({ name, about }) => `complete -c sojourn -f ${is} -a ${name} -d ${quoted(about)}`,
      ),
      ...node.options.map(
        ({ flag, about, takesValue }) =>
          `complete -c sojourn ${is} -l ${flag.replace('--', '')}${takesValue ? ' -r' : ''} -d ${quoted(about)}`,
      ),
    ]
  })
  return `# Completes the sojourn command in fish.
function __sojourn_at
    set -l path
    for word in (commandline -opc)[2..]
        switch (string join ' ' $path $word)
            case ${paths(nodes).map(quoted).join(' ')}
                set -a path $word
        end
    end
    test (string join ' ' $path) = $argv[1]
end
${lines.join('\n')}
`
}

const paths = (nodes: readonly Node[]) => nodes.map(({ path }) => path).filter((path) => path !== '')

/** A word in single quotes. All three shells read it alike if it contains no single quote. */
const quoted = (text: string) => `'${text.replaceAll("'", '’')}'`
