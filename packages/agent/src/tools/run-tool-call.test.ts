import { DragomanError, type ToolPart } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { calls, says, scriptedModel } from '../scripted-model.fixture.ts';
import { testTurn } from '../turn/run-turn.fixture.ts';
import { Tool, ToolError } from './tool.ts';

/** Runs a call of the tool: what became of it. */
async function stateOf(execute: Tool.Info['execute']): Promise<ToolPart['state']> {
  const tool = Tool.define({ id: 'work', description: '', parameters: z.object({}), isReadOnly: true, execute });
  const turn = await testTurn(scriptedModel([calls(['work', {}]), says('done')]), [tool]);
  expect(await turn.run()).toMatchObject({ text: 'done', error: undefined });
  const parts = turn.session.state.messages.flatMap((message) => message.parts);
  return parts.find((part): part is ToolPart => part.type === 'tool')!.state;
}

test('files that a tool returns become parts of their own; what is no file is told to the model [FR-25]', async () => {
  const file = { mime: 'image/png', url: 'data:image/png;base64,AAAA' };
  expect(await stateOf(async () => ({ title: 'a', output: 'b', attachments: [file] }))).toMatchObject({
    status: 'completed',
    attachments: [{ type: 'file', id: expect.stringMatching(/^prt_/) as string, ...file }],
  });
  expect(await stateOf(async () => ({ title: '', output: '', attachments: [{ url: 5 } as never] }))).toMatchObject({
    status: 'error',
    error: expect.stringMatching(/^The tool "work" returned a file that is none: mime: /) as string,
  });
});

test('an output that is too long is kept in a file named after the call’s part', async () => {
  const state = await stateOf(async () => ({ title: '', output: 'line\n'.repeat(5_000) }));
  expect(state).toMatchObject({
    status: 'completed',
    metadata: { outputFile: expect.stringMatching(/prt_\w+\.txt$/) as string },
  });
});

test('an error that is too long is cut, and keeps what was told beside it [FR-26]', async () => {
  const state = await stateOf(async () => {
    throw new ToolError('x'.repeat(1_000_000), { metadata: { exitCode: 1, big: 1n } });
  });
  expect(state).toMatchObject({
    status: 'error',
    error: `${'x'.repeat(20_000)}… [980000 more characters]`,
    metadata: {},
  });
});

test.each<[unknown, RegExp]>([
  [new DragomanError('unavailable', 'The server is gone.'), /^The tool "work" failed: The server is gone\.$/],
  ['just text', /^The tool "work" failed: just text$/],
  [undefined, /^The tool "work" failed: undefined$/],
])('whatever a tool throws becomes the result of its call', async (thrown, error) => {
  const state = await stateOf(async () => {
    throw thrown;
  });
  expect(state).toMatchObject({ status: 'error', error: expect.stringMatching(error) as string });
});
