import type { Fault } from '@dragoman/protocol';
import { CircleCheck } from 'lucide-react';
import type { AnswerOf } from '../../../api/calls.ts';
import { Notice } from '../../../design/notice.tsx';
import { mcpWords } from './mcp-words.ts';

/** What came of a test: the tools it found, or what is wrong and what to do. */
export function McpOutcome({ outcome: { tools, problem } }: { outcome: AnswerOf<'testMcpServer'> }) {
  const words = mcpWords.use();
  if (problem !== undefined) return <McpProblem problem={problem} />;
  return (
    <div>
      <p role="status" className="mb-1.5 flex items-center gap-2 text-sm font-medium">
        <CircleCheck size={15} aria-hidden className="text-good" />
        {words.works(tools.length)}
      </p>
      <ToolList tools={tools} />
    </div>
  );
}

/** What is wrong with a server, in words, and what the server says of it. */
export function McpProblem({ problem: { code, message, fix } }: { problem: Fault }) {
  const words = mcpWords.use();
  const title = code in words.problems ? words.problems[code as keyof typeof words.problems] : words.problems.failed;
  return (
    <Notice tone={code === 'needs-login' ? 'warn' : 'bad'} title={title}>
      <p>{message}</p>
      {fix !== undefined && <p className="mt-1">{fix}</p>}
    </Notice>
  );
}

/** Tools with what each is for. */
export function ToolList({ tools }: { tools: readonly { name: string; description: string }[] }) {
  const words = mcpWords.use();
  if (tools.length === 0) return <p className="text-xs text-faint">{words.noTools}</p>;
  return (
    <ul className="divide-y divide-line rounded-md border border-line">
      {tools.map(({ name, description }) => (
        <li key={name} className="contained px-2.5 py-1.5">
          <code className="font-mono text-xs font-medium">{name}</code>
          <p className="line-clamp-2 text-xs text-faint">{description}</p>
        </li>
      ))}
    </ul>
  );
}
