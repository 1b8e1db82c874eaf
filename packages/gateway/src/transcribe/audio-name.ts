/** What OpenAI's protocol tells the kind of a recording by. */
const KNOWN = new Set(['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'oga', 'ogg', 'wav', 'webm']);

const BY_TYPE: ReadonlyMap<string, string> = new Map([
  ['audio/aac', 'm4a'],
  ['audio/flac', 'flac'],
  ['audio/m4a', 'm4a'],
  ['audio/mp3', 'mp3'],
  ['audio/mp4', 'm4a'],
  ['audio/mpeg', 'mp3'],
  ['audio/ogg', 'ogg'],
  ['audio/opus', 'ogg'],
  ['audio/wav', 'wav'],
  ['audio/webm', 'webm'],
  ['audio/x-m4a', 'm4a'],
  ['audio/x-wav', 'wav'],
]);

/** The name a recording is sent under. Services judge by its ending, and chats name recordings as they like. */
export function audioName(name: string, mediaType: string): string {
  const { base, ending } = /^(?<base>.*)\.(?<ending>[^.]*)$/s.exec(name)?.groups ?? { base: name, ending: '' };
  if (KNOWN.has(ending!.toLowerCase())) return name;
  const [plainType = ''] = mediaType.toLowerCase().split(';');
  return `${base === '' ? 'voice' : base}.${BY_TYPE.get(plainType.trim()) ?? 'ogg'}`;
}
