import type { ModelCall } from '@dragoman/protocol';
import type { Target } from '../../routing/target.ts';
import { CALL_SETTINGS, type CallSetting } from './call-settings.ts';
import { SettingRefusal } from './setting-refusal.ts';

/**
 * What becomes of a setting at a kind of provider.
 *
 * `passed-on`: the protocol has a word for it. `translated`: it is said in other words, or done by the provider anyway.
 * `done-here`: the gateway does it on the answer (`do-here.ts`), whether the provider was told or not. `left-out`: a hint without which the answer is still the one
 * that was asked for; it is named to the client. `refused`: the answer would be another, and the client is told why.
 */
export type SettingFate = 'passed-on' | 'translated' | 'done-here' | 'left-out' | { refused: string };

/** Every setting has its line; one that depends on the call or on the model says how. */
export type SettingFates = Readonly<
  Record<CallSetting, SettingFate | ((call: ModelCall, target: Target) => SettingFate)>
>;

/** What of a call the provider is not told. */
export interface WeighedSettings {
  leftOut: readonly CallSetting[];
  doneHere: readonly CallSetting[];
}

const NOTHING: readonly CallSetting[] = [];
const SETTINGS = Object.keys(CALL_SETTINGS) as CallSetting[];

/** Holds a call against a provider's table before it is sent. Throws a `SettingRefusal`. */
export function weighSettings(call: ModelCall, target: Target, fates: SettingFates): WeighedSettings {
  let leftOut = NOTHING;
  let doneHere = NOTHING;
  for (const setting of SETTINGS) {
    const rule = fates[setting];
    // What every call of this kind may say needs no look at the call.
    if (rule === 'passed-on' || rule === 'translated' || !CALL_SETTINGS[setting](call)) continue;
    const fate = typeof rule === 'function' ? rule(call, target) : rule;
    if (typeof fate === 'object') throw new SettingRefusal(setting, fate.refused);
    if (fate === 'left-out') leftOut = [...leftOut, setting];
    else if (fate === 'done-here') doneHere = [...doneHere, setting];
  }
  return { leftOut, doneHere };
}
