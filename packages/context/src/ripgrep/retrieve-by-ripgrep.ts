import { inTurns } from '@dragoman/server/base';
import { z } from 'zod';
import { shortQuestion } from '../index/answer/answer-question.ts';
import { type RipgrepResult, type RipgrepRun, runRipgrep } from './run-ripgrep.ts';
import { safeMatches } from './safe-matches.ts';
import { searchTokens } from './search-tokens.ts';

const SEARCHED_TOKENS = 5;

const text = z.string().trim().catch('');
const bodySchema = z.object({ information_request: text, query: text }).catch({ information_request: '', query: '' });

export interface RipgrepRetrieval extends Pick<RipgrepRun, 'root' | 'signal' | 'timeLimit'> {
  /** The request as it came: `information_request`, else `query`, is the question. */
  body: unknown;
  /** The program to run; without it the one that came with the package, else the one on the path. */
  rgPath?: string;
}

/**
 * An answer without an index: the words of the question, each looked for in all files, as one text.
 *
 * It understands nothing and reads everything again each time, but needs no preparation at all.
 */
export async function retrieveByRipgrep({ body, root, rgPath, ...run }: RipgrepRetrieval): Promise<string> {
  const request = bodySchema.parse(body);
  const query = shortQuestion(request.information_request || request.query);
  if (query === '') return 'codebase-retrieval: missing information_request/query';

  const program = rgPath ?? (await packagedRipgrep());
  const blocks: string[] = [];
  for (const token of searchTokens(query).slice(0, SEARCHED_TOKENS))
    blocks.push(`# ${token}\n${await describe(await runRipgrep({ ...run, token, root, rgPath: program }), root)}`);
  return `codebase-retrieval (local rg)\nquery: ${query}\nworkspaceRoot: ${root}\n\n${blocks.join('\n\n')}\n`;
}

async function describe(result: RipgrepResult, root: string): Promise<string> {
  switch (result.outcome) {
    case 'matches': {
      const lines = await inTurns(safeMatches(result.lines, root));
      if (lines.length === 0) return '(no matches)';
      return [...lines, ...(result.isCut ? ['(more matches are left out)'] : [])].join('\n');
    }
    case 'no-matches':
      return '(no matches)';
    case 'not-installed':
      return 'rg 不可用：请安装 ripgrep（rg）';
    case 'failed':
      return '(rg failed)';
  }
}

/** Loading the package fails where it has no program for this kind of machine. */
async function packagedRipgrep(): Promise<string> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch {
    return 'rg';
  }
}
