import { setTimeout as delay } from 'node:timers/promises';
import { createHubClient, type HubClient } from '@dragoman/protocol';
import { startPostgres, type TestPostgres } from '@dragoman/testkit';
import { onTestFinished } from 'vitest';
import { type HubProcess, type RunnerProcess, SharedHub } from '../two-hubs.fixture.ts';
import type { Fault } from './faults.fixture.ts';
import { findHaproxy, type Haproxy, startHaproxy } from './haproxy.fixture.ts';
import { until, untilAcknowledged } from './until-acknowledged.fixture.ts';

export const SERVERS = ['a', 'b', 'c'] as const;
export const RUNNERS = ['one', 'two'] as const;

/** Three servers behind HAProxy on a PostgreSQL of their own, and two runners that know the address of the proxy alone. */
export class ManyServers {
  readonly hub: SharedHub;
  readonly databaseUrl: string;
  readonly url: string;
  readonly token: string;
  /** Of the people who work here, through the proxy. */
  readonly client: HubClient;
  readonly #postgres: TestPostgres;
  readonly #proxy: Haproxy;
  readonly #servers: Map<string, HubProcess>;
  readonly #runners: Map<string, RunnerProcess>;

  /** Starts everything; the settings are in the files of all. */
  static async open(settings: object): Promise<ManyServers> {
    const program = findHaproxy();
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const hub = new SharedHub(`${postgres.baseUrl}/postgres`, settings);
    const servers = new Map<string, HubProcess>();
    await Promise.all(SERVERS.map(async (name) => servers.set(name, await hub.serve(name))));
    const proxy = await startHaproxy(program, Object.fromEntries([...servers].map(([name, { url }]) => [name, url])));
    return new ManyServers({ hub, postgres, servers, proxy });
  }

  private constructor(parts: {
    hub: SharedHub;
    postgres: TestPostgres;
    servers: Map<string, HubProcess>;
    proxy: Haproxy;
  }) {
    this.hub = parts.hub;
    this.#postgres = parts.postgres;
    this.#servers = parts.servers;
    this.#proxy = parts.proxy;
    this.databaseUrl = `${parts.postgres.baseUrl}/postgres`;
    this.url = parts.proxy.url;
    this.token = parts.hub.token;
    const leaving = new AbortController();
    onTestFinished(() => leaving.abort());
    this.client = createHubClient({ url: this.url, token: this.token, signal: leaving.signal });
    this.#runners = new Map(RUNNERS.map((name) => [name, this.hub.startRunner(name, this.url)]));
  }

  /** The ids of the two runners, once both are connected. */
  async runnerIds(): Promise<string[]> {
    const connected = async () =>
      (await untilAcknowledged(() => this.client.listRunners())).runners.filter(
        ({ name, isConnected }) => isConnected && RUNNERS.some((known) => known === name),
      );
    await until('both runners are connected', async () => (await connected()).length === RUNNERS.length);
    return (await connected()).map(({ id }) => id);
  }

  /** Kills or cuts, and starts again what was killed. Resolves when that is there. */
  async inflict(fault: Fault): Promise<void> {
    switch (fault.kind) {
      case 'server': {
        await this.#servers.get(fault.name)!.kill();
        await delay(fault.awayMs);
        const server = await this.hub.serve(fault.name);
        this.#servers.set(fault.name, server);
        return this.#proxy.moveServer(fault.name, server.url);
      }
      case 'runner':
        await this.#runners.get(fault.name)!.kill();
        await delay(fault.awayMs);
        this.#runners.set(fault.name, this.hub.startRunner(fault.name, this.url));
        return;
      case 'database':
        await this.#postgres.halt('SIGKILL');
        await delay(fault.awayMs);
        return this.#postgres.resume();
      case 'proxy':
        return this.#proxy.cutConnections();
    }
  }
}
