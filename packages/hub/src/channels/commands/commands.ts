import type { Reply, Talk } from '../people/talk.ts';
import { approveCommand, denyCommand } from './approval-commands.ts';
import { bindCommand, unbindCommand } from './bind-commands.ts';
import type { CommandName } from './command-names.ts';
import { helpCommand } from './help-command.ts';
import { historyCommand } from './history-command.ts';
import { moveCommand } from './move-command.ts';
import { muteCommand, unmuteCommand } from './mute-command.ts';
import { newCommand } from './new-command.ts';
import { queueCommand } from './queue-command.ts';
import { searchCommand } from './search-command.ts';
import { sessionsCommand } from './sessions-command.ts';
import { modeCommand, modelCommand } from './setting-commands.ts';
import { statusCommand } from './status-command.ts';
import { steerCommand } from './steer-command.ts';
import { stopCommand } from './stop-command.ts';
import { switchCommand } from './switch-command.ts';

/** What each command does, in every channel alike. */
export const COMMANDS: Record<CommandName, (talk: Talk, args: string) => Promise<Reply>> = {
  sessions: sessionsCommand,
  switch: switchCommand,
  status: statusCommand,
  new: newCommand,
  stop: stopCommand,
  move: moveCommand,
  queue: queueCommand,
  steer: steerCommand,
  approve: approveCommand,
  deny: denyCommand,
  mode: modeCommand,
  model: modelCommand,
  history: historyCommand,
  search: searchCommand,
  mute: muteCommand,
  unmute: unmuteCommand,
  bind: bindCommand,
  unbind: unbindCommand,
  help: helpCommand,
  // What a link to the bot says: with a code it binds, without one it is a greeting.
  start: (talk, args) => (args === '' ? helpCommand(talk, '') : bindCommand(talk, args)),
};
