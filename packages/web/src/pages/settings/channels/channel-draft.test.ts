import fc from 'fast-check';
import { expect, test } from 'vitest';
import { channelChanges, channelDraftOf, missingFields } from './channel-draft.ts';
import { channelInfo } from './channels.fixture.ts';

const channel = channelInfo();
const begun = channelDraftOf(channel);
const at = (field: string) => ['channels', 'slate', field];

test('a form begins with what is set; a secret is never known, and of choices the first is meant', () => {
  expect(begun).toEqual({ token: '', receive: 'polling', apiUrl: 'http://slate.test', key: '' });
});

test('a secret is kept beside the file and referred to by where it stands', () => {
  expect(channelChanges(channel, { ...begun, token: ' 123:abc ', receive: 'webhook' })).toEqual({
    changes: [
      { path: at('token'), value: '{secret:channels.slate.token}' },
      { path: at('receive'), value: 'webhook' },
    ],
    secrets: { 'channels.slate.token': '123:abc' },
  });
});

test('a secret that says where it stands is left there', () => {
  expect(channelChanges(channel, { ...begun, token: '{env:SLATE_TOKEN}' })).toEqual({
    changes: [
      { path: at('token'), value: '{env:SLATE_TOKEN}' },
      { path: at('receive'), value: 'polling' },
    ],
    secrets: {},
  });
});

test('what was emptied or taken out leaves the file', () => {
  expect(channelChanges(channel, { ...begun, receive: '', apiUrl: ' ', key: null })).toEqual({
    changes: [{ path: at('apiUrl') }, { path: at('key') }],
    secrets: {},
  });
});

test('a required field is missing while it is empty, unless its secret is kept', () => {
  const fields = channel.fields.map((field) => ({ ...field, isSet: false }));
  expect(missingFields({ fields }, { ...begun, token: ' ' })).toEqual(['token']);
  expect(missingFields({ fields }, { ...begun, token: 'x' })).toEqual([]);
  expect(missingFields(channel, begun)).toEqual([]);
});

test('whatever is typed as a secret never stands in the file', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (typed) => {
      const token = `1${typed}`; // Not what refers to one.
      expect(channelChanges(channel, { ...begun, token, receive: '' })).toEqual({
        changes: [{ path: at('token'), value: '{secret:channels.slate.token}' }],
        secrets: { 'channels.slate.token': token.trim() },
      });
    }),
  );
});
