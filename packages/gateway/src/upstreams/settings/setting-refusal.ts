import { RefusedCall } from '../../policy/refused-call.ts';
import type { CallSetting, SettingNames } from './call-settings.ts';

/** A target that cannot do what a call asks for. Another one may be able to. */
export class SettingRefusal extends RefusedCall {
  readonly setting: CallSetting;
  readonly reason: string;

  constructor(setting: CallSetting, reason: string, name: string = setting) {
    super('bad-request', `${name}: ${reason}`, { isRetryable: true });
    this.setting = setting;
    this.reason = reason;
  }

  /** The same in the words of the client that asked. */
  inWordsOf(names: SettingNames): SettingRefusal {
    return new SettingRefusal(this.setting, this.reason, names[this.setting]);
  }
}
