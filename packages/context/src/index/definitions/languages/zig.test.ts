import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('what a function makes a type of belongs to the function, and tests define nothing', () => {
  const text = `
const std = @import("std");
pub const Allocator = std.mem.Allocator;
const assert = std.debug.assert;
pub const max_len: usize = 10;

pub const Parser = struct {
    text: []const u8,

    pub fn init(text: []const u8) Parser {
        const s =
            \\\\ } not the end {
        ;
        _ = s;
        return .{ .text = text };
    }

    const Mode = enum { fast, slow };
};

pub fn ArrayList(comptime T: type) type {
    return struct {
        items: []T,
        pub fn append(self: *@This(), item: T) !void {
            if (item == '}') {}
        }
    };
}

const Error = error{ Bad, Worse };

export fn entry() callconv(.C) void {}

test "parser" {
    const x = 1;
}
`;

  expect(outline('a.zig', text)).toEqual([
    '2-2 constant Allocator',
    '4-4 constant max_len',
    '6-18 class Parser',
    '9-15 method Parser > init',
    '17-17 enum Parser > Mode',
    '20-27 function ArrayList',
    '23-25 method ArrayList > append',
    '29-29 enum Error',
    '31-31 function entry',
  ]);
});
