import type { BackendEvent } from '@dragoman/protocol';
import { type Fields, listIn, textIn } from '../../backend/fields.ts';
import { CLAUDE_MODES } from './claude-agent.ts';

type News = Omit<Extract<BackendEvent, { type: 'agent-updated' }>, 'type'>;

/** What can be chosen and called, from what Claude Code told when it began. A release that tells nothing has no list. */
export function readHello(hello: Fields, chosenModel: string | undefined): News {
  const models = listIn(hello, 'models').flatMap((model) => {
    const [id, name, description] = ['value', 'displayName', 'description'].map((field) => textIn(model, field));
    return id === undefined
      ? []
      : [{ id, ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) }];
  });
  const commands = listIn(hello, 'commands').flatMap((command) => {
    const [name, description] = [textIn(command, 'name'), textIn(command, 'description')];
    return name === undefined ? [] : [{ name, ...(description === undefined ? {} : { description }) }];
  });
  // A model that is chosen by its full name is one of the choices too.
  const isListed = chosenModel === undefined || models.some(({ id }) => id === chosenModel);
  return {
    ...(models.length === 0 ? {} : { models: isListed ? models : [...models, { id: chosenModel }] }),
    ...(commands.length === 0 ? {} : { commands }),
    modes: [...CLAUDE_MODES],
  };
}
