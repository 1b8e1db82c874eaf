import { expect, test } from 'vitest';
import { startAcp, testAcp } from './acp.fixture.ts';

const CONFIG_OPTIONS = [
  {
    id: 'm',
    category: 'model',
    type: 'select',
    name: 'Model',
    currentValue: 'small',
    options: [
      { value: 'small', name: 'Small' },
      { group: 'big', name: 'Big ones', options: [{ value: 'big', name: 'Big', description: 'Slow' }] },
    ],
  },
  { id: 'mode', type: 'select', currentValue: 'ask', options: [{ value: 'ask' }, { value: 'code' }] },
  { id: 'thinking', type: 'boolean', currentValue: true },
];

test('models and modes come from the options of a session, and are set through them', async () => {
  const { backend, until, heard, events } = await startAcp({ offer: { session: { configOptions: CONFIG_OPTIONS } } });
  expect(await until('agent-updated', (event) => event.models !== undefined)).toEqual({
    type: 'agent-updated',
    model: 'small',
    models: [
      { id: 'small', name: 'Small' },
      { id: 'big', name: 'Big', description: 'Slow' },
    ],
    mode: 'ask',
    modes: [{ id: 'ask' }, { id: 'code' }],
  });

  await backend.setModel('BIG');
  await backend.setMode('ask');

  expect(heard().at(-1)).toMatchObject({
    method: 'session/set_config_option',
    params: { configId: 'm', value: 'big' },
  });
  expect(events.at(-1)).toMatchObject({ type: 'agent-updated', model: 'big' });
});

test('models and modes of their own are set by methods of their own', async () => {
  const { backend, until, heard } = await startAcp({
    offer: {
      session: {
        models: { currentModelId: 'a', availableModels: [{ modelId: 'a', name: 'A' }, { modelId: 'b' }] },
        modes: { currentModeId: 'x', availableModes: [{ id: 'x' }, { id: 'y', name: 'Why' }] },
      },
    },
  });
  expect(await until('agent-updated', (event) => event.models !== undefined)).toEqual({
    type: 'agent-updated',
    model: 'a',
    models: [{ id: 'a', name: 'A' }, { id: 'b' }],
    mode: 'x',
    modes: [{ id: 'x' }, { id: 'y', name: 'Why' }],
  });

  await backend.setModel('b');
  await backend.setMode('y');

  expect(heard().slice(-2)).toMatchObject([
    { method: 'session/set_model', params: { modelId: 'b' } },
    { method: 'session/set_mode', params: { modeId: 'y' } },
  ]);
  expect(await until('agent-updated', ({ mode }) => mode === 'y')).toEqual({ type: 'agent-updated', mode: 'y' });
});

test('a session starts with the model that was asked for, or not at all', async () => {
  const offer = { session: { configOptions: CONFIG_OPTIONS } };
  const tested = testAcp({ offer, setup: { model: 'big' } });
  await tested.backend.start(tested.session);
  expect(tested.events).toContainEqual(expect.objectContaining({ model: 'big' }));

  const other = testAcp({ offer });
  await expect(other.backend.start({ ...other.session, model: 'huge' })).rejects.toMatchObject({
    code: 'bad-request',
    message: 'Fake has no model "huge"; it has: small, big',
  });
});

test('an agent that is started again is told what was chosen', async () => {
  const { backend, run, heard } = await startAcp({
    offer: { session: { configOptions: CONFIG_OPTIONS }, capabilities: { loadSession: true } },
  });

  await backend.setModel('big');
  await run([{ exit: 1 }]);
  await run('hello');

  const methods = heard().flatMap(({ method }) => method ?? []);
  expect(methods.slice(methods.lastIndexOf('initialize'))).toEqual([
    'initialize',
    'session/load',
    'session/set_config_option',
    'session/prompt',
  ]);
});
