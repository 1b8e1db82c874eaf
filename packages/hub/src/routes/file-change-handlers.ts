import { HUB_CALLS } from '@dragoman/protocol/schemas';
import { clientSignal } from '@dragoman/server';
import { askAboutFiles } from '../files/ask-about-files.ts';
import type { HubEngine } from './hub-engine.ts';
import type { HubHandlers } from './hub-plugin.ts';
import { readCall } from './read-call.ts';

const FOUND = 20;

type Names =
  | 'listFiles'
  | 'findFiles'
  | 'readFile'
  | 'listFileChanges'
  | 'readDiff'
  | 'stageFiles'
  | 'discardChanges'
  | 'commitChanges';

/** The files that an agent works on, and what has changed in them. */
export function fileChangeHandlers({ parts }: HubEngine): Pick<HubHandlers, Names> {
  return {
    async listFiles(request, reply) {
      const { params, query } = readCall('listFiles', request);
      return askAboutFiles(parts, {
        ...params,
        ask: { method: 'list-files', ...query },
        answer: HUB_CALLS.listFiles.answer,
        signal: clientSignal(reply),
      });
    },
    async findFiles(request, reply) {
      const { params, query } = readCall('findFiles', request);
      return askAboutFiles(parts, {
        ...params,
        ask: { method: 'find-files', q: query.q, limit: query.limit ?? FOUND },
        answer: HUB_CALLS.findFiles.answer,
        signal: clientSignal(reply),
      });
    },
    async readFile(request, reply) {
      const { params, query } = readCall('readFile', request);
      return askAboutFiles(parts, {
        ...params,
        ask: { method: 'read-file', ...query },
        answer: HUB_CALLS.readFile.answer,
        signal: clientSignal(reply),
      });
    },
    async listFileChanges(request, reply) {
      const { params } = readCall('listFileChanges', request);
      return askAboutFiles(parts, {
        ...params,
        ask: { method: 'list-file-changes' },
        answer: HUB_CALLS.listFileChanges.answer,
        signal: clientSignal(reply),
      });
    },
    async readDiff(request, reply) {
      const { params, query } = readCall('readDiff', request);
      return askAboutFiles(parts, {
        ...params,
        ask: { method: 'read-diff', path: query.path, staged: query.staged ?? false },
        answer: HUB_CALLS.readDiff.answer,
        signal: clientSignal(reply),
      });
    },
    async stageFiles(request, reply) {
      const { caller, params, body } = readCall('stageFiles', request);
      return askAboutFiles(parts, {
        ...params,
        ask: { method: 'stage-files', ...body },
        answer: HUB_CALLS.stageFiles.answer,
        actor: caller,
        signal: clientSignal(reply),
      });
    },
    async discardChanges(request, reply) {
      const { caller, params, body } = readCall('discardChanges', request);
      return askAboutFiles(parts, {
        ...params,
        ask: { method: 'discard-changes', ...body },
        answer: HUB_CALLS.discardChanges.answer,
        actor: caller,
        signal: clientSignal(reply),
      });
    },
    async commitChanges(request, reply) {
      const { caller, params, body } = readCall('commitChanges', request);
      return askAboutFiles(parts, {
        ...params,
        ask: { method: 'commit-changes', message: body.message, author: caller.userName },
        answer: HUB_CALLS.commitChanges.answer,
        actor: caller,
        signal: clientSignal(reply),
      });
    },
  };
}
