import { ok } from './app-routes.ts';
import { refuse } from './lark-refusal.ts';
import type { LarkRoute } from './lark-server.ts';
import type { LarkState } from './lark-state.ts';

const SCOPES = ['im:resource', 'im:resource:upload'];
const FILE_TYPES = new Set(['opus', 'mp4', 'pdf', 'doc', 'xls', 'ppt', 'stream']);
const MB = 1024 * 1024;

/** Pictures and files: up from the bot, down from what people sent. */
export function fileRoutes(state: LarkState): LarkRoute[] {
  return [
    {
      endpoint: 'POST im/v1/images',
      scopes: SCOPES,
      run({ body, upload }) {
        if (body['image_type'] !== 'message' && body['image_type'] !== 'avatar')
          refuse(234001, 'Invalid request param.');
        const bytes = checked(upload?.bytes, 10);
        const mediaType = imageType(bytes);
        if (mediaType === undefined) refuse(234011, "Can't regonnize the image format.");
        return ok({ image_key: state.addFile('image', { bytes, name: upload!.name, mediaType }) });
      },
    },
    {
      endpoint: 'POST im/v1/files',
      scopes: SCOPES,
      run({ body, upload }) {
        const { file_type: type, file_name: name } = body;
        if (typeof type !== 'string' || !FILE_TYPES.has(type)) refuse(234001, 'Invalid request param.');
        if (typeof name !== 'string' || name === '') refuse(234001, 'Invalid request param.');
        const bytes = checked(upload?.bytes, 30);
        const mediaType = type === 'opus' ? 'audio/ogg' : 'application/octet-stream';
        return ok({ file_key: state.addFile('file', { bytes, name, mediaType }) });
      },
    },
    {
      endpoint: 'GET im/v1/messages/:message_id/resources/:file_key',
      scopes: ['im:message', 'im:message:readonly', 'im:message.history:readonly'],
      run({ params, query }) {
        const message = state.messages.get(params['message_id']!);
        const file = state.files.get(params['file_key']!);
        if (message === undefined || message.isRecalled) refuse(234003, 'File not in msg.');
        if (message.type === 'interactive') refuse(234043, 'Unsupported message type.');
        if (!JSON.stringify(message.content).includes(`"${params['file_key']}"`)) refuse(234003, 'File not in msg.');
        if (file === undefined || query['type'] !== file.kind) refuse(234001, 'Invalid request param.');
        return { bytes: file.bytes, mediaType: file.mediaType, name: file.name };
      },
    },
  ];
}

function checked(bytes: Uint8Array | undefined, megabytes: number): Uint8Array {
  if (bytes === undefined) refuse(234001, 'Invalid request param.');
  if (bytes.length === 0) refuse(234010, "File's size can't be 0.");
  if (bytes.length > megabytes * MB) refuse(234006, 'The file size exceed the max value.');
  return bytes;
}

/** By the first bytes, as the platform looks at them. */
function imageType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\x89PNG')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF8')) return 'image/gif';
  if (head.startsWith('RIFF') && head.slice(8) === 'WEBP') return 'image/webp';
  if (head.startsWith('BM')) return 'image/bmp';
  if (head.startsWith('II*\0') || head.startsWith('MM\0*')) return 'image/tiff';
  if (head.startsWith('\0\0\x01\0')) return 'image/x-icon';
  return undefined;
}
