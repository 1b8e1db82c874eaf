import { shellWords } from './shell-words.ts';

/**
 * The command that a person would have typed. Codex hands every command to a shell and tells the whole of that:
 * `/bin/zsh -lc 'npm test'` is `npm test`. Any other text stays as it was written, and so does what only calls itself a
 * shell: a program of the project.
 */
export function shownCommand(command: string): string {
  const [shell = '', option = '', script, ...more] = shellWords(command) ?? [];
  const isWrapped =
    /^(?:(?:\/usr(?:\/local)?|\/opt\/homebrew)?\/bin\/)?(?:ba|z|da|k)?sh$/.test(shell) &&
    /^-l?i?c$/.test(option) &&
    more.length === 0;
  return isWrapped && script !== undefined ? script : command;
}
