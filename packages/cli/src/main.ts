import { DragomanError } from '@dragoman/protocol';
import { Command, CommanderError, Option } from 'commander';
import { EXIT_CODES, exitCodeOf } from './exit-code.ts';
import { howToRun } from './how-to-run.ts';
import { cleanText } from './terminal/clean-text.ts';
import { printError } from './terminal/print.ts';
import { VERSION } from './version.ts';
import { withoutSqlite } from './without-sqlite.ts';

const program = new Command('dragoman')
  .description('A self-hosted server for coding agents, run with your own keys.')
  .version(VERSION, '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print help')
  .helpCommand(false)
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(cleanText(text.replace(/^error: /, 'dragoman: '))) })
  .addHelpText(
    'after',
    '\nWithout a command, the server is started.\nExit codes: 0 done, 1 failed, 2 wrong usage, 3 wrong configuration, 4 cannot start here.',
  );

const configOption = () =>
  new Option('--config <file>', 'configuration file, instead of dragoman.json in the data folder');
const jsonOption = (what: string) => new Option('--json', what);
/** Commands are loaded when they are used: starting the server should not pay for the others. */
const command = (name: string, description: string, parent = program, place: { isDefault?: boolean } = {}) =>
  parent.command(name, place).description(description).helpOption('-h, --help', 'print help').addOption(configOption());

command('serve', 'start the server')
  .option('--host <address>', 'address to listen on (default 127.0.0.1)')
  .option('--port <number>', 'port to listen on, 0 picks a free one (default 4747)')
  .option(
    '--token <token>',
    'accept this token while the server runs; the environment variable DRAGOMAN_TOKEN does the same unseen',
  )
  .option('--exit-when-idle [seconds]', 'end when nobody has held a lease (GET /api/lease) for so long (default 60)')
  .addOption(
    jsonOption('when ready, print one line {"url":…,"token":…}; where one runs already, {"url":…,"isRunning":true}'),
  )
  .action(async (options) => (await import('./commands/serve.ts')).serve(options));

const token = program
  .command('token')
  .description('make, list and revoke the tokens that clients use')
  .helpOption('-h, --help', 'print help');
command('create <name>', 'make a token and print it, once', token)
  .option('--user <name>', 'whose token it is; made with this role when there is none of that name')
  .option('--role <role>', 'admin, member, viewer, or models: a token that calls models and does nothing else')
  .option('--models <names>', 'the models it may use, such as "fast,openai/*"; all when not given')
  .option('--expires <time>', 'when it ends: 12h, 30d, or a date such as 2027-01-31')
  .addOption(jsonOption('print {"id":…,"token":…}'))
  .action(async (name, options) => (await import('./commands/token.ts')).createToken(name, options));
command('list', 'list tokens, without the tokens themselves', token)
  .addOption(jsonOption('print a JSON list'))
  .action(async (options) => (await import('./commands/token.ts')).listTokens(options));
command('revoke <id-or-name>', 'end a token at once', token)
  .addOption(jsonOption('print what was revoked'))
  .action(async (idOrName, options) => (await import('./commands/token.ts')).revokeToken(idOrName, options));
command('link', 'make a link that logs one browser in, once', token)
  .option('--user <name>', 'who is logged in by it')
  .addOption(jsonOption('print {"link":…}'))
  .action(async (options) => (await import('./commands/token.ts')).createLink(options));

command('connect [client]', 'set a client up so that it asks this server; without one, list them')
  .option(
    '--model <name>',
    'what it asks for: a route, or provider/model (the route "default", or the first model there is)',
  )
  .option('--server <url>', 'a server elsewhere; its token comes from DRAGOMAN_TOKEN')
  .option('--token <token>', 'the token for --server')
  .option('--undo', 'put everything back as it was, and revoke the token')
  .option('--print', 'show what would be written, and write nothing')
  .option('--yes', 'write without asking')
  .addOption(jsonOption('print the list as JSON'))
  .action(async (client, options) => (await import('./commands/connect.ts')).connect(client, options));

const secret = program
  .command('secret')
  .description('keep keys that the configuration refers to as {secret:name}')
  .helpOption('-h, --help', 'print help');
command('set <name>', 'keep a secret; its value is read from the terminal or from a pipe', secret) //
  .action(async (name) => (await import('./commands/secret.ts')).setSecret(name));
command('list', 'list the names of secrets', secret)
  .addOption(jsonOption('print a JSON list'))
  .action(async (options) => (await import('./commands/secret.ts')).listSecrets(options));
