import { DragomanError } from '@dragoman/protocol';
import { Command, CommanderError, Option } from 'commander';
import { EXIT_CODES, exitCodeOf } from './exit-code.ts';
import { howToRun } from './how-to-run.ts';
import { cleanText } from './terminal/clean-text.ts';
import { printError, showPassing } from './terminal/print.ts';
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
    '\nWithout a command, dragoman starts the server.\nExit codes: 0 success, 1 failure, 2 usage error, 3 invalid configuration, 4 cannot start here.',
  );

const configOption = () =>
  new Option('--config <file>', 'configuration file (default: dragoman.json in the data folder)');
const jsonOption = (what: string) => new Option('--json', what);
/** Commands are loaded when they are used: starting the server should not pay for the others. */
const command = (name: string, description: string, parent = program, place: { isDefault?: boolean } = {}) =>
  parent.command(name, place).description(description).helpOption('-h, --help', 'print help').addOption(configOption());

command('serve', 'start the server')
  .option('--host <address>', 'address to listen on (default 127.0.0.1)')
  .option('--port <number>', 'port to listen on, 0 picks a free one (default 4747)')
  .option('--token <token>', 'accept this token while the server runs (or set DRAGOMAN_TOKEN)')
  .option('--exit-when-idle [seconds]', 'exit after this long without a lease (GET /api/lease) (default 60)')
  .addOption(
    jsonOption('when ready, print one line {"url":…,"token":…}, or {"url":…,"isRunning":true} if already running'),
  )
  .action(async (options) => (await import('./commands/serve.ts')).serve(options));

command('stop', 'stop the server and its agents')
  .addOption(jsonOption('print {"isStopped":…}'))
  .action(async (options) => (await import('./commands/stop.ts')).stop(options));

const token = program
  .command('token')
  .description('create, list and revoke client tokens')
  .helpOption('-h, --help', 'print help');
command('create <name>', 'create a token and print it once', token)
  .option('--user <name>', 'the owner of the token; created with this role if new')
  .option('--role <role>', 'admin, member, viewer, or models (can only call models)')
  .option('--models <names>', 'models it may use, such as "fast,openai/*" (default all)')
  .option('--expires <time>', 'when it expires: 12h, 30d, or a date such as 2027-01-31')
  .addOption(jsonOption('print {"id":…,"token":…}'))
  .action(async (name, options) => (await import('./commands/token.ts')).createToken(name, options));
command('list', 'list tokens (without their values)', token)
  .addOption(jsonOption('print a JSON list'))
  .action(async (options) => (await import('./commands/token.ts')).listTokens(options));
command('revoke <id-or-name>', 'revoke a token immediately', token)
  .addOption(jsonOption('print what was revoked'))
  .action(async (idOrName, options) => (await import('./commands/token.ts')).revokeToken(idOrName, options));
command('link', 'create a one-time login link for a browser', token)
  .option('--user <name>', 'the user to log in')
  .addOption(jsonOption('print {"link":…}'))
  .action(async (options) => (await import('./commands/token.ts')).createLink(options));

command('connect [client]', 'connect a client to this server, or list clients')
  .option(
    '--model <name>',
    'model to use: a route or provider/model (default: the route "default", or the first model)',
  )
  .option('--server <url>', 'use another server; its token comes from DRAGOMAN_TOKEN')
  .option('--token <token>', 'the token for --server')
  .option('--undo', 'restore the previous settings and revoke the token')
  .option('--print', 'show what would be written without writing it')
  .option('--yes', 'write without asking')
  .addOption(jsonOption('print the list as JSON'))
  .action(async (client, options) => (await import('./commands/connect.ts')).connect(client, options));

const secret = program
  .command('secret')
  .description('manage secrets that the configuration refers to as {secret:name}')
  .helpOption('-h, --help', 'print help');
command('set <name>', 'save a secret; its value is read from the terminal or a pipe', secret) //
  .action(async (name) => (await import('./commands/secret.ts')).setSecret(name));
command('list', 'list secret names', secret)
  .addOption(jsonOption('print a JSON list'))
  .action(async (options) => (await import('./commands/secret.ts')).listSecrets(options));
command('remove <name>', 'delete a secret', secret) //
  .action(async (name) => (await import('./commands/secret.ts')).removeSecret(name));

command('index [folder]', 'index a folder for search, or update its index')
  .option('--watch', 'keep running and follow changes')
  .option('--stats', 'show what was excluded and why, and statistics')
  .option('--explain <path>', 'explain why a path is indexed or not, then exit')
  .option('--remove', 'remove the folder from the index and free its space')
  .option('--server <url>', 'use the index of another server')
  .option('--token <token>', 'token for that server (or set DRAGOMAN_TOKEN)')
  .addOption(jsonOption('print one JSON object'))
  .action(async (folder, options) => (await import('./commands/index-folder.ts')).indexFolder(folder, options));
