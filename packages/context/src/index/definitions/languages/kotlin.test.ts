import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('extensions belong to what they extend, and companions to their class', () => {
  const text = `
package com.example

import io.ktor.http.*

const val LIMIT = 10
val String.shout: String get() = uppercase()
typealias Handler = suspend (Call) -> Unit

fun String.trimAll(): String = trim()

suspend inline fun <reified T : Any> HttpClient.fetch(
    url: String,
    block: Builder.() -> Unit = {}
): T {
    fun local() {}
    return get(url) { block() }
}

@Serializable
data class User(val name: String, val age: Int = 0) : Base(name), Printable {
    override fun print() = println("$name { \${age + 1}")

    companion object {
        const val TABLE = "users"
        fun of(name: String) = User(name)
    }

    inner class Part {
        fun size(): Int =
            when (1) {
                1 -> 2
                else -> 3
            }
    }
}

sealed interface Shape
enum class Color(val rgb: Int) { RED(1), GREEN(2); fun hex() = rgb }
fun interface Callback { fun call() }
object Registry : Base() {
    private fun register() {}
}
class Empty
@JvmStatic fun annotated() {}
`;

  expect(outline('a.kt', text)).toEqual([
    '5-5 constant LIMIT',
    '6-6 constant String > shout',
    '7-7 type Handler',
    '9-9 function String > trimAll',
    '11-17 function HttpClient > fetch',
    '15-15 function fetch > local',
    '20-35 class User',
    '21-21 method User > print',
    '24-24 constant User > TABLE',
    '25-25 method User > of',
    '28-34 class User > Part',
    '29-33 method Part > size',
    '37-37 interface Shape',
    '38-38 enum Color',
    '39-39 interface Callback',
    '40-42 class Registry',
    '41-41 method Registry > register',
    '43-43 class Empty',
    '44-44 function annotated',
  ]);
});
