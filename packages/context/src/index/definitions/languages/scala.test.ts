import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('bodies in braces and bodies by indentation both end where they should', () => {
  const text = `
package io.example

import cats.data._

sealed abstract class Json extends Product with Serializable {
  def fold[X](f: => X): X
  final def isNull: Boolean = this == Json.Null
  private[this] val cache: Map[String, Int] = Map(
    "a" -> 1
  )
  lazy val size: Int = {
    1
  }
}

object Json {
  case class JString(value: String) extends Json
  case object Null extends Json
  type Key = String
  implicit val eqJson: Eq[Json] = Eq.instance { (a, b) =>
    a == b
  }
  def apply(x: Int): Json = x match {
    case 1 => Null
    case _ =>
      def inner(y: Int) = y
      JString("}")
  }
  override def toString: String =
    "Json"
}

trait Decoder[A] { self =>
  def apply(c: HCursor): Either[String, A]
  def map[B](f: A => B): Decoder[B] = new Decoder[B] {
    final def apply(c: HCursor) = self(c).map(f)
  }
}

enum Color(val rgb: Int):
  case Red extends Color(1)

class Three(x: Int):
  def one: Int = x

  def two =
    val y = Map { 1 }
    y

given intOrd: Ordering[Int] with
  def compare(a: Int, b: Int) = 0

extension (s: String)
  def shout: String = s.toUpperCase
`;

  expect(outline('a.scala', text)).toEqual([
    '5-14 class Json',
    '6-6 method Json > fold',
    '7-7 method Json > isNull',
    '8-10 constant Json > cache',
    '11-13 constant Json > size',
    '16-31 class Json',
    '17-17 class Json > JString',
    '18-18 class Json > Null',
    '19-19 type Json > Key',
    '20-22 constant Json > eqJson',
    '23-28 method Json > apply',
    '26-26 function apply > inner',
    '29-30 method Json > toString',
    '33-38 interface Decoder',
    '34-34 method Decoder > apply',
    '35-37 method Decoder > map',
    '36-36 method map > apply',
    '40-41 enum Color',
    '43-48 class Three',
    '44-44 method Three > one',
    '46-48 method Three > two',
    '50-51 constant intOrd',
    '51-51 method intOrd > compare',
    '54-54 method String > shout',
  ]);
});
