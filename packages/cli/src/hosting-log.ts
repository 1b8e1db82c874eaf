import { confidentialValues, maskSecrets } from '@dragoman/server/base';
import { type CommandLog, openCommandLog } from './command-log.ts';
import type { DragomanConfig } from './rooms.ts';
import { ignoreFailedOutput, printError } from './terminal/print.ts';

/** What a process that hosts agents tells of its way, without the secrets of the configuration. */
export interface HostingLog extends CommandLog {
  /** Another configuration is in force. */
  configured(config: DragomanConfig): void;
}

/** Opens the log of a process that stays and hosts agents, which nothing that it prints may end. */
export function openHostingLog(config: DragomanConfig, tell: (line: string) => void = printError): HostingLog {
  ignoreFailedOutput();
  let confidential = confidentialValues(config);
  const mask = maskSecrets(() => confidential);
  return {
    ...openCommandLog(true, (line) => tell(mask(line))),
    configured(next) {
      confidential = confidentialValues(next);
    },
  };
}
