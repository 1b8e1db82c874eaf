import type { ChannelBinding, ChannelInfo } from '@dragoman/protocol';

/** A bound account, with the platform it is of. */
export interface BoundAccount {
  /** Tells accounts of all platforms apart. */
  key: string;
  channel: ChannelInfo;
  binding: ChannelBinding;
}

/** The bound accounts of all platforms, in one list: the newest first. */
export function boundAccounts(channels: readonly ChannelInfo[]): BoundAccount[] {
  return channels
    .flatMap((channel) =>
      channel.bindings.map((binding) => ({ key: `${channel.name} ${binding.accountId}`, channel, binding })),
    )
    .toSorted((one, other) => other.binding.createdAt - one.binding.createdAt);
}