command('remove <name>', 'forget a secret', secret) //
  .action(async (name) => (await import('./commands/secret.ts')).removeSecret(name));

command('index [folder]', 'bring the index of a folder up to date, so that it can be asked')
  .option('--watch', 'stay, and follow changes')
  .option('--stats', 'tell what was left out and why, and what was counted')
  .option('--explain <path>', 'tell why a path is indexed or not, and stop')
  .option('--remove', 'forget the folder and free its space')
  .option('--server <url>', 'keep the blobs on another server that speaks the protocol')
  .option('--token <token>', 'the token for that server; the environment variable DRAGOMAN_TOKEN does the same unseen')
  .addOption(jsonOption('print one JSON object'))
  .action(async (folder, options) => (await import('./commands/index-folder.ts')).indexFolder(folder, options));
command('search <question...>', 'ask about the code in this folder, in plain words')
  .option('--dir <folder>', 'the folder, instead of the current one')
  .option('--limit <number>', 'how many places at most (default 10)')
  .option('--symbol', 'the question is a name; list where it is defined')
  .option('--why', 'say of each place what spoke for it and what against it')
  .option('--server <url>', 'ask another server that speaks the protocol')
  .option('--token <token>', 'the token for that server; the environment variable DRAGOMAN_TOKEN does the same unseen')
  .addOption(jsonOption('print {"root":…,"results":[…]}'))
  .action(async (words, options) => (await import('./commands/search.ts')).search(words, options));
command('mcp', 'offer code search to an agent over the Model Context Protocol, on standard input and output')
  .option('--dir <folder>', 'the folder to be asked about, instead of the current one')
  .action(async (options) => (await import('./commands/mcp.ts')).mcp(options));

command('run [prompt...]', 'give the agent something to do in this folder; a prompt may also come through a pipe')
  .option('--continue', 'go on with the latest session of this project')
  .option('--session <id>', 'go on with this session')
  .option('--fork', 'begin a session of its own with what that one says')
  .option('--model <name>', 'the route or "provider/model" to use')
  .option('--agent <name>', 'build, plan, or one of your own')
  .option('--cwd <folder>', 'the folder to work in, instead of the current one')
  .option('--yes', 'allow what would be asked about; what is denied stays denied')
  .option('--format <format>', 'text, or json: one event a line')
  .option('--base-url <url>', 'for this run, a service that speaks OpenAI Chat Completions')
  .option('--api-key <key>', 'its key')
  .option('--context <tokens>', 'how many tokens its model takes (default 128000)')
  .action(async (words, options) => (await import('./commands/run.ts')).run(words, options));

command('acp', 'the same agent for an editor, over the Agent Client Protocol on standard input and output') //
  .action(async (options) => (await import('./commands/acp.ts')).acp(options));

command('runner', 'host the agents of this machine for a hub on another')
  .requiredOption('--hub <url>', 'the address of the server that has the hub')
  .option('--token <token>', 'a token of that server; the environment variable DRAGOMAN_TOKEN does the same unseen')
  .option('--name <name>', 'what this machine is called on screens (default its host name)')
  .option('--share', 'let every member of the hub start sessions here, not only you and admins')
  .action(async (options) => (await import('./commands/runner.ts')).runner(options));
const uap = program
  .command('uap')
  .description('the Universal Agent Protocol: check whether an agent speaks it')
  .helpOption('-h, --help', 'print help');
command('check [command...]', 'lead an agent through a conversation and judge what it says', uap)
  .option('--agent <name>', 'an agent of the configuration, or a known one such as opencode, instead of a command')
  .option('--backend <kind>', 'what the command speaks: uap, acp, claude, codex or text (default uap)')
  .option('--cwd <folder>', 'where it works, instead of an empty folder')
  .option('--model <name>', 'the model it is asked to use')
  .option('--prompt <text>', 'what it is asked')
  .addOption(jsonOption('print one JSON object'))
  .action(async (words, options) => (await import('./commands/uap.ts')).checkUap(words, options));

const sessions = program
  .command('sessions')
  .description('list, show, fork, take back and remove what was said to the agent')
  .helpOption('-h, --help', 'print help');
command('list', 'list the sessions of this project, the latest first', sessions, { isDefault: true })
  .option('--all', 'of all projects')
  .option('--cwd <folder>', 'of the project of this folder, instead of the current one')
  .option('--limit <number>', 'how many at most (default 50)')
  .addOption(jsonOption('print a JSON list'))
  .action(async (options) => (await import('./commands/sessions.ts')).listSessions(options));
