import { tmpdir } from 'node:os';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compilePermissions, newId, type ToolPart } from '@dragoman/protocol';
import { messageSchema } from '@dragoman/protocol/schemas';
import { openStore } from '@dragoman/server/base';
import { z } from 'zod';
import { agentMigrations } from '../../packages/agent/src/agent-migrations.ts';
import { SessionStore } from '../../packages/agent/src/session/session-store.ts';
import { Session } from '../../packages/agent/src/session/session.ts';
import { runToolCall } from '../../packages/agent/src/tools/run-tool-call.ts';
import { Tool } from '../../packages/agent/src/tools/tool.ts';
import {
  THOUSAND_RULES_QUESTION,
  thousandRules,
} from '../../packages/protocol/src/permission/thousand-rules.fixture.ts';

const base = { sessionID: 'ses_1', messageID: 'msg_1' };

/** What parsing and writing a message of twenty parts takes, in milliseconds of CPU. */
export function measureParts(rounds = 500): number {
  const message = {
    info: {
      id: 'msg_1',
      sessionID: 'ses_1',
      role: 'assistant',
      time: { created: 1, completed: 2 },
      parentID: 'msg_0',
      agent: 'build',
      model: { providerID: 'p', modelID: 'm' },
      path: { cwd: '/p', root: '/p' },
      cost: 0,
      costSource: 'computed',
      tokens: { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } },
    },
    parts: Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0
        ? { ...base, id: `prt_${index}`, type: 'text', text: 'some words '.repeat(50) }
        : {
            ...base,
            id: `prt_${index}`,
            type: 'tool',
            callID: 'c',
            tool: 'read',
            state: {
              status: 'completed',
              input: { filePath: 'a' },
              output: 'line\n'.repeat(200),
              title: 'a',
              time: { start: 1, end: 2 },
            },
          },
    ),
  };
  const text = JSON.stringify(message);
  return perRound(rounds, () => JSON.stringify(messageSchema.parse(JSON.parse(text))));
}

/** A decision among a thousand rules, in milliseconds of CPU: the first one with new rules, and a later one. */
export function measurePermissions(): { first: number; warm: number } {
  const firsts = Array.from({ length: 9 }, () => {
    const compiled = compilePermissions(thousandRules());
    const before = process.cpuUsage();
    compiled.decide(THOUSAND_RULES_QUESTION);
    return millisecondsSince(before);
  });
  const compiled = compilePermissions(thousandRules());
  const first = firsts.toSorted((one, other) => one - other)[4]!;
  return { first, warm: perRound(200, () => compiled.decide(THOUSAND_RULES_QUESTION)) };
}

/** What a call of a tool that does nothing takes, with everything around it, in milliseconds of CPU. */
export async function measureToolOverhead(rounds = 200): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
  const location = { databaseFile: join(folder, 'bench.sqlite'), databaseUrl: undefined };
  const store = await openStore(location, { rooms: [agentMigrations] });
  try {
    const session = await Session.create(new SessionStore(store), {
      id: newId('ses'),
      title: 'bench',
      cwd: folder,
      root: folder,
      agent: 'build',
      model: { providerID: 'p', modelID: 'm' },
      time: { created: 1 },
    });
    const nothing = Tool.define({
      id: 'nothing',
      description: 'Does nothing.',
      parameters: z.object({ text: z.string() }),
      isReadOnly: true,
      execute: async () => ({ title: '', output: 'done' }),
    });
    const messageID = newId('msg');
    session.append({ type: 'message-added', message: { info: userInfo(session.id, messageID), parts: [] } });
    const call = async () => {
      const partID = newId('prt');
      session.append({ type: 'tool-input-start', messageID, partID, callID: partID, tool: 'nothing' });
      const part: ToolPart = {
        id: partID,
        sessionID: session.id,
        messageID,
        type: 'tool',
        callID: partID,
        tool: 'nothing',
        state: { status: 'pending', input: { text: 'x' }, raw: '' },
      };
      await runToolCall(
        nothing,
        part,
        {
          session,
          agent: 'build',
          permit: async () => {},
          outputFolder: folder,
          timeoutMs: 1_000,
          abort: new AbortController().signal,
          now: Date.now,
          beforeChange: async () => {},
        },
        () => undefined,
      );
      await session.stored();
    };
    for (let round = 0; round < 20; round++) await call();
    const before = process.cpuUsage();
    for (let round = 0; round < rounds; round++) await call();
    return millisecondsSince(before) / rounds;
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function userInfo(sessionID: string, id: string) {
  return {
    id,
    sessionID,
    role: 'user' as const,
    time: { created: 1 },
    agent: 'build',
    model: { providerID: 'p', modelID: 'm' },
  };
}

function perRound(rounds: number, work: () => unknown): number {
  for (let round = 0; round < rounds; round++) work();
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round++) work();
  return millisecondsSince(before) / rounds;
}

/** Of CPU: on a busy machine the time on the wall says nothing. */
function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
