import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('classes with their members, functions in every form, types and constants of a module are found', () => {
  const text = `
import { a } from 'b';

export default class Foo<T extends { a: string }> extends Bar<{ x: 1 }> implements Baz {
  static #count = 0;
  private readonly handler = async (event: Event): Promise<void> => {
    await this.go(event);
  };
  constructor(private readonly a: string) {
    super();
  }
  get size(): number {
    return 1;
  }
  async *items<K extends string>(key: K): AsyncGenerator<{ k: K }> {
    if (key) {
      yield { k: key };
    }
  }
  [Symbol.iterator]() {}
  abstract run(): void;
}

export const add = (a: number, b: number): number => a + b;
export const config: Config = {
  port: 80,
  start() {
    return 1;
  },
  stop: async () => {
    return 2;
  },
};
const text = \`}}} \${add({ a: 1 }, \`nested \${1}\`)} {{{\`;
function outer() {
  const re = /[{]"/;
  function inner() {}
  const local = 1;
  return inner;
}
export type Deep = {
  a: string;
} & Other;
export interface Store<S> extends Base {
  getState(): S;
  dispatch: Dispatch;
}
export namespace A.B {
  export function f() {}
}
declare module 'express' {
  interface Request {}
}
export enum Color {
  Red,
}
export const Button: React.FC<Props> = ({ label, onClick }) => {
  return <div>Don't {label}</div>;
};
export function over<
  S,
  Ext extends {} = {},
>(a: S): { s: S } & Ext;
export function over(a: unknown) {
  return a;
}
const { x: y } = z;
const router = express.Router();
const MAX_SIZE = 3;
`;

  expect(outline('a.ts', text)).toEqual([
    '3-21 class Foo',
    '5-7 method Foo > handler',
    '8-10 method Foo > constructor',
    '11-13 method Foo > size',
    '14-18 method Foo > items',
    '19-19 method Foo > iterator',
    '20-20 method Foo > run',
    '23-23 function add',
    '24-32 constant config',
    '26-28 method config > start',
    '29-31 method config > stop',
    '34-39 function outer',
    '36-36 function outer > inner',
    '40-42 type Deep',
    '43-46 interface Store',
    '44-44 method Store > getState',
    '47-49 module A > B',
    '48-48 function B > f',
    '50-52 module express',
    '51-51 interface express > Request',
    '53-55 enum Color',
    '56-58 function Button',
    '59-62 function over',
    '63-65 function over',
    '68-68 constant MAX_SIZE',
  ]);
});

test('functions and constants that are assigned to an object, to exports or to a prototype are found', () => {
  const text = `
'use strict';
var express = require('express');
var app = exports = module.exports = {};

app.handle = function handle(req, res) {
  var done = function () {};
};

exports.render = async (name) => name;
exports.static = require('serve-static');

function View(name, options) {
  this.lookup = function (n) {
    return n;
  };
}

View.prototype.lookup = function lookup(name) {
  return "}" + '{';
};

module.exports = {
  one() {
    return 1;
  },
  two: function () {
    return 2;
  },
};
`;

  expect(outline('a.js', text)).toEqual([
    '5-7 function app > handle',
    '6-6 function handle > done',
    '9-9 function render',
    '12-16 function View',
    '13-15 method View > lookup',
    '18-20 method View > lookup',
    '23-25 method one',
    '26-28 method two',
  ]);
});