command('search <question...>', 'search the code in this folder in plain language')
  .option('--dir <folder>', 'folder to search (default: current folder)')
  .option('--limit <number>', 'maximum number of results (default 10)')
  .option('--symbol', 'treat the question as a name and list its definitions')
  .option('--why', 'explain the ranking of each result')
  .option('--server <url>', 'search on another server')
  .option('--token <token>', 'token for that server (or set DRAGOMAN_TOKEN)')
  .addOption(jsonOption('print {"root":…,"results":[…]}'))
  .action(async (words, options) => (await import('./commands/search.ts')).search(words, options));
command('mcp', 'run an MCP server that gives agents code search, over standard input and output')
  .option('--dir <folder>', 'folder to search (default: current folder)')
  .action(async (options) => (await import('./commands/mcp.ts')).mcp(options));

command('run [prompt...]', 'run the agent in this folder; the prompt can also be piped in')
  .option('--continue', 'continue the latest session of this project')
  .option('--session <id>', 'continue this session')
  .option('--fork', 'continue in a fork of that session')
  .option('--model <name>', 'route or "provider/model" to use')
  .option('--agent <name>', 'build, plan, or one of your own')
  .option('--cwd <folder>', 'folder to work in (default: current folder)')
  .option('--yes', 'approve everything that would need approval; denied calls stay denied')
  .option('--format <format>', 'text, or json with one event per line')
  .option('--base-url <url>', 'use this OpenAI-compatible service for this run')
  .option('--api-key <key>', 'API key for --base-url')
  .option('--context <tokens>', 'context size of its model in tokens (default 128000)')
  .action(async (words, options) => {
    showPassing('Starting…'); // What is loaded now takes a second or more.
    await (await import('./commands/run.ts')).run(words, options);
  });

command('acp', 'run the agent for an editor, over the Agent Client Protocol on standard input and output') //
  .action(async (options) => (await import('./commands/acp.ts')).acp(options));

program
  .command('server-runner', { hidden: true })
  .addOption(configOption())
  .action(async (options) => (await import('./commands/server-runner.ts')).serverRunner(options));
command('runner', 'connect this machine and its agents to a server')
  .requiredOption('--hub <url>', 'URL of the server')
  .option('--token <token>', 'token for that server (or set DRAGOMAN_TOKEN)')
  .option('--name <name>', 'display name of this machine (default: its host name)')
  .option('--share', 'let all members start sessions here, not only you and admins')
  .action(async (options) => (await import('./commands/runner.ts')).runner(options));
const uap = program
  .command('uap')
  .description('check agents against the Universal Agent Protocol')
  .helpOption('-h, --help', 'print help');
command('check [command...]', 'run an agent through a test conversation and check its output', uap)
  .option('--agent <name>', 'a configured or known agent such as opencode, instead of a command')
  .option('--backend <kind>', 'protocol of the command: uap, acp, claude, codex or text (default uap)')
  .option('--cwd <folder>', 'folder to work in (default: an empty folder)')
  .option('--model <name>', 'model to use')
  .option('--prompt <text>', 'prompt to send')
  .addOption(jsonOption('print one JSON object'))
  .action(async (words, options) => (await import('./commands/uap.ts')).checkUap(words, options));

const sessions = program
  .command('sessions')
  .description('list, show, fork, revert, move, stop and delete sessions')
  .helpOption('-h, --help', 'print help');
command('list', 'list the sessions of this project, latest first', sessions, { isDefault: true })
  .option('--all', 'list the sessions of all projects')
  .option('--cwd <folder>', 'use the project of this folder (default: current folder)')
  .option('--limit <number>', 'maximum number of sessions (default 50)')
  .addOption(jsonOption('print a JSON list'))
  .action(async (options) => (await import('./commands/sessions.ts')).listSessions(options));
command('show <id>', 'show a session', sessions)
  .addOption(jsonOption('print {"session":…,"messages":[…],…}'))
  .action(async (id, options) => (await import('./commands/sessions.ts')).showOneSession(id, options));
command('fork <id>', 'start a new session from an existing one', sessions)
  .option('--before <message>', 'only include messages before this one')
  .addOption(jsonOption('print {"id":…}'))
  .action(async (id, options) => (await import('./commands/sessions.ts')).forkSession(id, options));
command('revert <id> [message]', 'undo messages from this one on, including file changes', sessions)
  .option('--last', 'undo the last prompt')
  .addOption(jsonOption('print {"messageID":…,"files":[…],"skipped":[…]}'))
  .action(async (id, message, options) => (await import('./commands/sessions.ts')).revertSession(id, message, options));
