import type { Asked, Call } from '../upstream/asked.ts';

/** How each client's tool for commands is called, by its name. */
const TOOLS: Readonly<Record<string, (command: string) => Call['input']>> = {
  // Codex writes programs that call tools.
  exec: (command) => ({ input: `text((await tools.exec_command({ cmd: ${JSON.stringify(command)} })).output)` }),
  exec_command: (cmd) => ({ cmd }),
  shell_command: (command) => ({ command }),
  shell: (command) => ({ command: ['bash', '-c', command] }),
  // Of two commands at once Qwen Code now and then loses what one says that ends at once, whatever service it asks.
  run_shell_command: (command) => ({
    command: `${command}; sleep 1`,
    description: 'Reads a file',
    is_background: false,
  }),
  run_commands: (command) => ({ commands: [command] }),
  bash: (command) => ({ command, description: 'Reads a file' }),
  Bash: (command) => ({ command }),
  // The tool of the small programs.
  read_file: (command) => ({ path: command.replace('cat ', '') }),
};

/** A call of the client's own tool for commands. */
export function shellCall({ tools }: Asked, command: string): Call {
  const name = Object.keys(TOOLS).find((tool) => tools.includes(tool)) ?? 'a tool for commands';
  return { name, input: TOOLS[name]?.(command) ?? {} };
}
