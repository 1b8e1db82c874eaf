import type { BackendEvent, Choice } from '@dragoman/protocol';
import { type Fields, fieldsIn, listIn, textIn } from '../../backend/fields.ts';

/** What can be chosen of one thing, and how the agent is told. */
export interface SessionChoice {
  current: string | undefined;
  choices: Choice[];
  /** The method and what it takes beside the session's id. */
  request: (value: string) => { method: string; params: Record<string, unknown> };
}

/** The model and the mode of a session, as far as the agent lets them be chosen. */
export interface SessionChoices {
  model: SessionChoice | undefined;
  mode: SessionChoice | undefined;
}

/**
 * What a session lets people choose, from what the agent answered when it opened it or from a later update.
 *
 * Options that a client may set (`configOptions`) have the say. Modes of their own and models of their own are how agents
 * told the same before there were options. What is not told again stays as it was.
 */
export function readChoices(told: Fields, known: SessionChoices): SessionChoices {
  const options = listIn(told, 'configOptions');
  return {
    model:
      fromOption(options, 'model') ??
      fromList(fieldsIn(told, 'models'), {
        list: 'availableModels',
        id: 'modelId',
        current: 'currentModelId',
        method: 'session/set_model',
      }) ??
      known.model,
    mode:
      fromOption(options, 'mode') ??
      fromList(fieldsIn(told, 'modes'), {
        list: 'availableModes',
        id: 'id',
        current: 'currentModeId',
        method: 'session/set_mode',
      }) ??
      known.mode,
  };
}

/** The choices as news of the agent. */
export function tellChoices({ model, mode }: SessionChoices): Extract<BackendEvent, { type: 'agent-updated' }> {
  return {
    type: 'agent-updated',
    ...(model === undefined ? {} : { models: model.choices, ...(model.current && { model: model.current }) }),
    ...(mode === undefined ? {} : { modes: mode.choices, ...(mode.current && { mode: mode.current }) }),
  };
}

/** The value that a person means: its id, or else its name. */
export function findChoice({ choices }: SessionChoice, wanted: string): string | undefined {
  const sameName = ({ name }: Choice) => name?.toLowerCase() === wanted.toLowerCase();
  return (choices.find(({ id }) => id === wanted) ?? choices.find(sameName))?.id;
}

function fromOption(options: readonly Fields[], about: 'model' | 'mode'): SessionChoice | undefined {
  const selects = options.filter((option) => Array.isArray(option['options']));
  const option =
    selects.find((each) => textIn(each, 'category') === about) ?? selects.find((each) => textIn(each, 'id') === about);
  const configId = option && textIn(option, 'id');
  if (option === undefined || configId === undefined) return undefined;
  // Options may stand in groups.
  const values = listIn(option, 'options').flatMap((each) =>
    Array.isArray(each['options']) ? listIn(each, 'options') : [each],
  );
  return {
    current: textIn(option, 'currentValue'),
    choices: values.flatMap((each) => toChoice(each, 'value')),
    request: (value) => ({ method: 'session/set_config_option', params: { configId, value } }),
  };
}

function fromList(
  told: Fields,
  names: { list: string; id: 'modelId' | 'id'; current: string; method: string },
): SessionChoice | undefined {
  const choices = listIn(told, names.list).flatMap((each) => toChoice(each, names.id));
  if (choices.length === 0) return undefined;
  const param = names.id === 'modelId' ? 'modelId' : 'modeId';
  return {
    current: textIn(told, names.current),
    choices,
    request: (value) => ({ method: names.method, params: { [param]: value } }),
  };
}

function toChoice(fields: Fields, idField: string): Choice[] {
  const [id, name, description] = [textIn(fields, idField), textIn(fields, 'name'), textIn(fields, 'description')];
  return id === undefined
    ? []
    : [{ id, ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) }];
}
