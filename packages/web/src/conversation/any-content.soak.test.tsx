import type { ContentBlock, SessionView } from '@dragoman/protocol';
import { rounds, sessionOf } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyBlock, anyText } from './any-content.fixture.ts';
import { renderSession } from '../render.fixture.tsx';

/** Elements that the console makes of what agents say; nothing else may ever come of it. */
const ELEMENTS = new Set(
  'a article blockquote br button circle code dd del details div dl dt ellipse em h2 h3 h4 h5 h6 header hr img input kbd label li line ol p path polygon polyline pre rect section span strong sub summary sup svg table tbody td textarea th thead time tr ul'.split(
    ' ',
  ),
);
const ATTRIBUTES =
  /^(?:aria-[a-z]+|data-[a-z]+|class|id|type|role|tabindex|href|target|rel|title|src|alt|loading|download|datetime|open|hidden|start|scope|colspan|disabled|width|height|viewbox|fill|stroke(?:-[a-z]+)?|xmlns|d|cx|cy|r|x|x1|x2|y|y1|y2|rx|ry|points|style|for|rows|maxlength|autocomplete|spellcheck|placeholder|value)$/;

/** Bytes of a page that a block may come to: what is in it, once over, and the frame around it. */
const MOST_BYTES = 900_000;

/** One block as the only thing in a session, all folded out. */
function renderBlock(block: ContentBlock): string {
  const session = sessionOf();
  session.turn('go');
  if (block.type === 'tool_result')
    session.block('assistant', { type: 'tool_use', id: block.tool_use_id, name: 'bash', input: {} });
  session.block(block.type === 'tool_result' ? 'user' : 'assistant', block);
  return renderSession(session.view(), { isAllOpen: true });
}

/** What could do harm in it. */
function harmIn(html: string): string[] {
  const harm: string[] = [];
  for (const [, name = '', attributes = ''] of html.matchAll(/<([^\s/>]+)((?:\s+[^\s=>]+(?:="[^"]*")?)*)\s*\/?>/g)) {
    if (name.startsWith('/')) continue;
    if (!ELEMENTS.has(name.toLowerCase())) harm.push(`<${name}>`);
    for (const [, attribute = '', value = ''] of attributes.matchAll(/\s+([^\s=>]+)(?:="([^"]*)")?/g)) {
      if (!ATTRIBUTES.test(attribute.toLowerCase())) harm.push(`${name} ${attribute}`);
      if (
        attribute === 'href' &&
        !/^(?:https?:\/\/|mailto:|\/api\/attachments\/att_\w+$|#\w+-(?:note-\d+|reference-\d+-\d+)$)/.test(value)
      )
        harm.push(`href ${value}`);
      if (
        attribute === 'src' &&
        !/^(?:\/api\/attachments\/att_\w+$|data:image\/(?:png|jpeg|gif|webp|avif);base64,[\w+/=]*$)/.test(value)
      )
        harm.push(`src ${value}`);
      if (attribute === 'style' && !/^min-width:\d+ch$/.test(value)) harm.push(`style ${value}`);
    }
  }
  // Every tag was looked at.
  if (html.replaceAll(/<([^\s/>]+)((?:\s+[^\s=>]+(?:="[^"]*")?)*)\s*\/?>|<\/[a-z0-9]+>/g, '').includes('<'))
    harm.push('a loose <');
  return harm;
}

test('what would do harm is noticed', () => {
  expect(harmIn('<p class="a">fine</p><script>x</script>')).toEqual(['<script>']);
  expect(harmIn('<img src="/api/attachments/att_1" onerror="x"/>')).toEqual(['img onerror']);
  expect(harmIn('<a href="javascript:x">y</a><a href="//evil">y</a>')).toEqual(['href javascript:x', 'href //evil']);
  expect(harmIn('<p>1 < 2</p>')).toEqual(['a loose <']);
});

test('whatever agents send, it makes no element, attribute or address but ours, and a page of bounded size [UAP-06]', () => {
  fc.assert(
    fc.property(anyBlock, (block) => {
      const html = renderBlock(block);
      expect(harmIn(html)).toEqual([]);
      expect(html.length).toBeLessThan(MOST_BYTES);
    }),
    { seed: 20_260_701, numRuns: rounds(10_000) },
  );
});

test('whatever people send, and whatever an agent asks, it makes no element, attribute or address but ours [UAP-06]', () => {
  fc.assert(
    fc.property(anyText, anyText, (text, other) => {
      const session = sessionOf();
      session.turn(text);
      session.call('call_1', 'bash', { input: { command: other } }, { isRunning: true });
      session.add({
        type: 'approval-asked',
        approval: {
          id: 'apr_1',
          title: text,
          reason: other,
          toolUseId: 'call_1',
          options: [{ id: other, name: text, kind: 'allow_once' }],
          question: { tool: 'bash', subjects: [{ kind: 'command', value: 'ls' }] },
          always: [{ tool: text, pattern: other }],
          allowsText: true,
        },
      });
      const view: SessionView = session.view();
      expect(harmIn(renderSession(view))).toEqual([]);
    }),
    { seed: 20_260_702, numRuns: rounds(2000) },
  );
});
