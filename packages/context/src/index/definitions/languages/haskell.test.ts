import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('a signature and the equations below it are one definition', () => {
  const text = `
{-# LANGUAGE CPP #-}
module Data.Aeson.Types
  ( Parser
  ) where

import Data.Text (Text)

-- | A parser.
newtype Parser a = Parser
  { runParser :: Text -> a
  }

data Value = Object !Object
           | Null
  deriving (Eq)

type Object = Map Text Value

class (Monad m) => MonadParse m where
  liftParse :: Parser a -> m a
  liftParse = undefined

instance FromJSON Value where
  parseJSON = pure

-- | Parses.
parse, parse' :: (a -> Parser b)
      -> a
      -> Result b
parse m v = go v
  where
    go x = x
parse' = parse
{-# INLINE parse #-}

main = do
  print 1
`;

  expect(outline('a.hs', text)).toEqual([
    '9-11 class Parser',
    '13-15 class Value',
    '17-17 type Object',
    '19-21 interface MonadParse',
    '20-20 method MonadParse > liftParse',
    '27-32 function parse',
    "33-33 function parse'",
    '36-37 function main',
  ]);
});
