import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { AgentList } from '../config/agent-list.ts';
import { registerText } from '../backends/text/register-text.ts';
import { SILENT_LOG } from '../runner-log.ts';
import { AgentRegistry } from './agent-registry.ts';
import { missingInterpreter } from './missing-interpreter.ts';

test('what the first line of a script names is looked for, by its place or on the PATH', () => {
  const place = join(tempFolder(), 'agent');
  const missing = (text: string | Buffer) => {
    writeFileSync(place, text);
    return missingInterpreter(place, '/usr/bin:/bin');
  };

  expect(missing('#!/bin/sh\necho')).toBeUndefined();
  expect(missing('#!/usr/bin/env sh')).toBeUndefined();
  expect(missing('#!/usr/bin/env -S no-such-node --x')).toBe('no-such-node');
  expect(missing('#! /no/such/python3\n')).toBe('/no/such/python3');
  expect(missing('')).toBeUndefined();
  expect(missing(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]))).toBeUndefined();
  expect(missingInterpreter('/no/such/file')).toBeUndefined();
});

test('a script agent whose interpreter is missing is offered with what is wrong', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'helper'), '#!/no/such/python3\n', { mode: 0o755 });
  const registry = new AgentRegistry();
  registerText(registry);
  const configured = () => ({ helper: { backend: 'text', command: [join(folder, 'helper')] } }) as never;
  const agents = new AgentList({ registry, configured, presets: [], folder, log: SILENT_LOG });

  expect(await agents.offers()).toMatchObject([
    {
      name: 'helper',
      problem: {
        code: 'unavailable',
        message: `"${folder}/helper" does not start: its first line names "/no/such/python3", which is not on this machine`,
      },
    },
  ]);
});