command('unrevert <id>', 'undo the last revert', sessions)
  .addOption(jsonOption('print {"files":[…]}'))
  .action(async (id, options) => (await import('./commands/sessions.ts')).unrevertSession(id, options));
command('remove <id>', 'delete a session permanently', sessions)
  .addOption(jsonOption('print {"id":…}'))
  .action(async (id, options) => (await import('./commands/sessions.ts')).removeSession(id, options));

command('move <id> <machine>', 'move a session of a server to another machine, folder or agent', sessions)
  .option('--server <url>', 'use another server (default: the one that runs here)')
  .option('--token <token>', 'token for that server (or set DRAGOMAN_TOKEN); the one here needs none')
  .option('--folder <folder>', 'folder on that machine (default: the same path)')
  .option('--agent <name>', 'agent on that machine (default: the same)')
  .addOption(jsonOption('print {"id":…,"runnerId":…,"folder":…,"agent":…}'))
  .action(async (id, machine, options) => (await import('./commands/machines.ts')).moveSession(id, machine, options));

command('stop <id>', 'stop the turn of a session of a server', sessions)
  .option('--server <url>', 'use another server (default: the one that runs here)')
  .option('--token <token>', 'token for that server (or set DRAGOMAN_TOKEN); the one here needs none')
  .addOption(jsonOption('print {"id":…,"turnId":…}'))
  .action(async (id, options) => (await import('./commands/machines.ts')).stopSession(id, options));

const machines = program
  .command('machines')
  .description('list the machines of a server, and remove those that are gone')
  .helpOption('-h, --help', 'print help');
command('list', 'list machines, since when they are offline, and the sessions that wait for them', machines, {
  isDefault: true,
})
  .option('--server <url>', 'use another server (default: the one that runs here)')
  .option('--token <token>', 'token for that server (or set DRAGOMAN_TOKEN); the one here needs none')
  .addOption(jsonOption('print a JSON list'))
  .action(async (options) => (await import('./commands/machines.ts')).listMachines(options));
command('remove <machine>', 'remove an offline machine; its sessions can still be read and moved', machines)
  .option('--server <url>', 'use another server (default: the one that runs here)')
  .option('--token <token>', 'token for that server (or set DRAGOMAN_TOKEN); the one here needs none')
  .addOption(jsonOption('print {"id":…}'))
  .action(async (machine, options) => (await import('./commands/machines.ts')).removeMachine(machine, options));

const permissions = program
  .command('permissions')
  .description('show what the agent may do here, and remove "always allow" rules')
  .helpOption('-h, --help', 'print help');
command('list', 'list what is always allowed in this project', permissions, { isDefault: true })
  .option('--cwd <folder>', 'use the project of this folder (default: current folder)')
  .addOption(jsonOption('print a JSON list'))
  .action(async (options) => (await import('./commands/permissions.ts')).listApprovals(options));
command('remove <id>', 'remove an "always allow" rule', permissions)
  .addOption(jsonOption('print {"id":…}'))
  .action(async (id, options) => (await import('./commands/permissions.ts')).removeApproval(id, options));
command('explain <tool> [subject...]', 'explain whether a call is allowed, and which rule decides', permissions)
  .option('--cwd <folder>', 'use this folder (default: current folder)')
  .option('--agent <name>', 'for this agent')
  .addOption(jsonOption('print one JSON object'))
  .action(async (tool, words, options) =>
    (await import('./commands/permissions.ts')).explainPermission(tool, words, options),
  );

command('models [name...]', 'list available models')
  .option('--test', 'call each model once and show its answer and response time')
  .option('--prices', 'show prices and where they come from')
  .addOption(jsonOption('print a JSON list'))
  .action(async (names, options) => (await import('./commands/models.ts')).models(names, options));

command('backup <file>', 'back up all data to one file; works while the server is running')
  .option('--restore', 'restore the file into an empty database')
  .addOption(jsonOption('print {"file":…,"bytes":…}'))
  .action(async (file, options) => (await import('./commands/backup.ts')).backup(file, options));

command('doctor', 'check the installation and report problems')
  .option('--all', 'also list all agents, and all settings with their source')
  .addOption(jsonOption('print one JSON object'))
  .action(async (options) => (await import('./commands/doctor.ts')).doctor(options));

/** Commands as messages name them. */
const ADVICE = /\bdragoman ((?:token|secret|doctor|backup|index|search|run|sessions|machines|permissions|models)\b)/g;

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
  process.exitCode = report(await withFullDisk(withoutSqlite(error)));
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

/** A disk without room is told in a sentence, whatever was being written. */
async function withFullDisk(error: unknown): Promise<unknown> {
  if (error instanceof DragomanError || error instanceof CommanderError) return error;
  const { diskFullError, isFullDisk } = await import('@dragoman/server/base');
  return isFullDisk(error) ? diskFullError(error) : error;
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
