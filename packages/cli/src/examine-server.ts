import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { describeBuiltInFile } from '@dragoman/context/setup';
import { ClientReports, type UsageTables } from '@dragoman/gateway';
import {
  checkSqlite,
  type DataFolder,
  DiskRoom,
  openDataFolder,
  openSettingsBeside,
  SecretsFile,
} from '@dragoman/server/base';
import { examineAgent } from './examine-agent.ts';
import { describeChannels } from './describe-channels.ts';
import { describeServers } from './describe-servers.ts';
import { examineHostedAgents, type HostedAgentsReport } from './examine-hosted-agents.ts';
import { fullDataFolder } from './explain-full-disk.ts';
import { type Finding, find } from './finding.ts';
import type { Places } from './load-setup.ts';
import type { StoreReader } from './read-store.ts';
import type { DragomanConfig } from './rooms.ts';

/** What is looked at. A command sees a server from outside; one that runs has its things open. */
export interface ServerView {
  places: Places;
  /** The configuration in force; none where it cannot be used. */
  config: DragomanConfig | undefined;
  configuration: Finding;
  describeStore: () => Promise<string>;
  describeServer: () => Promise<string>;
  readStore: StoreReader;
}

/** Looks at everything a server stands on and changes nothing. */
export async function examineServer(view: ServerView): Promise<HostedAgentsReport> {
  const { places, config } = view;
  const [ground, agent, hosted] = await Promise.all([
    examineGround(view),
    examineAgent(view.readStore, config),
    examineHostedAgents(places, config),
  ]);
  return { findings: [...ground, ...agent, ...hosted.findings], agents: hosted.agents };
}

async function examineGround(view: ServerView): Promise<Finding[]> {
  const { folder } = view.places;
  return Promise.all([
    find('node', () => describeNode(view.places)),
    find('data folder', () => describeFolder(folder)),
    Promise.resolve(view.configuration),
    find('secrets', () => describeSecrets(view)),
    find('database', view.describeStore),
    find('server', view.describeServer),
    ...(view.places.location.databaseUrl === undefined ? [] : [find('servers', () => describeServers(view.readStore))]),
    find('word vectors', () => describeBuiltInFile()),
    find('clients', () => describeReports(view.readStore)),
    find('channels', () => describeChannels(view.readStore, view.config)),
  ]);
}

function describeNode({ location }: Places): string {
  if (location.databaseUrl === undefined) checkSqlite();
  return process.versions.node;
}

function describeFolder(folder: DataFolder): string {
  if (existsSync(folder.path)) {
    openDataFolder(folder);
    refuseFullDisk(folder);
    return folder.path;
  }
  const parent = nearestFolder(folder.path);
  try {
    accessSync(parent, constants.W_OK | constants.X_OK);
  } catch {
    throw new Error(
      `${folder.path} does not exist and cannot be created in ${parent}; set DRAGOMAN_HOME to another folder`,
    );
  }
  refuseFullDisk(folder, parent);
  return `${folder.path} will be created on the first start`;
}

function refuseFullDisk(folder: DataFolder, place = folder.path): void {
  if (new DiskRoom(place).isFull()) throw fullDataFolder(folder);
}

function nearestFolder(path: string): string {
  const parent = dirname(path);
  return existsSync(parent) || parent === path ? parent : nearestFolder(parent);
}

/** A secret that all servers share counts before one of the data folder's own. */
async function describeSecrets({ places: { folder, location }, readStore }: ServerView): Promise<string> {
  const own = [...new SecretsFile(folder.secretsFile).read().keys()];
  if (location.databaseUrl === undefined) return `${own.length} stored`;
  const layer = await readStore((store) => openSettingsBeside(store, folder.sharedFile).read());
  const shared = Object.keys(layer?.secrets ?? {});
  const unused = own.filter((name) => shared.includes(name));
  const says = `${shared.length} shared by all servers, ${own.length} in this data folder`;
  return unused.length === 0 ? says : `${says}; ${unused.join(', ')} in this data folder is not used`;
}

/** What clients said they could not read. */
async function describeReports(readStore: StoreReader): Promise<string> {
  const reports = await readStore((store) => new ClientReports(store.tables<UsageTables>(), () => {}).list());
  const [newest, ...others] = reports ?? [];
  if (newest === undefined) return 'no problems reported';
  return `${others.length + 1} ${others.length === 0 ? 'error' : 'errors'} reported, the last on ${new Date(newest.at).toISOString().slice(0, 16)}: ${newest.message}`;
}
