import { DragomanError } from '@dragoman/protocol';
import { callerOf, clientSignal, type Form, formOf, inTurns, readForms } from '@dragoman/server';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../gateway.ts';
import { noteSideCall } from '../metering/note-side-call.ts';
import { Redaction } from '../policy/redaction.ts';
import { targetName } from '../routing/target.ts';
import { askForTranscript, type Recording } from '../transcribe/ask-for-transcript.ts';
import { transcriptionRoute } from '../transcribe/find-transcriber.ts';
import { readTranscript } from '../transcribe/read-transcript.ts';
import { TRANSCRIPTION } from '../transcribe/transcribe.ts';
import { hideProviderSecrets } from '../upstreams/provider-secrets.ts';
import { toConnectionError } from '../upstreams/upstream-error.ts';
import { encodeOpenAiError, isOpenAiError } from './openai-chat/encode-error.ts';
import { replyInDialect } from './reply-in-dialect.ts';

/** The forms of an answer, by their names in OpenAI's protocol. A model that lacks one says so itself. */
const FORMATS: Readonly<Record<string, { type: string; isJson: boolean }>> = {
  json: { type: 'application/json', isJson: true },
  verbose_json: { type: 'application/json', isJson: true },
  diarized_json: { type: 'application/json', isJson: true },
  text: { type: 'text/plain; charset=utf-8', isJson: false },
  srt: { type: 'text/plain; charset=utf-8', isJson: false },
  vtt: { type: 'text/vtt; charset=utf-8', isJson: false },
};

/** `POST /audio/transcriptions`: a recording, written down by the provider that the model or the route `transcription` names. */
export function transcriptionRoutes(door: FastifyInstance, gateway: Gateway): void {
  door.setErrorHandler(
    replyInDialect(
      {
        name: TRANSCRIPTION,
        relayed: { type: 'openai-chat', path: '/audio/transcriptions' },
        encodeError: encodeOpenAiError,
        isOwnError: isOpenAiError,
      },
      gateway,
    ),
  );
  readForms(door);
  door.post(
    '/audio/transcriptions',
    { config: { access: 'models', body: 'upload', isModelCall: true } },
    async (request, reply) => {
      const { recording, model, format, fields } = readTranscriptionForm(formOf(request));
      const route = transcriptionRoute(model, gateway.config(), callerOf(request));
      const signal = clientSignal(reply);
      const redaction = new Redaction();
      for (const field of route.isRedacted ? fields : []) field[1] = await inTurns(redaction.text(field[1]), signal);
      const answer = await noteSideCall(
        {
          dialect: TRANSCRIPTION,
          model: targetName(route.targets[0]!),
          route,
          notes: { book: gateway, caller: callerOf(request), request },
          redactions: redaction.count,
          signal,
          toError: (thrown, target) => toConnectionError(target.providerName, thrown),
        },
        async (target, measure) => {
          const said = await askForTranscript(recording, fields, target, gateway.upstreams, signal);
          if (format.isJson) measure.usage = readTranscript(said, target.providerName).usage;
          return hideProviderSecrets(said, target.provider);
        },
      );
      return reply.type(format.type).send(answer);
    },
  );
}

/** What the form asks for. Its other fields are passed on as they are: providers have more of them than one. */
function readTranscriptionForm({ texts, files }: Form) {
  const [file, ...others] = files;
  if (file?.name !== 'file' || others.length > 0)
    throw new DragomanError('bad-request', 'file: expected one recording, in the form field "file".');
  if (file.bytes.length === 0) throw new DragomanError('bad-request', 'file: the recording is empty.');
  const recording: Recording = { bytes: file.bytes, mediaType: file.mediaType, name: file.filename };
  const textOf = (name: string) => texts.find((field) => field.name === name)?.text;
  const formatName = textOf('response_format') ?? 'json';
  if (!Object.hasOwn(FORMATS, formatName))
    throw new DragomanError('bad-request', `response_format: expected one of ${Object.keys(FORMATS).join(', ')}.`);
  if (textOf('stream')?.toLowerCase() === 'true')
    throw new DragomanError('bad-request', 'stream: transcriptions cannot be streamed; leave it out.');
  const fields = texts
    .filter(({ name }) => name !== 'model' && name !== 'stream')
    .map(({ name, text }): [string, string] => [name, text]);
  return { recording, model: textOf('model') ?? '', format: FORMATS[formatName]!, fields };
}
