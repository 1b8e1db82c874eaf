import { DragomanError, sessionJson, sessionMarkdown } from '@dragoman/protocol';
import { clientSignal } from '@dragoman/server';
import type { FastifyReply } from 'fastify';
import { readImage } from '../files/read-image.ts';
import { readView } from '../sessions/read-view.ts';
import type { HubEngine } from './hub-engine.ts';
import type { HubHandlers } from './hub-plugin.ts';
import { readCall } from './read-call.ts';
import { sendText } from './send-text.ts';

/** What a browser shows without running anything that is inside. */
const SHOWN_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

/** For a file that is opened by itself: it loads nothing and runs nothing. */
const SHOWN_ALONE = "default-src 'none'; sandbox";

/** What is answered as a file. */
export function fileHandlers({ parts }: HubEngine): Pick<HubHandlers, 'exportSession' | 'getAttachment' | 'readImage'> {
  return {
    async exportSession(request, reply) {
      const { params, query } = readCall('exportSession', request);
      const view = await readView(parts, params.sessionId, clientSignal(reply));
      const isJson = query.format === 'json';
      asDownload(reply, `${fileTitle(view.title)}.${isJson ? 'json' : 'md'}`).type(
        isJson ? 'application/json; charset=utf-8' : 'text/markdown; charset=utf-8',
      );
      return sendText(reply, isJson ? sessionJson(view) : sessionMarkdown(view));
    },
    async getAttachment(request, reply) {
      const { params } = readCall('getAttachment', request);
      const found = await parts.db
        .selectFrom('hub_attachments')
        .select(['name', 'media_type', 'bytes'])
        .where('id', '=', params.attachmentId)
        .executeTakeFirst();
      if (found === undefined)
        throw new DragomanError(
          'not-found',
          `There is no attachment ${JSON.stringify(params.attachmentId.slice(0, 100))}.`,
        );
      const mediaType = found.media_type.split(';', 1)[0]!.trim().toLowerCase();
      const isShown = SHOWN_TYPES.has(mediaType);
      if (!isShown) asDownload(reply, found.name ?? 'attachment');
      return reply
        .header('content-security-policy', SHOWN_ALONE)
        .header('cache-control', 'private, max-age=31536000, immutable')
        .type(isShown ? mediaType : 'application/octet-stream')
        .send(Buffer.from(found.bytes));
    },
    async readImage(request, reply) {
      const { params, query } = readCall('readImage', request);
      const { mediaType, bytes } = await readImage(parts, { ...params, ...query, signal: clientSignal(reply) });
      return reply.header('content-security-policy', SHOWN_ALONE).type(mediaType).send(bytes);
    },
  };
}

function asDownload(reply: FastifyReply, name: string): FastifyReply {
  const plain = name.replaceAll(/[^\w.() -]/g, '_').slice(0, 100);
  const whole = encodeURIComponent(name.slice(0, 200).toWellFormed()).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
  return reply.header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${whole}`);
}

/** A title as a file's name: nothing that a file system would take for something else. */
function fileTitle(title: string): string {
  const plain = title.replaceAll(/[\p{Cc}\s<>:"/\\|?*]+/gu, ' ').trim();
  return plain.slice(0, 80).toWellFormed() || 'session';
}
