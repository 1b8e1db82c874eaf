import { newId } from '@dragoman/protocol';

/** What the ids of answers begin with, here and at providers. */
const PREFIX = /^(?:chatcmpl|cmpl|resp|msg|gen|call)[-_]/;
const UNWANTED = /[^\w-]/g;
const LONGEST = 100;

/** The id of an answer in the form of a dialect. It tells which answer of the provider it was, where that had a name. */
export function answerId(prefix: 'chatcmpl-' | 'resp_' | 'msg_', given: string | undefined): string {
  const own = given?.startsWith(prefix) === true && given.length <= LONGEST;
  if (own) return given;
  const name = (given ?? '').replace(PREFIX, '').replace(UNWANTED, '').slice(0, LONGEST);
  return `${prefix}${name === '' ? newId('call').replace('call_', '') : name}`;
}
