import { type BackendCapabilities, DragomanError, type PromptBlock } from '@dragoman/protocol';
import type { Language } from '../channel.ts';
import type { HeardFile } from '../heard.ts';
import { plainLine } from '../note-text.ts';
import { PEOPLE_WORDS, type PeopleWords } from './people-words.ts';
import type { Ears } from './talk.ts';

/** What an attachment may have at the hub, what all of a prompt may have, and how many there may be. */
const MAX_FILE_BYTES = 10_000_000;
const MAX_ALL_BYTES = 25_000_000;
const MAX_FILES = 10;
/** How long a platform may take to hand a file over, and a model to write a voice message down. */
const READ_MS = 60_000;
const TRANSCRIBE_MS = 90_000;

/** Who gets the files. */
export interface Taker {
  agent: string;
  capabilities: BackendCapabilities;
}

/** What came with a message, as an agent takes it. */
export interface Attached {
  /** What was said in voice messages. */
  words: string[];
  content: PromptBlock[];
  /** What did not go along, each with the reason, as Markdown. */
  problems: string[];
}

/** Fetches what came with a message. A file that is no good is told of and left out; the others go along. */
export async function readAttached(
  ears: Ears,
  files: readonly HeardFile[],
  taker: Taker,
  language: Language,
): Promise<Attached> {
  const words = PEOPLE_WORDS[language];
  const attached: Attached = { words: [], content: [], problems: [] };
  let left = MAX_ALL_BYTES;
  for (const [index, file] of files.entries()) {
    try {
      if (index >= MAX_FILES) throw new FileProblem(words.filesTooMany(MAX_FILES));
      checkTaken(file, taker, words);
      if (file.kind === 'voice' && !isWrittenDown(ears)) throw new FileProblem(words.voiceOff);
      const bytes = await readOne(ears, file, words);
      if (bytes.byteLength > left) throw new FileProblem(words.filesTooLarge(megabytes(MAX_ALL_BYTES)));
      left -= bytes.byteLength;
      if (file.kind === 'voice') attached.words.push(await transcribe(ears, file, bytes, words));
      else attached.content.push(toBlock(file, bytes, taker));
    } catch (error) {
      if (ears.signal.aborted) throw error;
      attached.problems.push(words.fileProblem(plainLine(file.name, 80), reasonOf(ears, error, words)));
    }
  }
  return attached;
}

/** What is wrong with a file, in the sender's language and as Markdown. */
class FileProblem extends Error {}

function checkTaken({ kind, mediaType }: HeardFile, { agent, capabilities }: Taker, words: PeopleWords): void {
  if (kind === 'voice' || capabilities.files === true) return;
  if (kind === 'image' && isImage(mediaType)) {
    if (capabilities.images !== true) throw new FileProblem(words.imagesNotTaken(plainLine(agent)));
  } else throw new FileProblem(words.filesNotTaken(plainLine(agent)));
}

/** There may be somebody who could, and no model for it. */
function isWrittenDown({ transcribe: write, parts }: Ears): boolean {
  return write !== undefined && parts.config().channels?.transcription !== undefined;
}

async function readOne({ signal }: Ears, file: HeardFile, words: PeopleWords): Promise<Uint8Array> {
  const bytes = await file.read(AbortSignal.any([signal, AbortSignal.timeout(READ_MS)]));
  if (bytes.byteLength === 0) throw new FileProblem(words.fileEmpty);
  if (bytes.byteLength > MAX_FILE_BYTES)
    throw new FileProblem(words.fileTooLarge(megabytes(bytes.byteLength), megabytes(MAX_FILE_BYTES)));
  return bytes;
}

async function transcribe(
  ears: Ears,
  { mediaType, name }: HeardFile,
  bytes: Uint8Array,
  words: PeopleWords,
): Promise<string> {
  const signal = AbortSignal.any([ears.signal, AbortSignal.timeout(TRANSCRIBE_MS)]);
  const text = (await ears.transcribe!({ bytes, mediaType, name }, signal)).trim();
  if (text === '') throw new FileProblem(words.voiceEmpty);
  return text;
}

function toBlock({ kind, mediaType, name }: HeardFile, bytes: Uint8Array, { capabilities }: Taker): PromptBlock {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  if (kind === 'image' && isImage(mediaType) && capabilities.images === true)
    return { type: 'image', media_type: mediaType, data };
  return { type: 'file', name, media_type: mediaType, data };
}

function reasonOf({ parts, channel }: Ears, error: unknown, words: PeopleWords): string {
  if (error instanceof FileProblem) return error.message;
  if (error instanceof DragomanError) return plainLine(error.message, 400);
  parts.logger.warn({ err: error, channel: channel.name }, 'could not read a file sent in a chat');
  return words.unexpected;
}

function isImage(mediaType: string): boolean {
  return /^image\/[\w.+-]+$/i.test(mediaType);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1).replace(/\.0$/, '')} MB`;
}