command('show <id>', 'print a conversation', sessions)
  .addOption(jsonOption('print {"session":…,"messages":[…],…}'))
  .action(async (id, options) => (await import('./commands/sessions.ts')).showOneSession(id, options));
command('fork <id>', 'begin a session of its own with what another one says', sessions)
  .option('--before <message>', 'only with what was said before this message')
  .addOption(jsonOption('print {"id":…}'))
  .action(async (id, options) => (await import('./commands/sessions.ts')).forkSession(id, options));
command('revert <id> [message]', 'take messages back, from this one on, and the changes to files', sessions)
  .option('--last', 'from the last prompt on')
  .addOption(jsonOption('print {"messageID":…,"files":[…],"skipped":[…]}'))
  .action(async (id, message, options) => (await import('./commands/sessions.ts')).revertSession(id, message, options));
command('unrevert <id>', 'bring back what was taken back last', sessions)
  .addOption(jsonOption('print {"files":[…]}'))
  .action(async (id, options) => (await import('./commands/sessions.ts')).unrevertSession(id, options));
command('remove <id>', 'forget a session for good', sessions)
  .addOption(jsonOption('print {"id":…}'))
  .action(async (id, options) => (await import('./commands/sessions.ts')).removeSession(id, options));

const permissions = program
  .command('permissions')
  .description('see what the agent may do here, and take back what was allowed for good')
  .helpOption('-h, --help', 'print help');
command('list', 'list what was allowed for good in this project', permissions, { isDefault: true })
  .option('--cwd <folder>', 'in the project of this folder, instead of the current one')
  .addOption(jsonOption('print a JSON list'))
  .action(async (options) => (await import('./commands/permissions.ts')).listApprovals(options));
command('remove <id>', 'take back what was allowed for good', permissions)
  .addOption(jsonOption('print {"id":…}'))
  .action(async (id, options) => (await import('./commands/permissions.ts')).removeApproval(id, options));
command('explain <tool> [subject...]', 'say whether a tool may do this, and which rule decides', permissions)
  .option('--cwd <folder>', 'in this folder, instead of the current one')
  .option('--agent <name>', 'for this agent')
  .addOption(jsonOption('print one JSON object'))
  .action(async (tool, words, options) =>
    (await import('./commands/permissions.ts')).explainPermission(tool, words, options),
  );

command('models [name...]', 'list the models that clients can ask for')
  .option('--test', 'ask each of them once, and show the answer and its time')
  .option('--prices', 'show what each costs, and who says so')
  .addOption(jsonOption('print a JSON list'))
  .action(async (names, options) => (await import('./commands/models.ts')).models(names, options));

command('backup <file>', 'copy everything that is stored to one file, also while the server runs')
  .option('--restore', 'the other way: put what the file holds into an empty store')
  .addOption(jsonOption('print {"file":…,"bytes":…}'))
  .action(async (file, options) => (await import('./commands/backup.ts')).backup(file, options));

command('doctor', 'check the installation and show the configuration in force')
  .addOption(jsonOption('print one JSON object'))
  .action(async (options) => (await import('./commands/doctor.ts')).doctor(options));

/** Commands as messages name them. */
const ADVICE = /\bdragoman ((?:token|secret|doctor|backup|index|search|run|sessions|permissions|models)\b)/g;

// Whoever reads only the first lines, as `head` does, has what they wanted.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT_CODES.done);
  printError(`dragoman: The output could not be written (${error.message}).`);
  process.exit(EXIT_CODES.failed);
});

// A command that waits for a timer of its own has not come to its end, even where nothing else keeps the process.
const stayAlive = setInterval(() => {}, 2 ** 30);
try {
  await program.parseAsync(withDefaultCommand(process.argv.slice(2)), { from: 'user' });
} catch (error) {
  process.exitCode = report(withoutSqlite(error));
} finally {
  clearInterval(stayAlive);
}

/** `dragoman --port 4800` starts the server; help and version are the program's own. */
function withDefaultCommand(args: string[]): string[] {
  const [first] = args;
  const isOption =
    first === undefined || (first.startsWith('-') && !['-h', '--help', '-V', '--version'].includes(first));
  return isOption ? ['serve', ...args] : args;
}

/** Advice such as `dragoman token list`, as this user has to type it. */
function withHowToRun(message: string): string {
  return message.replace(ADVICE, (_whole, command: string) => howToRun(command));
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.wrongUsage;
  const message =
    error instanceof DragomanError
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error);
  printError(`dragoman: ${withHowToRun(message)}`);
  return exitCodeOf(error);
}
