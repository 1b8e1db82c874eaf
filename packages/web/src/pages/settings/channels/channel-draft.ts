import type { ChannelFieldInfo, ChannelInfo } from '@dragoman/protocol';
import type { SettingChange } from '@dragoman/protocol/console';
import { isReference } from '../shared/pairs.ts';

/** What is filled in about a channel, by field. Nothing in place of a secret that is to be taken out. */
export type ChannelDraft = Readonly<Record<string, string | null>>;

/** What the fields of a channel begin with. A secret that is kept is not known here. */
export function channelDraftOf({ fields }: Pick<ChannelInfo, 'fields'>): ChannelDraft {
  return Object.fromEntries(fields.map((field) => [field.name, field.value ?? firstValue(field)]));
}

/** The fields that have to be filled in and are not. */
export function missingFields({ fields }: Pick<ChannelInfo, 'fields'>, draft: ChannelDraft): string[] {
  return fields
    .filter(({ name, kind, isRequired, isSet }) => {
      const given = draft[name];
      const keepsSecret = kind === 'secret' && isSet && given !== null;
      return isRequired && !keepsSecret && (given ?? '').trim() === '';
    })
    .map(({ name }) => name);
}

/** The change of the settings that a draft asks for. Secrets go where secrets are kept, and are referred to. */
export function channelChanges(
  { name: channel, fields }: Pick<ChannelInfo, 'name' | 'fields'>,
  draft: ChannelDraft,
): { changes: SettingChange[]; secrets: Record<string, string> } {
  const changes: SettingChange[] = [];
  const secrets: Record<string, string> = {};
  for (const field of fields) {
    const path = ['channels', channel, field.name];
    const given = draft[field.name];
    const text = (given ?? '').trim();
    if (field.kind === 'secret') {
      if (given === null && field.isSet) changes.push({ path });
      if (text === '') continue;
      const secret = path.join('.');
      changes.push({ path, value: isReference(text) ? text : `{secret:${secret}}` });
      if (!isReference(text)) secrets[secret] = text;
    } else if (text !== (field.value ?? '')) changes.push(text === '' ? { path } : { path, value: text });
  }
  return { changes, secrets };
}

/** Of choices the first is what is meant where nothing is said. */
function firstValue({ kind, choices }: ChannelFieldInfo): string {
  return kind === 'choice' ? (choices?.[0]?.value ?? '') : '';
}
