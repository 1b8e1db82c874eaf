import { isJsonObject, type JsonObject } from '../tools/json-object.ts';

/** What a file is called, in the protocols that are passed on. */
const FILES = new Set<unknown>([
  'image',
  'image_url',
  'input_image',
  'computer_screenshot',
  'document',
  'file',
  'input_file',
  'container_upload',
  'audio_url',
  'input_audio',
  'video_url',
  'input_video',
]);

/** Where one stands in Gemini's, which has no types. */
const FILE_FIELDS = ['inlineData', 'inline_data', 'fileData', 'file_data'] as const;

/** What tools are called with, and return as an object, says nothing about the prompt. */
const ARGUMENTS = new Set(['input', 'arguments', 'args', 'action', 'response']);

/** Whether a part of a conversation, in its own protocol, has an image or another file in it. */
export function bodyHasFile(said: unknown): boolean {
  if (Array.isArray(said)) return said.some(bodyHasFile);
  if (!isJsonObject(said)) return false;
  if (FILES.has(said['type']) && !isText(said)) return true;
  if (FILE_FIELDS.some((name) => isJsonObject(said[name]) && !isTextFile(said[name]))) return true;
  const { images } = said; // Ollama's clients put them beside a text.
  if (Array.isArray(images) && images.length > 0) return true;
  return Object.entries(said).some(([name, value]) => !ARGUMENTS.has(name) && bodyHasFile(value));
}

function isTextFile({ mimeType, mime_type: type = mimeType }: JsonObject): boolean {
  return typeof type === 'string' && type.startsWith('text/');
}

/** A document may be text, or blocks that are looked at by themselves. */
function isText({ type, source }: JsonObject): boolean {
  if (type !== 'document' || !isJsonObject(source)) return false;
  const { type: kind, media_type: mediaType } = source;
  return kind === 'text' || kind === 'content' || (typeof mediaType === 'string' && mediaType.startsWith('text/'));
}
