import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('an implementation defines nothing itself, and its functions belong to the type', () => {
  const text = `
//! Docs
use std::fmt;

pub const MAX: [u8; 2] = [b'{', 0];
static mut COUNT: usize = 0;

#[derive(Debug)]
pub(crate) struct Parser<'a> {
    text: &'a str,
}

pub struct Unit;

pub enum Token {
    Word(String),
    Open { depth: u8 },
}

pub trait Visit: Send {
    type Output;
    const NAME: &'static str;
    fn visit(&mut self, token: &Token) -> Self::Output;
    fn done(&self) -> bool {
        true
    }
}

impl<'a, F: Fn(u8) -> bool> Parser<'a> {
    pub async unsafe fn next<T>(&mut self) -> Option<T>
    where
        T: From<char>,
    {
        let brace = '}';
        let raw = r#"" } "#;
        /* nested /* } */ comment } */
        None
    }
}

impl<'a> fmt::Display for Parser<'a> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.text)
    }
}

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

pub mod inner {
    pub(super) fn helper() {}
    pub type Alias = Vec<u8>;
}

mod elsewhere;

#[inline] pub fn quick() {}
`;

  expect(outline('a.rs', text)).toEqual([
    '4-4 constant MAX',
    '5-5 constant COUNT',
    '8-10 class Parser',
    '12-12 class Unit',
    '14-17 enum Token',
    '19-26 interface Visit',
    '21-21 constant Visit > NAME',
    '22-22 method Visit > visit',
    '23-25 method Visit > done',
    '29-37 method Parser > next',
    '41-43 method Parser > fmt',
    '46-50 macro square',
    '52-55 module inner',
    '53-53 function inner > helper',
    '54-54 type inner > Alias',
    '59-59 function quick',
  ]);
});
