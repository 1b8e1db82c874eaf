/** What deletes, overwrites, reaches further than the project, or runs whatever follows. */
const NAMES =
  /^(?:rm|rmdir|unlink|shred|srm|dd|truncate|mkfs[\w.]*|wipefs|fdisk|parted|mv|chmod|chown|chgrp|kill|killall|pkill|shutdown|reboot|halt|poweroff|crontab|sudo|doas|su|eval|exec|source|\.|xargs|ssh|scp|sftp|rsync|curl|wget|nc|ncat|socat|bash|sh|zsh|dash|ksh|fish)$/;
const ELSEWHERE =
  /^(?:git (?:.* )?(?:push|reset|clean|checkout|restore|rebase|branch|stash|tag|filter-branch|reflog|gc)\b|(?:docker|podman|kubectl|helm|terraform|aws|gcloud|az) (?:.* )?(?:rm|rmi|prune|delete|destroy|down|apply|uninstall)\b|find .*-(?:delete|exec|execdir|ok|okdir)\b|(?:sed|perl) .*-\w*i|(?:npm|pnpm|yarn|cargo|gem|twine) (?:.* )?(?:publish|unpublish|push|yank)\b)/;
/** How a text that cannot be read is told. */
const UNREADABLE = '<unreadable>';

/**
 * Whether a command is one that a person must not overlook. A guess: it only decides what is shown first and in red, never
 * what may run.
 */
export function isDestructive(command: string): boolean {
  const text = command.trim();
  if (text.startsWith(UNREADABLE)) return true;
  const plain = text.replace(/^(?:\w+\+?=\S*\s+)+/, '').replace(/^\\/, '');
  const [first = ''] = plain.split(/\s/, 1);
  const name = first.replace(/^.*\//, '').replace(/["']/g, '');
  return NAMES.test(name) || ELSEWHERE.test(`${name}${plain.slice(first.length)}`);
}
