import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('modules, functions, macros, types and callbacks are found', () => {
  const text = `
defmodule Plug.Conn.Query do
  @moduledoc """
  def not_me do
  end
  """
  @type t :: map()
  @callback init(opts :: term()) :: term()

  defstruct [:a]

  defmodule Error do
    defexception [:message]
  end

  def decode(query, initial \\\\ %{})

  def decode("", initial), do: initial

  def decode(query, initial) when is_binary(query) do
    case query do
      "" -> initial
      _ -> %{}
    end
  rescue
    e -> e
  end

  defp helper?(x),
    do: x

  defmacro is_ok(x) do
    quote do: unquote(x)
  end
end

defprotocol Size do
  def size(data)
end

defimpl Size, for: Map do
  def size(map), do: map_size(map)
end
`;

  expect(outline('a.ex', text)).toEqual([
    '1-34 module Conn > Query',
    '6-6 type Query > t',
    '7-7 method Query > init',
    '11-13 module Query > Error',
    '15-15 function Query > decode',
    '17-17 function Query > decode',
    '19-26 function Query > decode',
    '28-29 function Query > helper?',
    '31-33 macro Query > is_ok',
    '36-38 interface Size',
    '37-37 function Size > size',
    '41-41 function Map > size',
  ]);
});
