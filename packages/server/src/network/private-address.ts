import { BlockList, isIP } from 'node:net';

/** What is not the public Internet: one's own machine and network, and what is set aside for special use. */
const PRIVATE_V4: readonly [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

const privateV4 = new BlockList();
for (const [network, prefix] of PRIVATE_V4) privateV4.addSubnet(network, prefix, 'ipv4');

const globalV6 = new BlockList();
globalV6.addSubnet('2000::', 3, 'ipv6');

/** Within the global range, and still not to be reached: tunnels whose far end is not told, and documentation. */
const specialV6 = new BlockList();
specialV6.addSubnet('2001::', 23, 'ipv6');
specialV6.addSubnet('2001:db8::', 32, 'ipv6');
specialV6.addSubnet('3fff::', 20, 'ipv6');

/**
 * Whether an address is one that nobody from the Internet has business with: neither a page that an agent reads nor a
 * person who says where something is to be sent. What cannot be read as an address is
 * private too, and an IPv6 address that stands for an IPv4 one is judged by that.
 */
export function isPrivateAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '');
  switch (isIP(plain)) {
    case 4:
      return privateV4.check(plain, 'ipv4');
    case 6: {
      const inside = embeddedV4(plain);
      if (inside !== undefined) return privateV4.check(inside, 'ipv4');
      return !globalV6.check(plain, 'ipv6') || specialV6.check(plain, 'ipv6');
    }
    default:
      return true;
  }
}

/** The IPv4 address that a mapped (`::ffff:`), translated (`64:ff9b::`) or 6to4 (`2002:`) one stands for. */
function embeddedV4(address: string): string | undefined {
  const words = wordsOf(address);
  const isMapped = words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff;
  const isTranslated = words[0] === 0x64 && words[1] === 0xff9b && words.slice(2, 6).every((word) => word === 0);
  if (isMapped || isTranslated) return dotted(words[6]!, words[7]!);
  return words[0] === 0x2002 ? dotted(words[1]!, words[2]!) : undefined;
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** The eight words of a valid IPv6 address, in whichever of its spellings. */
function wordsOf(address: string): number[] {
  // The URL parser writes an address in one way only, with hexadecimal words throughout.
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...gap, ...after].map((word) => Number.parseInt(word, 16));
}
