import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('classes with named constructors and getters, mixins and extensions are found', () => {
  const text = `
import 'package:flutter/material.dart';

const kLimit = 10;
typedef Callback = void Function(int);

@immutable
abstract class Home extends StatelessWidget with Mixin {
  const Home({super.key});
  Home.named(this.a);
  factory Home.of(String s) => Home.named(s);
  static const routes = ['{'];

  int get size => items.length;

  @override
  Widget build(BuildContext context) {
    return Text('\${context.x} }');
  }

  Future<void> load() async {
    await x();
  }
}

enum Mode { fast, slow }
mixin Logger on Home { void log() {} }
extension StringX on String { String shout() => toUpperCase(); }
void main() => runApp(const Home());
`;

  expect(outline('a.dart', text)).toEqual([
    '3-3 constant kLimit',
    '4-4 type Callback',
    '7-23 class Home',
    '8-8 method Home > Home',
    '9-9 method Home > named',
    '10-10 method Home > of',
    '11-11 constant Home > routes',
    '13-13 method Home > size',
    '16-18 method Home > build',
    '20-22 method Home > load',
    '25-25 enum Mode',
    '26-26 class Logger',
    '26-26 method Logger > log',
    '27-27 class String > StringX',
    '27-27 method StringX > shout',
    '28-28 function main',
  ]);
});
