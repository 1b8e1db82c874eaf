import type { ContentBlock } from '@dragoman/protocol';
import { uapFixtures } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { type ParsedBlock, parseText } from './parse-text.fixture.ts';

/** The golden sessions that consist of thoughts, calls that went well, their results and answers. */
const golden = uapFixtures().filter(({ name }) => ['example', 'live-tool-output', 'long'].includes(name));

test.each(golden.map((fixture) => [fixture.name, fixture] as const))(
  'a program that prints the golden session %s in words is understood as that session [UAP-23]',
  (_name, fixture) => {
    const calls = new Map<string, string>();
    const blocks = fixture.messages
      .filter(({ role, content }) => role === 'assistant' || content[0]?.type === 'tool_result')
      .flatMap(({ content }) => content);
    const expected = blocks.map((block) => toParsed(block, calls));

    const printed = blocks.map(toWords).join('\n');
    expect(parseText([printed])).toEqual(expected);
    expect(parseText([printed.replaceAll(/^(\p{Script=Han}+):/gmu, '$1：')])).toEqual(expected);
  },
);

function toWords(block: ContentBlock): string {
  switch (block.type) {
    case 'thinking':
      return `思考: ${block.thinking}`;
    case 'tool_use':
      return `执行: ${block.name} ${JSON.stringify(block.input)}`;
    case 'tool_result':
      return `结果:\n${block.content}`;
    case 'text':
      return `回答: ${block.text}`;
    default:
      throw new Error(`${block.type} cannot be said in words`);
  }
}

function toParsed(block: ContentBlock, calls: Map<string, string>): ParsedBlock {
  switch (block.type) {
    case 'thinking':
      return { thinking: block.thinking };
    case 'tool_use':
      calls.set(block.id, `call_${calls.size + 1}`);
      return { use: calls.get(block.id)!, name: block.name, input: block.input };
    case 'tool_result':
      return { result: calls.get(block.tool_use_id)!, content: withoutLayout(block.content) };
    case 'text':
      return { text: withoutLayout(block.text) };
    default:
      throw new Error(`${block.type} cannot be said in words`);
  }
}

/** Line breaks at the border of a block are how a program prints, not what it says. */
function withoutLayout(text: string): string {
  return text.replace(/\n+$/, '');
}
