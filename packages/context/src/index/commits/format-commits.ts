import { redactSource, type Turns } from '@dragoman/protocol/secrets';
import type { Commit } from './read-commits.ts';

const HEAD = 'Commits that may have to do with it:\n';
const MAX_BODY_LENGTH = 600;
/** So much of a body is looked at: longer than what is shown and any secret that begins in it. */
const LOOKED_AT = 32_000;
const MAX_PATHS = 8;

/** The commits as a section of an answer, as many as fit into `maxLength` characters; empty where none does. A piece at a time. */
export function* formatCommits(commits: readonly Commit[], maxLength: number): Turns<string> {
  let section = HEAD;
  for (const commit of commits) {
    const entry = `\n${formatCommit(commit)}`;
    if (section.length + entry.length > maxLength) break;
    section += entry;
    yield;
  }
  return section.length > HEAD.length ? section : '';
}

function formatCommit({ sha, time, author, subject, body, paths }: Commit): string {
  const shown = paths.slice(0, MAX_PATHS).join(', ');
  const more = paths.length > MAX_PATHS ? ` and ${paths.length - MAX_PATHS} more` : '';
  const lines = [
    `${sha.slice(0, 12)} ${time.slice(0, 10)} ${author}: ${subject}`,
    ...(body === '' ? [] : shorten(body).split('\n')).map((line) => `    ${line}`.trimEnd()),
    ...(paths.length === 0 ? [] : [`    Files: ${shown}${more}`]),
  ];
  return redactSource(`${lines.join('\n')}\n`).toWellFormed();
}

/** Cut after the redaction, as half of a secret is not recognised. */
function shorten(body: string): string {
  const redacted = redactSource(body.slice(0, LOOKED_AT));
  return redacted.length <= MAX_BODY_LENGTH ? redacted : `${redacted.slice(0, MAX_BODY_LENGTH).trimEnd()} …`;
}
